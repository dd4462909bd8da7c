import HTTPCore

/// The intended handling of a response, and the file name that it suggests (RFC 6266).
public struct ContentDisposition: Hashable, Sendable, CustomStringConvertible {
    package struct Parameter: Hashable, Sendable {
        /// The name in lower case; that of an extended parameter ends with `*`.
        package let name: String
        /// The decoded value, or the value as written if ``isUndecodable``.
        package let value: String
        /// `true` for an extended value in an unknown charset, or with bytes that are invalid in
        /// its charset.
        package let isUndecodable: Bool
    }

    /// The type in lower case: `inline`, `attachment`, or another, to be treated as `attachment`
    /// (RFC 6266 §4.2).
    public let type: String
    /// The parameters in the order written; each name occurs once.
    package let parameters: [Parameter]

    /// Returns a field to send.
    ///
    /// A name that holds `%` or anything but printable ASCII is sent as `filename*`, after an
    /// approximation as `filename`, as RFC 6266 Appendix D recommends.
    package static func attachment(fileName: String? = nil) -> Self {
        Self(type: "attachment", fileName: fileName)
    }
    package static func inline(fileName: String? = nil) -> Self {
        Self(type: "inline", fileName: fileName)
    }

    private init(type: String, fileName: String?) {
        self.type = type
        guard let fileName else {
            parameters = []
            return
        }
        let approximation = String(
            String.UnicodeScalarView(
                fileName.unicodeScalars.map { (" "..."~").contains($0) ? $0 : "_" }))
        var parameters = [
            Parameter(name: "filename", value: approximation, isUndecodable: false)
        ]
        if approximation != fileName || fileName.utf8.contains(UInt8(ascii: "%")) {
            parameters.append(
                Parameter(name: "filename*", value: fileName, isUndecodable: false))
        }
        self.parameters = parameters
    }

    /// The field value to send.
    public var description: String {
        parameters.reduce(into: type) { text, parameter in
            let value =
                parameter.name.isExtended && !parameter.isUndecodable
                ? ExtendedValue(text: parameter.value).serialized
                : parameter.name.isExtended
                    ? parameter.value : parameter.value.asParameterValue
            text += "; \(parameter.name)=\(value)"
        }
    }

    /// The value of a parameter, such as `name`. Names are compared without case.
    public subscript(name: String) -> String? {
        let name = name.asciiLowercased
        return parameters.first { $0.name == name && !$0.isUndecodable }?.value
    }
}

// MARK: - Reading

extension ContentDisposition {
    /// Creates a value from a field that strictly follows RFC 6266 §4.1, or `nil`.
    ///
    /// The result is also `nil` if a name is given twice or an extended value has malformed
    /// percent-encoding. An extended value in an unknown charset, or with bytes that are invalid in
    /// its charset, is kept as undecodable, so that ``fileName`` falls back to `filename`
    /// (RFC 6266 §4.3).
    public init?(_ text: String) {
        var scanner = FieldScanner(text.trimmingBlanks)
        guard let type = scanner.token() else { return nil }
        var parameters: [Parameter] = []
        var names: Set<String> = []
        scanner.skipBlanks()
        while !scanner.isAtEnd {
            guard scanner.take(";"), let parameter = scanner.dispositionParameter(),
                names.insert(parameter.name).inserted
            else { return nil }
            parameters.append(parameter)
            scanner.skipBlanks()
        }
        (self.type, self.parameters) = (type.asciiLowercased, parameters)
    }
}

extension String {
    /// `true` if a parameter of this name has an extended value. `filename*0*` does not count: it
    /// is an attempt at RFC 2231 continuations, which HTTP does not have.
    fileprivate var isExtended: Bool {
        utf8.firstIndex(of: UInt8(ascii: "*")).map { utf8.index(after: $0) } == utf8.endIndex
    }
}

extension FieldScanner {
    fileprivate mutating func dispositionParameter() -> ContentDisposition.Parameter? {
        skipBlanks()
        guard let name = token()?.asciiLowercased else { return nil }
        skipBlanks()
        guard take("=") else { return nil }
        skipBlanks()
        guard name.isExtended else {
            return tokenOrQuotedString().map {
                ContentDisposition.Parameter(name: name, value: $0, isUndecodable: false)
            }
        }
        guard let value = token() else { return nil }
        do throws(ExtendedValue.SyntaxError) {
            let decoded = try ExtendedValue(parsing: value).text
            return ContentDisposition.Parameter(name: name, value: decoded, isUndecodable: false)
        } catch {
            guard error == .undecodable else { return nil }
            return ContentDisposition.Parameter(name: name, value: value, isUndecodable: true)
        }
    }
}

// MARK: - The file name

extension ContentDisposition {
    /// The decoded `filename*` if there is one, else `filename` (RFC 6266 §4.3).
    ///
    /// The text is whatever the server sent. Never make a path of it; use ``safeFileName``.
    public var fileName: String? { self["filename*"] ?? self["filename"] }

    /// The file name made safe as one component of a path, or `nil` if nothing is left of it.
    ///
    /// Only the text after the last `/` or `\` is used (RFC 6266 §4.3). Control and format
    /// characters are removed, and so are dots and blanks at both ends, so that the file is not
    /// hidden and the name does not lead to another folder. Characters that Windows does not allow
    /// become `_`, and names of its devices get `_` in front. The name has at most 255 bytes of
    /// UTF-8; a short extension is kept.
    public var safeFileName: String? { fileName.flatMap(Self.safe) }

    private static func safe(_ fileName: String) -> String? {
        let component = fileName.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last ?? []
        var scalars = component.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                false
            default: true
            }
        }
        .map { "<>:\"|?*".unicodeScalars.contains($0) ? "_" : $0 }[...]
        scalars = scalars.drop(while: isOuter)
        scalars =
            scalars[..<((scalars.lastIndex { !isOuter($0) }).map { $0 + 1 } ?? scalars.startIndex)]
        guard !scalars.isEmpty else { return nil }
        let name = shortened(String(String.UnicodeScalarView(scalars)))
        let stem = String(name.unicodeScalars.prefix { $0 != "." }).uppercased()
        return deviceNames.contains(stem) ? "_" + name : name
    }

    private static func isOuter(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "." || scalar.properties.isWhitespace
    }

    /// Returns the name cut to 254 bytes, which leaves one for the `_` before a device name.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > 254 else { return name }
        let dot = name.unicodeScalars.lastIndex(of: ".")
        let tail = dot.map { String(name[$0...]) }.flatMap { $0.utf8.count <= 32 ? $0 : nil } ?? ""
        var head = String.UnicodeScalarView()
        var count = tail.utf8.count
        for scalar in name.unicodeScalars {
            count += UTF8.width(scalar)
            if count > 254 { break }
            head.append(scalar)
        }
        while tail.isEmpty, head.last.map(isOuter) == true { head.removeLast() }
        return String(head) + tail
    }

    private static let deviceNames = Set(
        ["CON", "PRN", "AUX", "NUL"] + (1...9).flatMap { ["COM\($0)", "LPT\($0)"] })
}
