public import HTTPCore
import HTTPFormats
import PortableFoundation

/// The error response of a token endpoint (RFC 6749 §5.2), inside a `refreshFailed` error.
public struct OAuthError: Error, Hashable, Sendable {
    /// The code of the error, such as `invalid_client` or `invalid_scope`.
    public let code: String
    /// The server's text about it, for developers. It is not shown to users, and it is removed if
    /// it repeats the client's secret.
    public let explanation: String?
    /// The status of the token endpoint's response.
    public let status: HTTPStatus

    /// Creates an error from the body of a response, or `nil` if that is not an error response.
    ///
    /// - Parameter secrets: Texts that the server may repeat. A code that contains one is no code.
    init?(_ status: HTTPStatus, body: Data, hiding secrets: [String]) {
        guard let members = try? HTTPJSON(parsing: body),
            let code = members["error"]?.string, Self.isCode(code)
        else { return nil }
        func isSafe(_ text: String) -> Bool { !secrets.contains { text.contains($0) } }
        guard isSafe(code) else { return nil }
        self.status = status
        self.code = code
        explanation = members["error_description"]?.string.flatMap { isSafe($0) ? $0 : nil }
    }

    /// Returns whether `text` is a code: printable ASCII without quotes and backslashes, and not
    /// longer than a code would be.
    private static func isCode(_ text: String) -> Bool {
        (1...80).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
            }
    }
}

extension OAuthError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The code, and the explanation in quotes, escaped and cut for a log.
    public var description: String { code + (explanation.map { ", \($0.logSafe)" } ?? "") }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
