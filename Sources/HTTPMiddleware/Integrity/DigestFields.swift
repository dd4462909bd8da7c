public import HTTPCore
public import HTTPFormats

/// A middleware that names the digest of each request's content in `Content-Digest`, and checks
/// `Content-Digest` and `Repr-Digest` of responses while their bodies are read (RFC 9530).
///
/// A request gets the field if its body can be read more than once: bytes, a file, a multipart form
/// of these, a restartable producer. What is not in memory is read once more before each sending,
/// in pieces, within the request's time limits. A body that can be read once has no digest before
/// it is sent, so it gets no field. A field that the request has by itself stays.
///
/// A body whose digest is wrong ends with `digestMismatch` in place of its end. The bytes have then
/// been passed on already, unless the delivery is `buffered`: there, the error comes in place of
/// the response, and a retry layer outside of this one sees a failed attempt. A field that cannot
/// be read is the same error, in place of the response: RFC 9651 §4.2 has it ignored, but then
/// anything that damages the field would also end the check.
///
/// | response | checked |
/// |---|---|
/// | whole content | both fields; every digest by a known algorithm must be right |
/// | a part (206) | `Content-Digest` only: `Repr-Digest` is that of the whole |
/// | to HEAD; 204, 205, 304 | nothing: the fields describe another response's content |
/// | fields in trailers | if `Trailer` announces them |
/// | no field, unknown algorithms | nothing (RFC 9530 §5) |
/// | a field that is no list of digests | nothing can be: `digestMismatch` |
///
/// Digests are those of the coded content, which a transport that decodes it does not pass on. So
/// the middleware sends `Accept-Encoding: identity` with requests that have no such field, and
/// responses are not compressed. With a field of the request's own, `CurlTransport` passes on the
/// coded bytes, and they are checked. If `URLSessionTransport` decodes content nevertheless,
/// nothing is checked.
///
/// A digest is no signature: a change of the content can come with a change of the field. Requests
/// of a refresh of credentials pass unchanged, because a digest would help to guess their secrets.
/// Runs per exchange (row 11), inside retries and outside ``RequestSigning``.
public struct DigestFields: HTTPClientMiddleware {
    private let algorithm: HTTPDigest.Algorithm
    private let checksResponses: Bool

    /// - Parameters:
    ///   - algorithm: The algorithm for requests.
    ///   - checksResponses: `false` to leave responses, and their compression, alone.
    public init(_ algorithm: HTTPDigest.Algorithm = .sha256, checksResponses: Bool = true) {
        self.algorithm = algorithm
        self.checksResponses = checksResponses
    }

    /// - Throws: `requestBodyFailed` if a file cannot be read; `digestMismatch` under `buffered`
    ///   delivery, and for a field that cannot be read.
    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        guard request.refreshOwner == nil else { return try await next.response(for: request) }
        var request = try request.prepared()
        if !request.headers.contains(.contentDigest), let digest = try await digest(of: request) {
            request.headers.contentDigest = [digest]
        }
        guard checksResponses else { return try await next.response(for: request) }
        if !request.headers.contains(.acceptEncoding) {
            request.headers[.acceptEncoding] = "identity"
        }
        let response = try await next.response(for: request)
        do {
            return try checked(response, to: request)
        } catch {
            await response.discard()
            throw error
        }
    }

    private func digest(of request: HTTPRequest) async throws -> HTTPDigest? {
        let body = request.body.unreported
        if body.isEmpty { return nil }
        if let bytes = body.bytes { return HTTPDigest(algorithm, of: bytes) }
        guard body.replay == .always else { return nil }
        return try await .computed(algorithm, of: body)
    }

    private func checked(
        _ response: HTTPResponse, to request: HTTPRequest
    ) throws(HTTPError) -> HTTPResponse {
        guard let check = try DigestCheck(response, to: request.method) else { return response }
        if let bytes = response.body.bytes {
            var whole = check
            whole.update(bytes)
            guard let failure = whole.failure(trailers: response.body.trailers) else {
                return response
            }
            if case .buffered = request.delivery { throw failure }
        }
        var checked = response
        checked.body = response.body.checked(check)
        return checked
    }
}
