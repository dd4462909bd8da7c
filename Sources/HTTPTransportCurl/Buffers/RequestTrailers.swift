public import HTTPCore

/// Fields sent after a request's body (RFC 9110 §6.5), such as a checksum of it:
///
/// ```swift
/// request[RequestTrailers.self] = RequestTrailers(["Content-Digest"]) { try digest.fields() }
/// ```
///
/// The body is then sent in chunks, and therefore over HTTP/1.1. A request that asks for another
/// version is refused.
public struct RequestTrailers: Sendable {
    let names: [HTTPHeaderName]
    let make: @Sendable () async throws -> HTTPHeaders

    /// - Parameters:
    ///   - names: The field names that the request's `Trailer` field announces.
    ///   - make: A closure that returns fields with these names. It is called in the task that
    ///     produces the body, after the last byte. An error ends the exchange with
    ///     `requestBodyFailed`.
    public init(
        _ names: [HTTPHeaderName], _ make: @escaping @Sendable () async throws -> HTTPHeaders
    ) {
        self.names = names
        self.make = make
    }

    /// The fields that cannot follow a body because they frame, route or authenticate the message
    /// (RFC 9110 §6.5.1).
    private static let forbidden = Set<HTTPHeaderName>(HTTPRequest.framingFields).union([
        .host, "Alt-Used", "Max-Forwards", .authorization, .proxyAuthorization, .cookie,
        .contentType, .contentEncoding, "Content-Range", .range, "Cache-Control",
        .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .ifRange,
    ])

    /// - Throws: An error that says why `request` cannot have these trailers.
    func check(_ request: HTTPRequest) throws(HTTPError) {
        func refuse(_ reason: String) -> HTTPError {
            HTTPError(.invalidRequest, "the request's trailers: \(reason)", phase: .preparing)
        }
        guard !names.isEmpty else { throw refuse("no field is announced") }
        if let name = names.first(where: { !$0.isToken }) {
            throw refuse("\(name.spelling.logSafe) is not a trailer field name (RFC 9110 §5.1)")
        }
        if let name = names.first(where: Self.forbidden.contains) {
            throw refuse("\(name) cannot come after the body (RFC 9110 §6.5.1)")
        }
        guard !request.body.isEmpty else { throw refuse("there is no body for them to follow") }
        if let version = request.version, version != .http1_1 {
            throw HTTPError(
                .unsupportedOption,
                "libcurl sends trailers of requests over HTTP/1.1 only, not over \(version)",
                phase: .preparing)
        }
    }

    /// The fields, once the body is complete.
    func fields() async throws -> HTTPHeaders {
        let fields = try await make()
        for field in fields where !names.contains(field.name) {
            throw HTTPError(
                .requestBodyFailed, "the trailer field \(field.name) was not announced",
                phase: .sending,
                mayHaveReachedServer: true)
        }
        if let name = fields.refusedName {
            throw HTTPError(
                .requestBodyFailed, "the trailer field \(name.spelling.logSafe) was refused",
                phase: .sending, mayHaveReachedServer: true)
        }
        return fields
    }
}

extension RequestTrailers: HTTPTransportOption {
    /// `nil` means no trailers.
    public static var defaultValue: RequestTrailers? { nil }
}
