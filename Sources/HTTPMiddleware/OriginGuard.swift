public import HTTPCore
public import HTTPFormats

/// Has the last word on secrets: takes sensitive fields off a request that goes to another origin than
/// the call's first, whoever put them there.
///
/// Runs before each exchange, innermost (row 12), since layers above and below redirects add fields,
/// too. A field stays that ``HTTPCore/HTTPRequest/authorize(_:issuedBy:)`` has put there for this very
/// origin, or where the origin is one of ``origins``. What is taken off is reported to the call's observer as
/// ``HTTPCore/HTTPEvent/Kind/secretWithheld(_:from:)``.
///
/// Takes off transport options, too, that are bound to another origin
/// (``HTTPCore/HTTPTransportOption/isBoundToOrigin(_:)``), whatever ``origins`` says, since a
/// certificate or an address is one origin's; reported as
/// ``HTTPCore/HTTPEvent/Kind/optionWithheld(_:from:)``.
public struct OriginGuard: HTTPClientMiddleware {
    /// That secrets may go to, beside the call's first. For services that share credentials, such as
    /// an API and its uploads.
    public var origins: Set<HTTPOrigin>

    public init(origins: Set<HTTPOrigin> = []) { self.origins = origins }

    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        var request = try request.beginningCall()
        let origin = try request.origin()
        for name in request.withholdOptions() {
            request.call?.report(.optionWithheld(name, from: origin))
        }
        if origin != request.call?.origin, !origins.contains(origin) {
            // Changes that are yet to come could add what is to be kept away.
            request = try request.prepared()
            for name in Set(request.headers.lazy.filter(\.isSensitive).map(\.name))
            where request[CredentialIssuers.self][name] != origin {
                request.headers.remove(name)
                request.call?.report(.secretWithheld(name, from: origin))
            }
        }
        return try await next.response(for: request)
    }
}

/// By the field's name: who issued the credentials in it.
enum CredentialIssuers: HTTPRequestOption {
    static let defaultValue: [HTTPHeaderName: HTTPOrigin] = [:]
}

extension HTTPRequest {
    /// Puts credentials on the request if they were issued by the origin that it goes to.
    ///
    /// An ``OriginGuard`` lets them pass there and nowhere else, whatever the call's first origin.
    ///
    /// - Returns: whether they were put there.
    @discardableResult
    public mutating func authorize(
        _ authorization: Authorization, issuedBy origin: HTTPOrigin
    ) throws(HTTPError) -> Bool {
        guard try HTTPOrigin(url) == origin else { return false }
        headers.set(authorization)
        self[CredentialIssuers.self][authorization.fieldName] = origin
        return true
    }
}
