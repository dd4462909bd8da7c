public import PortableFoundation

extension HTTPResponse {
    /// The status, header section and URL of a response. A head does not hold a connection.
    public struct Head: Sendable, Hashable {
        /// The status of the response.
        public var status: HTTPStatus
        /// The header section.
        public var headers: HTTPHeaders
        /// The URL of the response, after redirects.
        public var url: URL
        /// The version of HTTP in the response; `nil` if the session does not know it.
        public var version: HTTPVersion?

        /// Creates a head, for sessions that make responses themselves.
        public init(
            status: HTTPStatus, headers: HTTPHeaders = [:], url: URL, version: HTTPVersion? = nil
        ) {
            self.status = status
            self.headers = headers
            self.url = url
            self.version = version
        }
    }
}

extension HTTPResponse.Head: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The status and the URL, without user information, query and fragment.
    public var description: String { "\(status) from \(url.logSafe)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(self, children: ["description": description, "headers": headers])
    }
}
