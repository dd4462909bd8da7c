import HTTPCore

/// A media type with its parameters (RFC 9110 §8.3.1), read and written as in the WHATWG MIME
/// Sniffing standard: an error in a parameter discards only that parameter.
public struct MediaType: Hashable, Sendable, CustomStringConvertible {
    package struct Parameter: Hashable, Sendable {
        /// The name, in lower case.
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The type, in lower case, as ``subtype`` is.
    public let type: String
    /// The subtype in lower case, such as `json`.
    public let subtype: String
    /// The parameters in the order written, each name once.
    package private(set) var parameters: [Parameter]

    fileprivate init(type: String, subtype: String, parameters: [Parameter] = []) {
        (self.type, self.subtype, self.parameters) = (type, subtype, parameters)
    }

    /// Reads a media type. Returns `nil` if the type or the subtype is missing or not a token.
    ///
    /// A parameter is left out if it is empty, if its name occurred before, or if a header cannot
    /// hold it.
    public init?(_ text: String) {
        guard let mediaType = MediaTypeParser.parse(text) else { return nil }
        self = mediaType
    }

    /// The media type without parameters, `type/subtype`, for comparisons.
    public var essence: String { type + "/" + subtype }

    /// The value of a parameter. The comparison of names ignores case.
    ///
    /// Setting a value that a header cannot hold, or using a name that is not a token, changes
    /// nothing.
    public subscript(name: String) -> String? {
        get {
            let name = name.asciiLowercased
            return parameters.first { $0.name == name }?.value
        }
        set {
            let name = name.asciiLowercased
            guard let newValue else { return parameters.removeAll { $0.name == name } }
            guard name.isToken, newValue.unicodeScalars.allSatisfy(\.isQuotable) else { return }
            let parameter = Parameter(name: name, value: newValue)
            if let index = parameters.firstIndex(where: { $0.name == name }) {
                parameters[index] = parameter
            } else {
                parameters.append(parameter)
            }
        }
    }

    /// The label of the text's encoding, as the sender wrote it.
    public var charset: String? { self["charset"] }

    /// The serialisation of the WHATWG standard: without blanks, and with quotes only if a value is
    /// not a token.
    public var description: String {
        parameters.reduce(into: essence) { $0 += ";\($1.name)=\($1.value.asParameterValue)" }
    }
}

extension MediaType {
    /// `application/json` (RFC 8259).
    public static var json: Self { Self(type: "application", subtype: "json") }
    package static var problemJSON: Self { Self(type: "application", subtype: "problem+json") }
    /// `application/xml` (RFC 7303).
    public static var xml: Self { Self(type: "application", subtype: "xml") }
    /// `application/octet-stream`: bytes of no known type (RFC 2046 §4.5.1).
    public static var octetStream: Self { Self(type: "application", subtype: "octet-stream") }
    /// `application/x-www-form-urlencoded`: a form of names and values.
    public static var formURLEncoded: Self {
        Self(type: "application", subtype: "x-www-form-urlencoded")
    }
    /// `multipart/form-data`: a form with files (RFC 7578).
    public static var multipartFormData: Self { Self(type: "multipart", subtype: "form-data") }
    /// `application/pdf` (RFC 8118).
    public static var pdf: Self { Self(type: "application", subtype: "pdf") }
    /// `text/plain` (RFC 2046 §4.1.3).
    public static var plainText: Self { Self(type: "text", subtype: "plain") }
    /// `text/html` (RFC 2854).
    public static var html: Self { Self(type: "text", subtype: "html") }
    /// `text/event-stream`: server-sent events (HTML Standard §9.2).
    public static var eventStream: Self { Self(type: "text", subtype: "event-stream") }
    /// `image/png`.
    public static var png: Self { Self(type: "image", subtype: "png") }
    /// `image/jpeg`.
    public static var jpeg: Self { Self(type: "image", subtype: "jpeg") }
}

// MARK: - Groups

extension MediaType {
    /// `true` for a JSON MIME type of the WHATWG MIME Sniffing standard (§4.6).
    package var isJSON: Bool {
        subtype.hasSuffix("+json") || essence == "application/json" || essence == "text/json"
    }

    /// `true` for an XML MIME type of the standard.
    package var isXML: Bool {
        subtype.hasSuffix("+xml") || essence == "text/xml" || essence == "application/xml"
    }

    /// `true` for a JavaScript MIME type of the standard.
    package var isJavaScript: Bool { Self.scripts.contains(essence) }

    private static let scripts: Set = [
        "application/ecmascript", "application/javascript", "application/x-ecmascript",
        "application/x-javascript", "text/ecmascript", "text/javascript", "text/javascript1.0",
        "text/javascript1.1", "text/javascript1.2", "text/javascript1.3", "text/javascript1.4",
        "text/javascript1.5", "text/jscript", "text/livescript", "text/x-ecmascript",
        "text/x-javascript",
    ]
}

// MARK: - Reading

extension MediaType {
    /// Reads the `Content-Type` of a message from all its field lines, as Fetch does ("extract a
    /// MIME type"). The last valid value counts. It takes the charset of an earlier value if both
    /// have the same essence.
    package init?(fieldLines lines: [String]) {
        var result: MediaType?
        var charset: String?
        for text in Self.split(lines.joined(separator: ", ")) {
            guard var mediaType = MediaType(text), mediaType.essence != "*/*" else { continue }
            if mediaType.essence != result?.essence {
                charset = mediaType.charset
            } else if mediaType.charset == nil {
                mediaType["charset"] = charset
            }
            result = mediaType
        }
        guard let result else { return nil }
        self = result
    }

    /// Splits the text at all commas outside quoted strings, wherever a quoted string begins.
    private static func split(_ text: String) -> [String] {
        var scanner = FieldScanner(text)
        var members: [String] = []
        while true {
            let start = scanner.position
            scanner.skipMember()
            members.append(scanner.text(from: start))
            guard scanner.take(",") else { return members }
        }
    }
}

/// A parser for the algorithm "parse a MIME type" (WHATWG MIME Sniffing §4.4), which works on code
/// points.
private struct MediaTypeParser {
    private let scalars: [Unicode.Scalar]
    private var position = 0

    static func parse(_ text: String) -> MediaType? {
        var parser = MediaTypeParser(text)
        return parser.mediaType()
    }

    private init(_ text: String) {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.isHTTPWhitespace }),
            let last = scalars.lastIndex(where: { !$0.isHTTPWhitespace })
        else {
            self.scalars = []
            return
        }
        self.scalars = Array(scalars[first...last])
    }

    private var isAtEnd: Bool { position == scalars.count }

    private mutating func collect(
        while isTaken: (Unicode.Scalar) -> Bool
    ) -> ArraySlice<Unicode.Scalar> {
        let start = position
        while position < scalars.count, isTaken(scalars[position]) { position += 1 }
        return scalars[start..<position]
    }

    private mutating func mediaType() -> MediaType? {
        let type = collect { $0 != "/" }.text
        guard type.isToken, !isAtEnd else { return nil }
        position += 1
        let subtype = collect { $0 != ";" }.trimmed.text
        guard subtype.isToken else { return nil }
        return MediaType(
            type: type.asciiLowercased, subtype: subtype.asciiLowercased, parameters: parameters())
    }

    private mutating func parameters() -> [MediaType.Parameter] {
        var parameters: [MediaType.Parameter] = []
        var names: Set<String> = []
        while !isAtEnd {
            position += 1
            _ = collect(while: \.isHTTPWhitespace)
            let name = collect { $0 != ";" && $0 != "=" }.text.asciiLowercased
            guard !isAtEnd else { break }
            if scalars[position] == ";" { continue }
            position += 1
            guard !isAtEnd else { break }
            let value: String
            if scalars[position] == "\"" {
                value = quotedString()
                _ = collect { $0 != ";" }
            } else {
                value = collect { $0 != ";" }.trimmed.text
                if value.isEmpty { continue }
            }
            if name.isToken, value.unicodeScalars.allSatisfy(\.isQuotable),
                names.insert(name).inserted
            {
                parameters.append(MediaType.Parameter(name: name, value: value))
            }
        }
        return parameters
    }

    /// Implements "collect an HTTP quoted string" (Fetch). A string without a closing quote extends
    /// to the end.
    private mutating func quotedString() -> String {
        var value = String.UnicodeScalarView()
        position += 1
        while !isAtEnd {
            let scalar = scalars[position]
            position += 1
            if scalar == "\"" { break }
            if scalar == "\\", !isAtEnd {
                value.append(scalars[position])
                position += 1
            } else {
                value.append(scalar)
            }
        }
        return String(value)
    }
}

extension ArraySlice<Unicode.Scalar> {
    fileprivate var text: String { String(String.UnicodeScalarView(self)) }

    fileprivate var trimmed: Self {
        self[..<((lastIndex { !$0.isHTTPWhitespace }).map { $0 + 1 } ?? startIndex)]
    }
}

extension Unicode.Scalar {
    fileprivate var isHTTPWhitespace: Bool {
        self == "\t" || self == "\n" || self == "\r" || self == " "
    }

    /// `true` for an "HTTP quoted-string token code point".
    fileprivate var isQuotable: Bool {
        self == "\t" || (0x20...0x7E).contains(value) || (0x80...0xFF).contains(value)
    }
}
