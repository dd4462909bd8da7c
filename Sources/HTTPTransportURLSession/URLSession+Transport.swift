public import HTTPCore

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension URLSessionTransport {
    /// Creates a transport with the settings of a URLSession configuration. See
    /// ``URLSessionTransportConfiguration/init(_:)`` for what becomes of each.
    public convenience init(configuration: URLSessionConfiguration) throws(HTTPError) {
        try self.init(URLSessionTransportConfiguration(configuration))
    }
}

extension URLSession {
    /// Returns a new transport with this session's configuration, and with nothing else of it.
    ///
    /// The transport has its own connections, and its own delegate, through which all of its work
    /// goes. This session's delegate learns nothing of that work. It is not asked about redirects,
    /// which are responses here, nor about challenges. Either session may be invalidated or closed
    /// without the other.
    ///
    /// Each call creates another transport, so keep the result.
    ///
    /// - Throws: the same errors as ``URLSessionTransportConfiguration/init(_:)``.
    public func httpSession() throws(HTTPError) -> URLSessionTransport {
        try URLSessionTransport(configuration: configuration)
    }
}
