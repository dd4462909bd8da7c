public import HTTPCore

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The settings of a ``URLSessionTransport``: only those that the platform honours.
///
/// On Linux, URLSession ignores proxies, TLS versions, HTTP versions, the resource time-out and
/// `suspend()`, so there are no settings for these.
public struct URLSessionTransportConfiguration: Sendable {
    /// The limits for requests that say ``/HTTPCore/HTTPTimeouts/Limit/standard``. Where this says
    /// `.standard` too, they are 10 s to connect, 60 s idle and no other. The transport keeps them
    /// with timers of its own. A limit for TLS is refused, see ``URLSessionTransport``.
    public var timeouts = HTTPTimeouts()

    /// The largest number of connections that are open to one host at once, at least 1. Further
    /// calls wait. URLSession does not report for how long, so the wait counts as idle time.
    public var maximumConnectionsPerHost = 6

    /// The largest number of bytes of a response that wait in memory for a slow reader. Further
    /// bytes go to a temporary file that has no name.
    public var spillThreshold = 1 << 20

    /// A closure that changes the `URLRequest` as the last step, for what this package has no
    /// setting for.
    ///
    /// It runs once per exchange, in the task of the call, after all fields are set, those of one
    /// name joined. It may change fields and other properties of the `URLRequest` (URLSession on
    /// Linux honours only the fields). It must not change what the transport is responsible for:
    /// `url`, `httpMethod`, a body, `cachePolicy`, `timeoutInterval`, `httpShouldHandleCookies`,
    /// and fields that frame the message.
    ///
    /// If the closure changes one of these, or sets an invalid field, the call fails with
    /// `invalidRequest`. An ``/HTTPCore/HTTPError`` or `CancellationError` that the closure throws
    /// is thrown as it is. For any other error the call fails with `preparationFailed`, which
    /// contains the cause. In all these cases nothing has been sent.
    ///
    /// The fields that URLSession invents (`User-Agent`, `Accept-Language`, …) stay left out unless
    /// the closure sets them. The body and its length are added afterwards.
    public var prepare: (@Sendable (inout URLRequest) throws -> Void)?

    /// The URLSession configuration to start from, never changed; `nil` for an ephemeral one.
    let platform: URLSessionConfiguration?
    /// The fields for requests that have none of the same name.
    let additionalHeaders: HTTPHeaders

    /// Creates a configuration with the defaults, over an ephemeral URLSession configuration.
    public init() {
        platform = nil
        additionalHeaders = HTTPHeaders()
    }

    func check() throws(HTTPError) {
        guard maximumConnectionsPerHost >= 1 else {
            throw HTTPError(
                .invalidRequest,
                "maximumConnectionsPerHost is \(maximumConnectionsPerHost): it must be at least 1",
                phase: .preparing)
        }
        guard spillThreshold >= 0 else {
            throw HTTPError(
                .invalidRequest, "spillThreshold is \(spillThreshold): it must be at least 0",
                phase: .preparing)
        }
        try timeouts.check()
        try timeouts.checkForURLSession()
    }
}
