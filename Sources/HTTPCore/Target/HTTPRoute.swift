import PortableFoundation

/// The text of a URL, absolute or relative to a client's base URL, in which the values of variables
/// stay in their places: `client.get("users/\(id)/posts")`.
///
/// The text itself is written as in a URL (RFC 3986). A value in it is percent-encoded, so that it
/// is a part of one segment of the path, of the query or of the host, whatever characters it
/// contains. A value that would make its segment empty, `.` or `..` is refused.
///
/// Methods that take a route also take a string, as it is. A literal is always a route: those
/// overloads are generic, because the compiler would prefer `String` itself for some literals.
///
/// At the beginning, a `URL` or an ``HTTPOrigin`` is not encoded: `"\(server)/users"`. Other text
/// that is a piece of a URL already is written as `\(unescaped: text)`, and needs as much trust as
/// the text of the program.
public struct HTTPRoute: Sendable, ExpressibleByStringInterpolation {
    private let result: Result<String, HTTPError>

    public init(stringLiteral text: String) { result = .success(text) }

    /// Creates a route from text that is a URL already.
    package init(verbatim text: String) { result = .success(text) }

    public init(stringInterpolation route: StringInterpolation) { result = route.result }

    /// The text of the URL, whose syntax has not been checked.
    ///
    /// - Throws: `invalidRequest` if a value cannot stay in its place.
    package var text: String { get throws(HTTPError) { try result.get() } }

    /// ``text``, or the route that means the base if it is empty.
    package var textOrBase: String {
        get throws(HTTPError) {
            let text = try result.get()
            return text.isEmpty ? Route.base : text
        }
    }

    /// The route while it is put together.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        private var text = ""
        private var values: [Range<Int>] = []
        private var refusal: HTTPError?

        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        public mutating func appendLiteral(_ literal: String) { text += literal }

        /// Appends a value, percent-encoded.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            let url = value as? URL
            let string = url?.absoluteString ?? value.description
            if text.isEmpty {
                if url != nil || value is HTTPOrigin { return text += string }
                if string.contains("://") {
                    refusal = HTTPError(
                        .invalidRequest,
                        "the route begins with a variable that is a URL: pass the variable as a "
                            + "URL, or write \\(unescaped: …)")
                }
            }
            let isHost = Route(text).endsInAuthority
            let start = text.utf8.count
            text.appendPercentEncoded(
                string, allowed: isHost ? .unreserved + Self.hostDelimiters : .unreserved)
            if !isHost { values.append(start..<text.utf8.count) }
        }

        /// Appends text that is a piece of a URL, as it is.
        public mutating func appendInterpolation(unescaped text: String) { self.text += text }

        private static let hostDelimiters = ByteSet("[:]")

        fileprivate var result: Result<String, HTTPError> {
            if let refusal { return .failure(refusal) }
            do throws(HTTPError) {
                try RoutePath.check(values.map { RoutePath.Value($0) }, in: text)
                return .success(text)
            } catch {
                return .failure(error)
            }
        }
    }
}

extension HTTPRoute: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text without its query and fragment, which may be secret.
    public var description: String {
        guard let text = try? text else { return "<not a URL>" }
        let shown = text.prefix { $0 != "?" && $0 != "#" }
        return shown.escapingControls() + (shown.endIndex < text.endIndex ? "…" : "")
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
