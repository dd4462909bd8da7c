import HTTPClientKit

/// The format of `-w`: text with variables, which are filled in when the call has ended.
struct WriteOut: Sendable {
    enum Piece: Sendable, Equatable {
        case text(String)
        case variable(TransferReport.Variable)
        /// `%header{name}`: a field of the response.
        case field(HTTPHeaderName)
        /// `%{json}`: all variables.
        case json
        /// `%{header_json}`: all fields of the response.
        case fieldsJSON
        /// `%{onerror}`: the rest is only for failures.
        case onlyFailures
        /// `%{stderr}` and `%{stdout}`: where the rest goes.
        case destination(isStandardError: Bool)
        /// A variable that does not exist: a warning, and no text, as with curl.
        case unknown(String)
    }

    let pieces: [Piece]

    /// Creates a format from the value of `-w`, which may be `@` and a file, or `@-`.
    ///
    /// - Throws: The error of a file that cannot be read.
    init(argument: String) throws(HTTPError) {
        self.init(
            try argument.hasPrefix("@") ? InputFile(argument.dropFirst()).readText() : argument)
    }

    init(_ format: String) {
        var pieces: [Piece] = []
        var text = ""
        var rest = format[...]
        func flush() {
            if !text.isEmpty { pieces.append(.text(text)) }
            text = ""
        }
        while let character = rest.popFirst() {
            if character == "\\", let next = rest.popFirst() {
                switch next {
                case "n": text += "\n"
                case "r": text += "\r"
                case "t": text += "\t"
                default: text += "\\\(next)"
                }
            } else if character == "%", rest.first == "%" {
                rest = rest.dropFirst()
                text += "%"
            } else if character == "%", let name = Self.take("{", from: &rest) {
                flush()
                pieces.append(Self.piece(name))
            } else if character == "%", let name = Self.take("header{", from: &rest) {
                flush()
                pieces.append(.field(HTTPHeaderName(name)))
            } else {
                text.append(character)
            }
        }
        flush()
        self.pieces = pieces
    }

    private static func take(_ opening: String, from rest: inout Substring) -> String? {
        guard rest.hasPrefix(opening), let end = rest.firstIndex(of: "}") else { return nil }
        defer { rest = rest[rest.index(after: end)...] }
        return String(rest[rest.index(rest.startIndex, offsetBy: opening.count)..<end])
    }

    private static func piece(_ name: String) -> Piece {
        switch name {
        case "json": return .json
        case "header_json": return .fieldsJSON
        case "onerror": return .onlyFailures
        case "stderr": return .destination(isStandardError: true)
        case "stdout": return .destination(isStandardError: false)
        default:
            return TransferReport.Variable(rawValue: name).map { .variable($0) } ?? .unknown(name)
        }
    }

    /// Returns the text for each stream.
    ///
    /// - Parameter escaping: `true` for a stream that is a terminal: values are escaped, because
    ///   they come from servers. The rest of the format is the caller's, and may have colours.
    func text(
        of report: TransferReport, escaping: (output: Bool, error: Bool) = (false, false)
    ) -> (output: String, error: String) {
        var texts = (output: "", error: "")
        var isStandardError = false
        func shown(_ value: String) -> String {
            (isStandardError ? escaping.error : escaping.output) ? value.escapingControls() : value
        }
        for piece in pieces {
            let text: String
            switch piece {
            case .text(let literal): text = literal
            case .variable(let variable): text = shown(report[variable].text)
            case .field(let name): text = shown(report.head?.headers[name] ?? "")
            case .json: text = report.json
            case .fieldsJSON: text = report.fieldsJSON
            case .onlyFailures:
                if report.exitCode == 0 { return texts }
                text = ""
            case .destination(let isError):
                isStandardError = isError
                text = ""
            case .unknown(let name):
                texts.error += "fetch: unknown --write-out variable: \(name.debugDescription)\n"
                text = ""
            }
            if isStandardError { texts.error += text } else { texts.output += text }
        }
        return texts
    }
}
