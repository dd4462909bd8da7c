public import HTTPCodings
public import HTTPCore
public import HTTPFormats
import PortableFoundation

/// A response, or an error, that a ``Stub`` gives to a request.
///
/// ```swift
/// .json(["name": "Ada"])
/// .status(.serviceUnavailable, headers: [.retryAfter: "3"]).delayed(by: .seconds(1))
/// .failure(HTTPError(.connectionLost, "as if the server had gone"))
/// ```
public struct StubAnswer: Sendable {
    private let answer: @Sendable (StubbedRequest) async throws -> HTTPResponse
    private var delay = Duration.zero
    private var rate: Int?

    private init(_ answer: @escaping @Sendable (StubbedRequest) async throws -> HTTPResponse) {
        self.answer = answer
    }

    /// Returns an answer that calls the closure, possibly for several requests at the same time.
    public static func dynamic(
        _ answer: @escaping @Sendable (StubbedRequest) async throws -> HTTPResponse
    ) -> Self { Self(answer) }

    /// - Parameters:
    ///   - status: The status.
    ///   - headers: The header section.
    ///   - body: the body; it must be replayable if the answer is given more than once.
    public static func status(
        _ status: HTTPStatus, headers: HTTPHeaders = [:], body: HTTPBody = .empty
    ) -> Self {
        Self { HTTPResponse(status, headers: headers, body: body, to: $0.request) }
    }

    /// Returns a response with the text as `text/plain` in UTF-8.
    public static func text(_ text: String, status: HTTPStatus = .ok) -> Self {
        .status(
            status, headers: [.contentType: "text/plain; charset=utf-8"], body: HTTPBody(text))
    }

    /// Returns a response with the value as `application/json`, with its members in their order.
    public static func json(_ json: HTTPJSON, status: HTTPStatus = .ok) -> Self {
        Self { asked in
            HTTPResponse(
                status, headers: [.contentType: "application/json"],
                body: HTTPBody(try json.serialized()), to: asked.request)
        }
    }

    /// Returns a response with the text that a server has sent in a coding. As from a transport, it
    /// is decoded, unless the request has `Accept-Encoding` or `Range` of its own.
    ///
    /// The answer is a `failure` with `unsupportedOption` if the coding's `canEncode` is `false`.
    public static func text(_ text: String, coded coding: HTTPContentCoding) -> Self {
        Self { asked in
            var headers: HTTPHeaders = [.contentType: "text/plain; charset=utf-8"]
            let asks = asked.request.headers
            guard asks.contains(.acceptEncoding) || asks.contains(.range) else {
                return HTTPResponse(
                    .ok, headers: headers, body: HTTPBody(text), to: asked.request)
            }
            headers[.contentEncoding] = coding.rawValue
            let bytes = try ContentEncoder.encode(Data(text.utf8), coding)
            return HTTPResponse(.ok, headers: headers, body: HTTPBody(bytes), to: asked.request)
        }
    }

    /// Returns a redirection; `location` may be relative.
    public static func redirect(to location: String, status: HTTPStatus = .found) -> Self {
        .status(status, headers: [.location: location])
    }

    /// A 200 response with the request's fields and body.
    public static var echo: Self {
        Self { asked in
            HTTPResponse(
                .ok, headers: asked.request.headers, body: HTTPBody(asked.body), to: asked.request)
        }
    }

    /// Returns an answer that makes the session throw `error`.
    public static func failure(_ error: any Error) -> Self { Self { _ in throw error } }

    /// Returns an answer that passes the request to `session`. This counts as one more send of the
    /// call.
    public static func passed(to session: any HTTPSession) -> Self {
        Self { try await session.response(for: $0.request) }
    }

    /// Returns the same answer after an additional delay on the session's clock.
    public func delayed(by delay: Duration) -> Self {
        var answer = self
        answer.delay = answer.delay.adding(delay)
        return answer
    }

    /// Returns the same answer with a body that arrives in ten pieces a second, as on a slow
    /// network. The head arrives at once.
    public func paced(bytesPerSecond rate: Int) -> Self {
        var answer = self
        answer.rate = max(1, rate)
        return answer
    }

    func response(to asked: StubbedRequest, clock: any HTTPClock) async throws -> HTTPResponse {
        if delay > .zero { try await clock.sleep(for: delay) }
        var response = try await answer(asked)
        if let rate {
            let bytes = try await response.body.collect()
            response.body = HTTPBody(
                PacedBytes(bytes: bytes, rate: rate, clock: clock), length: Int64(bytes.count))
        }
        return response
    }
}

/// Bytes in pieces, each delayed by the time that it takes at a rate.
private struct PacedBytes: AsyncSequence, Sendable {
    let bytes: Data
    let rate: Int
    let clock: any HTTPClock

    func makeAsyncIterator() -> Iterator { Iterator(rest: bytes, rate: rate, clock: clock) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: Data
        let rate: Int
        let clock: any HTTPClock

        mutating func next() async throws -> Data? {
            guard !rest.isEmpty else { return nil }
            let piece = rest.prefix(Swift.max(1, rate / 10))
            rest = rest.dropFirst(piece.count)
            try await clock.sleep(for: .seconds(1) * piece.count / rate)
            return piece
        }
    }
}
