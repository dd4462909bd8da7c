public import HTTPCodings
public import HTTPCore
import HTTPFormats

/// A middleware that compresses the content of requests, as far as servers take it.
///
/// A request is left as it is if it has `Content-Encoding`, a digest of its content or
/// `Content-Range`; if its content is shorter than the minimum, or would not become shorter; and if
/// its origin has refused the coding. A server refuses it with 415 and an `Accept-Encoding` that
/// does not name it (RFC 7694 §3). The request is then sent once more, as it was made, if its body
/// can be read again, and later requests to the origin are not compressed.
///
/// See `request.compressed(_:)` for what is sent. Runs per attempt, inside retries and outside what
/// signs a request or names its digest.
public struct RequestCompression: HTTPClientMiddleware {
    /// The number of origins that are remembered. Beyond it, the memory begins anew.
    private static let originLimit = 1000

    /// The coding.
    public let coding: HTTPContentCoding
    /// The length of content, in bytes, from which it is compressed. Content of unknown length is.
    public let minimumLength: Int
    private let refusals = Refusals()

    private final class Refusals: Sendable {
        let origins = Locked<Set<HTTPOrigin>>([])
    }

    /// Creates a middleware. Copies of it share what they have learnt.
    public init(_ coding: HTTPContentCoding = .gzip, minimumLength: Int = 1024) {
        self.coding = coding
        self.minimumLength = minimumLength
    }

    /// - Throws: `unsupportedOption` if ``/HTTPCodings/HTTPContentCoding/canEncode`` is `false`.
    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        guard isWorthIt(request), let origin = try? HTTPOrigin(request.url),
            !refusals.origins.withLock({ $0.contains(origin) })
        else { return try await next.response(for: request) }
        let coded = try request.compressed(coding)
        if let length = coded.body.length, let plain = request.body.length, length >= plain {
            return try await next.response(for: request)
        }
        let response = try await next.response(for: coded)
        guard response.status == .unsupportedMediaType,
            let accepted = response.headers[combined: .acceptEncoding], !accepts(accepted)
        else { return response }
        refusals.origins.withLock { origins in
            if origins.count >= Self.originLimit { origins.removeAll() }
            origins.insert(origin)
        }
        guard request.body.canBeSent else { return response }
        await response.discard()
        return try await next.response(for: request)
    }

    private func isWorthIt(_ request: HTTPRequest) -> Bool {
        !request.body.isEmpty && request.body.length ?? .max >= minimumLength
            && request.body.canBeSent
            && !HTTPRequest.fieldsOfContent.contains { request.headers.contains($0) }
    }

    /// Returns `true` if a list of codings names this one, by its registered name or its old one.
    private func accepts(_ list: String) -> Bool {
        let accepted = AcceptEncoding(list)
        let names = coding == .gzip ? ["gzip", "x-gzip"] : [coding.rawValue]
        return names.contains { accepted.quality(of: $0) != .zero }
    }
}
