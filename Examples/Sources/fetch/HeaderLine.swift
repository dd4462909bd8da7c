import HTTPClientKit

/// A field as `-H` describes it.
enum HeaderLine: Sendable {
    /// `Name: value`, or `Name;` for an empty value.
    case field(HTTPHeaderName, String)
    /// `Name:`, for a field that is not sent.
    case removal(HTTPHeaderName)

    /// - Throws: `invalidRequest`, which does not quote the value: it may be a secret.
    init(_ text: some StringProtocol) throws(HTTPError) {
        guard let colon = text.firstIndex(of: ":") else {
            guard text.last == ";", text.count > 1 else {
                throw HTTPError(
                    .invalidRequest,
                    "-H takes 'Name: value', 'Name:' or 'Name;', but there is no colon")
            }
            self = .field(HTTPHeaderName(String(text.dropLast())), "")
            return
        }
        func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
        var value = text[text.index(after: colon)...].drop(while: isBlank)
        while value.last.map(isBlank) == true { value = value.dropLast() }
        let name = HTTPHeaderName(String(text[..<colon]))
        guard name.isToken else {
            throw HTTPError(
                .invalidRequest,
                "-H: the text before the colon is not the name of a field (RFC 9110 §5.1)")
        }
        self = value.isEmpty ? .removal(name) : .field(name, String(value))
    }

    /// Returns the fields of a value of `-H`, which may be `@` and a file with one on each line.
    static func lines(_ value: String) throws(HTTPError) -> [HeaderLine] {
        guard value.hasPrefix("@") else { return [try HeaderLine(value)] }
        var lines: [HeaderLine] = []
        for line in try InputFile(value.dropFirst()).readText().split(whereSeparator: \.isNewline) {
            lines.append(try HeaderLine(line))
        }
        return lines
    }
}
