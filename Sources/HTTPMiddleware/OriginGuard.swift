public import HTTPCore
import HTTPCredentials
public import HTTPFormats

/// A middleware that removes sensitive fields from a request that goes to another origin than the
/// call's first, whichever layer added them.
///
/// Runs before each exchange, innermost (row 12), because the layers above and below redirects add
/// fields too. A field stays if ``/HTTPCore/HTTPRequest/authorize(_:issuedBy:)`` added it for this
/// very origin, or if the origin is one of `origins`. Each removed field is reported to the call's
/// observer as ``HTTPOriginGuardEvent/secretWithheld(_:from:)``.
///
/// The guard also removes transport options that are bound to another origin
/// (``/HTTPCore/HTTPTransportOption/isBoundToOrigin(_:)``), whatever `origins` contains, because a
/// certificate or an address belongs to one origin. Each removed option is reported as
/// ``HTTPOriginGuardEvent/optionWithheld(_:from:)``.
public struct OriginGuard: HTTPClientMiddleware {
    /// The origins that may receive secrets, besides the call's first. Use it for services that
    /// share credentials, such as an API and its uploads.
    package var origins: Set<HTTPOrigin>

    /// Creates a guard. `origins` may receive secrets besides the call's first origin.
    public init(origins: Set<HTTPOrigin> = []) { self.origins = origins }

    @inline(__always)
    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        var request = request
        let call = request.currentCall
        let origin = try request.origin()
        for name in request.withholdOptions() {
            call.report(
                .layer(HTTPOriginGuardEvent.optionWithheld(name, from: origin)))
        }
        var withheld: Set<HTTPHeaderName> = []
        if origin != call.origin, !origins.contains(origin) {
            // A change that ran later could add a secret, so all changes run now.
            request = try request.prepared()
            for name in Set(request.headers.lazy.filter(\.isSensitive).map(\.name))
            where !request.isIssued(name, by: origin) {
                request.headers.remove(name)
                call.report(
                    .layer(HTTPOriginGuardEvent.secretWithheld(name, from: origin)))
                withheld.insert(name)
            }
        }
        guard !withheld.isEmpty else { return try await next.response(for: request) }
        var response = try await next.response(for: request)
        response.noteWithheld(withheld, by: "the origin guard, since \(origin) is another origin")
        return response
    }
}

/// An event of an ``OriginGuard``.
public enum HTTPOriginGuardEvent: HTTPLayerEvent, Hashable {
    /// A sensitive field was removed from a request to an origin that it is not meant for.
    case secretWithheld(HTTPHeaderName, from: HTTPOrigin)
    /// A transport option was removed from a request to an origin that it is not bound to: the name
    /// of the option. See ``/HTTPCore/HTTPTransportOption/isBoundToOrigin(_:)``.
    case optionWithheld(String, from: HTTPOrigin)
}

extension HTTPResponse {
    /// Notes that a refusal may be due to secrets that were removed from the request.
    mutating func noteWithheld(_ names: Set<HTTPHeaderName>, by layer: String) {
        guard status == .unauthorized || status == .forbidden else { return }
        let list = names.map(\.description).sorted().prefix(4).joined(separator: ", ")
        handBack(because: "\(list) was removed by \(layer)")
    }
}

extension HTTPRequest {
    /// Sets credentials if the request goes to the origin that issued them.
    ///
    /// An ``/HTTPMiddleware/OriginGuard`` lets them pass to that origin and to no other, whatever
    /// the call's first origin is.
    ///
    /// - Returns: `true` if the credentials were set.
    @discardableResult
    public mutating func authorize(
        _ authorization: Authorization, issuedBy origin: HTTPOrigin
    ) throws(HTTPError) -> Bool {
        guard try HTTPOrigin(url) == origin else { return false }
        headers.set(authorization)
        markIssued(authorization.fieldName, by: origin)
        return true
    }
}
