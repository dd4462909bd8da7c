public import HTTPCore
public import HTTPMiddleware

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What to ask and what to make of the answer, as a value: nothing is sent before ``value()``, and every
/// ``value()`` is a call of its own.
///
/// ```swift
/// let user = client.task(for: "https://api.example.com/user/1")
///     .allowed(statusCodes: 200..<300)
///     .decode(type: User.self)
///     .retry(2)
///     .map { $0.decoded.name }
/// let name = try await user.value()
/// ```
///
/// Order is meaning: an operator surrounds all that is above it. A failure is retried by the operators
/// below the one that it comes from; a request is adapted by the lowest adapter first, so that the one
/// next to the task has the last word.
public struct HTTPPipeline<Output: Sendable>: Sendable {
    /// Made for each ``value()``.
    private let request: @Sendable () throws -> HTTPRequest
    private let session: any HTTPSession
    /// The first is outermost.
    private let layers: [any HTTPClientMiddleware]
    private let read: @Sendable (HTTPResponse) async throws -> Output

    init(
        _ request: @escaping @Sendable () throws -> HTTPRequest, _ session: any HTTPSession,
        layers: [any HTTPClientMiddleware],
        read: @escaping @Sendable (HTTPResponse) async throws -> Output
    ) {
        self.request = request
        self.session = session
        self.layers = layers
        self.read = read
    }

    /// Sends the request and makes what was asked for of the answer.
    ///
    /// - Throws: `HTTPError`, what a ``map(_:)`` throws, or `CancellationError`; see
    ///   ``HTTPPipelineFailure`` for what a failure means.
    @concurrent public func value() async throws -> Output {
        let request = try request()
        do {
            return try await read(try await response(for: request))
        } catch {
            request[DownloadDraft.self]?.giveUp(after: error)
            throw error
        }
    }

    private func response(for request: HTTPRequest) async throws -> HTTPResponse {
        guard let client = session as? any CallBeginning else {
            return try await session.with(layers).response(for: try request.beginningCall())
        }
        return try await client.response(for: request, through: layers)
    }

    /// As ``value()``, with a failure as what it means.
    @concurrent public func outcome() async throws(CancellationError)
        -> Result<Output, HTTPPipelineFailure>
    {
        do {
            return .success(try await value())
        } catch let error as CancellationError {
            throw error
        } catch {
            return .failure(HTTPPipelineFailure(error))
        }
    }

    /// The same, with another layer around all that is there.
    func surrounded(by layer: any HTTPClientMiddleware) -> Self {
        Self(request, session, layers: [layer] + layers, read: read)
    }

    /// What comes out, made into something else. What `transform` throws fails the attempt, for the
    /// operators below to retry, and is thrown as it is.
    public func map<New: Sendable>(
        _ transform: @escaping @Sendable (Output) async throws -> New
    ) -> HTTPPipeline<New> {
        let read = read
        let computing = Computing { response in try await transform(try await read(response)) }
        return HTTPPipeline<New>(
            request, session, layers: [computing] + layers, read: computing.value(on:))
    }
}

extension HTTPSession {
    /// Describes a call through this session. What is no request fails ``HTTPPipeline/value()``.
    ///
    /// The response is read into memory: at most 16 MiB, unless the request's delivery says otherwise.
    ///
    /// - Parameters:
    ///   - adapter: changes the request before each attempt, from what it was at first. Of one that
    ///     changes responses, too, only the half for requests counts.
    ///   - handling: what to do while an identical request is under way; `nil` for what the request or
    ///     the session says, and that is to send it. Takes a session with ``HTTPMiddleware/Coalescing``.
    public func task(
        for request: any HTTPRequestConvertible, adapter: (any HTTPRequestInterceptor)? = nil,
        coalescing mode: CoalescingMode? = nil
    ) -> HTTPPipeline<(data: Data, response: HTTPResponse)> {
        let request = Result {
            var request = try request.httpRequest.endingCall()
            if let mode { request.coalescing = mode }
            return request.readWhole
        }
        let pipeline = HTTPPipeline<(data: Data, response: HTTPResponse)>(
            request.get, self, layers: [WholeAnswers()]
        ) { (data: try await $0.data(), response: $0) }
        return adapter.map { pipeline.adapt(using: $0) } ?? pipeline
    }
}

extension HTTPPipeline where Output == (data: Data, response: HTTPResponse) {
    /// What comes out, decoded from JSON, with the response.
    public func decode<Value: Decodable & Sendable>(
        type: Value.Type, decoder: JSONDecoder = JSONDecoder()
    ) -> HTTPPipeline<(decoded: Value, response: HTTPResponse)> {
        decoded { try await $0.json(type, decoder: decoder) }
    }

    /// What comes out, decoded by any decoder there is, with the response. What `decode` throws is in a
    /// `decodingFailed`.
    public func decode<Value: Sendable>(
        by decode: @escaping @Sendable (Data) throws -> Value
    ) -> HTTPPipeline<(decoded: Value, response: HTTPResponse)> {
        decoded { try await $0.decoded(by: decode) }
    }

    private func decoded<Value: Sendable>(
        _ decode: @escaping @Sendable (HTTPResponse) async throws -> Value
    ) -> HTTPPipeline<(decoded: Value, response: HTTPResponse)> {
        map { data, response in
            do {
                return (decoded: try await decode(response), response: response)
            } catch let error as HTTPError {
                throw error.keeping(bodyPrefix: data)
            }
        }
    }
}

// MARK: - Layers

/// The innermost: whole answers, whatever the session and the layers outside make of the request.
private struct WholeAnswers: HTTPClientMiddleware {
    func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        try await next.attempt(request.readWhole).get()
    }
}

/// Makes a value of each response inside the attempt, so that a failure of it is the attempt's. The value
/// travels up with its response.
private struct Computing<Value: Sendable>: HTTPClientMiddleware {
    let compute: @Sendable (HTTPResponse) async throws -> Value

    private enum Computed: HTTPRequestOption {
        static var defaultValue: Value? { nil }
    }

    func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        var response = try await next.response(for: request)
        response[Computed.self] = try await compute(response)
        return response
    }

    func value(on response: HTTPResponse) async throws -> Value {
        if let value = response[Computed.self] { return value }
        return try await compute(response)
    }
}

extension HTTPRequest {
    /// This request with its answer in memory, and in errors whole.
    fileprivate var readWhole: HTTPRequest {
        var request = self
        if case .streamed = delivery { request.delivery = .buffered(upTo: HTTPBody.defaultLimit) }
        if case .buffered(let limit) = request.delivery { request.errorBodyLimit = limit }
        return request
    }

    /// A request in the place of `original`, in its call and for the same file.
    func replacing(_ original: HTTPRequest) -> HTTPRequest {
        var request = original.call.map { joining($0) } ?? self
        guard let draft = original[DownloadDraft.self] else { return request.readWhole }
        request[DownloadDraft.self] = draft
        return request
    }
}

// MARK: - Beginning

/// A session that has its own way to begin a call: on a base, with an observer, on a clock. Layers that
/// need a call go inside of that.
protocol CallBeginning: HTTPSession {
    /// Begins a call and answers through `layers`, the first outermost, around all of the session's own.
    func response(
        for request: HTTPRequest, through layers: [any HTTPClientMiddleware]
    ) async throws -> HTTPResponse
}

extension HTTPClient: CallBeginning {}
