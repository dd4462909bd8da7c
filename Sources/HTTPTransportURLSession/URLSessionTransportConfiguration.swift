public import HTTPCore

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// What a ``URLSessionTransport`` can be told: only what the platform honours.
///
/// On Linux, URLSession ignores proxies, TLS versions, HTTP versions, the resource time-out and
/// `suspend()`, so none of these is here.
public struct URLSessionTransportConfiguration: Sendable {
    /// What ``HTTPTimeouts/Limit/standard`` stands for in a request; 10 s to connect, 60 s idle and
    /// none in total where this says `.standard`, too. Kept by timers of the transport's own.
    public var timeouts = HTTPTimeouts()

    /// How many connections are open to one host at once, at least 1. Further calls wait; URLSession
    /// does not tell for how long, so the wait counts as idle time.
    public var maximumConnectionsPerHost = 6

    /// How many bytes of a response may lie in memory because their reader is slow. What exceeds
    /// them goes to a temporary file that has no name.
    public var spillThreshold = 1 << 20

    /// The way out: changes the `URLRequest` last of all, for what this package has no setting for.
    ///
    /// Runs once per exchange, in the task of the call, when all fields are set, those of one name
    /// joined. It may change fields and what else a `URLRequest` has (URLSession on Linux honours
    /// nothing else), but not what the transport answers for: `url`, `httpMethod`, a body,
    /// `cachePolicy`, `timeoutInterval`, `httpShouldHandleCookies`, and fields that frame the message.
    /// Changing one of these is the call's `invalidRequest`, as is a field that is none; what the
    /// closure throws is its `preparationFailed`, with the cause. Nothing has been sent then.
    ///
    /// The fields that URLSession invents (`User-Agent`, `Accept-Language`, …) stay left out unless
    /// the closure sets them; the body and its length come afterwards.
    public var prepare: (@Sendable (inout URLRequest) throws -> Void)?

    /// What URLSession is given, but for what is ours; never changed. `nil` for an ephemeral one.
    let platform: URLSessionConfiguration?
    /// Fields for requests that have none of their name.
    let additionalHeaders: HTTPHeaders

    public init() {
        platform = nil
        additionalHeaders = HTTPHeaders()
    }

    func check() throws(HTTPError) {
        guard maximumConnectionsPerHost >= 1 else {
            throw HTTPError(
                .invalidRequest,
                "maximumConnectionsPerHost is \(maximumConnectionsPerHost): it is 1 at least",
                phase: .preparing)
        }
        guard spillThreshold >= 0 else {
            throw HTTPError(
                .invalidRequest, "spillThreshold is \(spillThreshold): it is 0 at least",
                phase: .preparing)
        }
        for case .after(let limit) in [timeouts.connect, timeouts.idle, timeouts.total] {
            guard limit > .zero else {
                throw HTTPError(
                    .invalidRequest, "a time limit of \(limit) is not positive: use .never",
                    phase: .preparing)
            }
        }
    }
}
