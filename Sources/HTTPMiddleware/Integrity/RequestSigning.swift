public import HTTPCore
import HTTPCredentials
public import PortableFoundation

/// A middleware that signs each request just before it is sent, by a scheme of your own.
///
/// ```swift
/// let key = try HMACSHA256(key: secret)
/// let signing = RequestSigning { request, date in
///     guard let body = request.body.bytes else { throw Unsigned() }
///     let time = "\(Int(date.timeIntervalSince1970))"
///     let code = key.hexadecimalCode(for: Data("\(time).".utf8) + body)
///     return ["Webhook-Signature": "t=\(time),v1=\(code)"]
/// }
/// ```
///
/// The scheme is called once per attempt, so every retry has a signature of its own. It gets the
/// request as it will be sent: with cookies, credentials and the changes of
/// ``/HTTPCore/HTTPRequest/modify(_:)``. Only the transport adds fields later: `Host`, the framing
/// and `Accept-Encoding`. The fields that the scheme returns replace fields of the same names. They
/// are secret (``/HTTPCore/HTTPHeaders/setSensitive(_:_:)``), whatever their names, and go to one
/// origin only. Requests to other origins, such as after a redirect, pass unsigned.
///
/// `request.body.bytes` is `nil` for a body that is not in memory. A scheme that covers the body
/// then throws an error, or signs `HTTPDigest.computed(.sha256, of: request.body)`, which reads a
/// file once more. For a stream, that fails before anything is sent.
///
/// Runs per exchange (row 11), as the last of the attempt middleware, outside ``OriginGuard``. If
/// the origin was reached by a redirect from another one, the guard removes secrets that the scheme
/// has seen: sign the fields that your scheme names, not all.
public struct RequestSigning: HTTPClientMiddleware {
    private let origin: HTTPOrigin?
    private let sign: @Sendable (HTTPRequest, Date) async throws -> HTTPHeaders

    /// - Parameters:
    ///   - origin: The origin whose requests are signed; `nil` for the call's first, whichever that
    ///     is. Requests of a refresh of credentials are signed only if their origin is named.
    ///   - sign: The scheme. Receives the request and the date by the call's clock, and returns the
    ///     fields to add. If it throws, nothing is sent.
    public init(
        for origin: HTTPOrigin? = nil,
        _ sign:
            @escaping @Sendable (_ request: HTTPRequest, _ date: Date)
            async throws -> HTTPHeaders
    ) {
        self.origin = origin
        self.sign = sign
    }

    /// - Throws: The error of the scheme; `invalidRequest` if the scheme has read a body that can
    ///   be read once.
    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        let call = request.currentCall
        let target = try request.origin()
        guard target == origin ?? call.origin, origin != nil || request.refreshOwner == nil else {
            return try await next.response(for: request)
        }
        // A change that ran later could change what is signed, so all changes run now.
        var request = try request.prepared()
        let couldBeSent = request.body.canBeSent
        var seen = request
        // Reading the body for its signature is no progress in sending it.
        if request.body.replay == .always { seen.body = request.body.unreported }
        let fields = try await sign(seen, call.clock.date)
        try Task.checkCancellation()
        guard request.body.canBeSent || !couldBeSent else {
            throw HTTPError(
                .invalidRequest,
                "the signing scheme has read a body that can be read only once: send the body from "
                    + "memory or a file, or sign without it")
        }
        let names = Set(fields.map(\.name))
        for name in names { request.headers.remove(name) }
        request.headers.append(contentsOf: fields)
        for name in names {
            request.headers.setSensitive(name)
            request.markIssued(name, by: target)
        }
        return try await next.response(for: request)
    }
}
