import HTTPClientKit
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The value of `-F` or `--form-string`. It is understood after the command line, whose errors
/// quote the values that are not: a value may contain a secret.
struct FormText: Sendable {
    let text: String
    let isLiteral: Bool
    /// The place on the command line, among the options for parts.
    let place: Int

    private static let count = Atomic(0)

    init(_ text: String, isLiteral: Bool = false) {
        self.text = text
        self.isLiteral = isLiteral
        place = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
    }

    func part() throws(HTTPError) -> FormPart {
        isLiteral ? try FormPart(literally: text) : try FormPart(text)
    }
}

/// A part of a multipart form, as `-F` describes it: `name=value`, `name=@file` or `name=<file`,
/// each with `;type=…`, `;filename=…` and `;headers=…`.
struct FormPart: Sendable, Equatable {
    enum Content: Sendable, Equatable {
        case text(String)
        /// A file that is sent as one, with a name.
        case file(String)
        /// The content of a file as the value of a field.
        case value(String)
    }

    let name: String
    let content: Content
    private(set) var type: String?
    private(set) var filename: String?
    private(set) var fields: [String] = []

    /// Creates a part from the value of `--form-string`: a name and a text that is taken literally.
    init(literally text: String) throws(HTTPError) {
        let (name, value) = try Self.split(text)
        self.init(name: name, content: .text(String(value)))
    }

    /// Creates a part from the value of `-F`.
    ///
    /// - Throws: `invalidRequest` if a word behind a semicolon is not understood. Texts may contain
    ///   secrets, so the error does not quote them.
    init(_ text: String) throws(HTTPError) {
        let (name, value) = try Self.split(text)
        var words = FormWords(value)
        let isFile = words.take("@")
        let isValue = !isFile && words.take("<")
        let content = words.word()
        self.init(
            name: name,
            content: isFile ? .file(content) : isValue ? .value(content) : .text(content))
        if isFile, words.isAtComma {
            throw HTTPError(
                .invalidRequest,
                "-F \(name): fetch sends one file per part; repeat -F, or quote a name with a comma"
            )
        }
        while words.take(";") {
            if words.take("type=") {
                type = words.mediaType()
            } else if words.take("filename=") {
                filename = words.word()
            } else if words.take("headers=") {
                fields.append(words.word())
            } else {
                throw HTTPError(
                    .invalidRequest,
                    "-F \(name): a semicolon is followed by type=, filename= or headers=; quote a "
                        + "value with semicolons, or use --form-string")
            }
        }
        guard words.isAtEnd else {
            throw HTTPError(
                .invalidRequest, "-F \(name): there is text behind the quotation marks")
        }
    }

    private init(name: String, content: Content) {
        self.name = name
        self.content = content
    }

    private static func split(_ text: String) throws(HTTPError) -> (String, Substring) {
        guard let mark = text.firstIndex(of: "=") else {
            throw HTTPError(.invalidRequest, "-F takes 'name=value', but there is no equals sign")
        }
        return (String(text[..<mark]), text[text.index(after: mark)...])
    }

    /// `true` if the content is standard input.
    var isStandardInput: Bool { content == .file("-") || content == .value("-") }

    /// Adds the part to a form. Files are checked now and streamed later; standard input is read to
    /// its end.
    func add(to form: inout MultipartForm) throws {
        var headers = HTTPHeaders()
        for field in fields {
            guard case .field(let name, let value) = try HeaderLine(field) else { continue }
            try headers.append(name, value)
        }
        let body: HTTPBody
        var filename = filename
        switch content {
        case .text(let text): body = HTTPBody(text)
        case .file("-"), .value("-"):
            body = HTTPBody(try InputFile("-").read())
            if case .file = content { filename = filename ?? "-" }
        case .value(let path): body = try InputFile(path).body()
        case .file(let path):
            let file = InputFile(path)
            guard type == nil, headers.isEmpty, file.isRegular else {
                body = try file.body()
                filename = filename ?? path.split(separator: "/").last.map { String($0) } ?? path
                break
            }
            _ = try file.body()  // fails with the error of data that cannot be read
            return try form.add(file: path, name: name, filename: filename)
        }
        try form.add(
            body, name: name, filename: filename, contentType: type, headers: headers)
    }
}

/// The words of a part's description. A word may be in double quotes, with backslashes before
/// quotes and backslashes. Blanks around a word do not belong to it.
private struct FormWords {
    private var rest: Substring

    init(_ text: Substring) { rest = text }

    var isAtEnd: Bool { rest.isEmpty }
    private(set) var isAtComma = false

    mutating func take(_ text: String) -> Bool {
        if text != "@" && text != "<" { rest = rest.drop { $0 == " " } }
        guard rest.hasPrefix(text) else { return false }
        rest = rest.dropFirst(text.count)
        return true
    }

    mutating func word() -> String {
        rest = rest.drop { $0 == " " }
        guard rest.first == "\"", let quoted = quotedWord() else {
            var word = rest.prefix { $0 != ";" }
            rest = rest.dropFirst(word.count)
            isAtComma = word.contains(",")
            while word.last == " " { word.removeLast() }
            return String(word)
        }
        return quoted
    }

    /// Returns a media type with its parameters: what follows up to a known word.
    mutating func mediaType() -> String {
        var type = word()
        while rest.first == ";" {
            let next = rest.dropFirst().drop { $0 == " " }
            if ["type=", "filename=", "headers=", "encoder="].contains(where: next.hasPrefix) {
                break
            }
            let blanks = rest.dropFirst().prefix { $0 == " " }
            rest = next
            type += ";" + blanks + word()
        }
        return type
    }

    /// Returns the word in quotation marks, or `nil` if it does not end.
    private mutating func quotedWord() -> String? {
        var text = ""
        var left = rest.dropFirst()
        while let character = left.popFirst() {
            if character == "\"" {
                rest = left.drop { $0 == " " }
                isAtComma = rest.first == ","
                return text
            }
            if character == "\\", let next = left.first, next == "\"" || next == "\\" {
                text.append(next)
                left = left.dropFirst()
            } else {
                text.append(character)
            }
        }
        return nil
    }
}
