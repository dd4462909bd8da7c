public import HTTPCore
public import HTTPValidation

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What endpoints have in common, see ``HTTPEndpoint/defaults``.
///
/// Make it once, as a `static let`: calls that are refused at the same time share a refresh only
/// where they share the validator. One that is made anew for each call refreshes for each call;
/// what a refresh sends is not refreshed for in any case.
public struct HTTPEndpointConfiguration: Sendable {
    public init() {}

    public static var standard: Self { Self() }

    /// What answers: a client, a mock, anything. It need not judge statuses; where it does, what it throws
    /// is taken for the response that it was.
    public var session: any HTTPSession = HTTPClient.shared
    /// Hooks run in the order of the list both ways, on requests and then on responses, those of errors
    /// too; all of them again when ``validators`` have a call sent again. What is neither is around the
    /// session, the first outermost.
    public var interceptors: [any HTTPClientMiddleware] = []
    /// Judge what the session answers, before it is decoded: a refresh of credentials
    /// (``HTTPValidation/HTTPAltTaskValidator``) above all. The calls that a refresh makes are
    /// judged by none that refreshes.
    public var validators: [any HTTPValidator] = []
    /// Of the body; `nil` for what its encoding says.
    public var contentType: MediaType?
    /// For each exchange; `nil` for what the session does.
    public var timeout: Duration? = .seconds(30)
    /// How often a call may be sent again, by the session's policies and all validators together;
    /// `nil` for what the session does.
    public var maxRetries: Int?
    /// `nil` for what the session does.
    public var cachePolicy: HTTPCachePolicy?
    public var encoder: JSONEncoder = .sortedJSON
    public var decoder = JSONDecoder()
}
