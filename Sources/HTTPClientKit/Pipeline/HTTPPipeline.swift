public import HTTPCore
public import HTTPMiddleware
public import PortableFoundation

/// A description of a request and of what is made from its response, as a value. Nothing is sent
/// before ``value()``, and every ``value()`` is a separate call.
///
/// ```swift
/// let user = client.pipeline(for: "https://api.example.com/user/1")
///     .allowed(statusCodes: 200..<300)
///     .decode(type: User.self)
///     .retry(2)
///     .map { $0.decoded.name }
/// let name = try await user.value()
/// ```
///
/// The order of operators matters: an operator surrounds all operators above it. A failure is
/// retried by the operators below its origin. The lowest adapter changes a request first, so the
/// adapter next to the task has the last word.
public struct HTTPPipeline<Output: Sendable>: Sendable {
    let call: CallDescription
    private let read: @Sendable (HTTPResponse) async throws -> Output

    init(
        _ call: CallDescription, read: @escaping @Sendable (HTTPResponse) async throws -> Output
    ) {
        self.call = call
        self.read = read
    }

    /// Sends the request and returns the value made from the response.
    ///
    /// - Throws: `HTTPError`, the error of a ``map(_:)``, or `CancellationError`. See
    ///   ``HTTPPipelineFailure`` for the meaning of a failure.
    @concurrent public func value() async throws -> Output {
        let request = try call.request()
        do {
            let response = try await call.entry.response(for: request)
            do { return try await read(response) } catch { throw error.afterResponse }
        } catch {
            request[DownloadDraft.self]?.giveUp(after: error)
            throw error
        }
    }

    /// Returns the same as ``value()``, but a failure as an ``HTTPPipelineFailure``.
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

    /// Returns this pipeline with another layer around all existing ones.
    func surrounded(by layer: any HTTPClientMiddleware) -> Self {
        Self(call.surrounded(by: layer), read: read)
    }

    /// Transforms the output. An error from `transform` fails the attempt, can be retried by the
    /// operators below, and is thrown as it is.
    public func map<New: Sendable>(
        _ transform: @escaping @Sendable (Output) async throws -> New
    ) -> HTTPPipeline<New> {
        let read = read
        let computing = Computing { response in try await transform(try await read(response)) }
        return HTTPPipeline<New>(call.surrounded(by: computing), read: computing.value(on:))
    }
}

extension HTTPSession {
    /// Describes a call through this session. An invalid request makes
    /// ``/HTTPClientKit/HTTPPipeline/value()`` throw.
    ///
    /// The response is read into memory: at most 16 MiB, unless the request's delivery sets another
    /// limit.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - adapter: Changes the request before each attempt, always beginning with the original. If
    ///     it also changes responses, that part is ignored.
    ///   - mode: What to do while an identical request is under way; `nil` for the mode of the
    ///     request or the session, and otherwise the request is sent. Requires a session with
    ///     ``/HTTPMiddleware/Coalescing``.
    public func pipeline(
        for request: any HTTPRequestConvertible, adapter: (any HTTPRequestInterceptor)? = nil,
        coalescing mode: CoalescingMode? = nil
    ) -> HTTPPipeline<(data: Data, response: HTTPResponse)> {
        let pending = Result { try PendingRequest(request) }
        let call = CallDescription(self, layers: [WholeAnswers()]) {
            var request = try pending.get().begun.endingCall()
            if let mode { request.coalescing = mode }
            return request.readWholeInErrors
        }
        let pipeline = HTTPPipeline<(data: Data, response: HTTPResponse)>(call) {
            (data: try await $0.data(), response: $0)
        }
        return adapter.map { pipeline.adapt(using: $0) } ?? pipeline
    }
}

extension HTTPPipeline where Output == (data: Data, response: HTTPResponse) {
    /// Decodes the body from JSON and keeps the response. The call fails with `decodingFailed` if
    /// that is not possible, also for an empty body unless the type is an `Optional`.
    public func decode<Value: Decodable & Sendable>(
        type: Value.Type, decoder: JSONDecoder? = nil
    ) -> HTTPPipeline<(decoded: Value, response: HTTPResponse)> {
        decoded { try await $0.json(type, decoder: decoder) }
    }

    /// Decodes the body with any decoder and keeps the response. If `decode` throws, the call fails
    /// with `decodingFailed`.
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
            } catch let error as HTTPError where error.code == .emptyResponse {
                throw HTTPError(
                    .decodingFailed, "the body is empty, which is not a \(Value.self)",
                    mayHaveReachedServer: true, response: response.head, underlyingError: error
                ).ending(response).keeping(bodyPrefix: data)
            } catch let error as HTTPError {
                throw error.keeping(bodyPrefix: data)
            }
        }
    }
}

// MARK: - Layers

/// The innermost layer: buffers responses, whatever the session and the outer layers make of the
/// request.
private struct WholeAnswers: HTTPClientMiddleware {
    func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        do {
            return try await next.attempt(request.readWholeInErrors).get()
        } catch let error as HTTPError {
            throw error.markedAsOfSession(true)
        }
    }
}

/// Makes a value from each response inside the attempt, so that a failure is one of the attempt.
/// The value travels up with its response.
private struct Computing<Value: Sendable>: HTTPClientMiddleware {
    let compute: @Sendable (HTTPResponse) async throws -> Value

    private enum Computed: HTTPRequestOption {
        static var defaultValue: Value? { nil }
    }

    func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        var response = try await next.response(for: request)
        do {
            response[Computed.self] = try await compute(response)
        } catch {
            throw error.afterResponse
        }
        return response
    }

    func value(on response: HTTPResponse) async throws -> Value {
        if let value = response[Computed.self] { return value }
        return try await compute(response)
    }
}

extension HTTPRequest {
    /// Returns this request in place of `original`: in the same call and for the same file.
    func replacing(_ original: HTTPRequest) -> HTTPRequest {
        var request = joining(original.currentCall)
        guard let draft = original[DownloadDraft.self] else { return request.readWholeInErrors }
        request[DownloadDraft.self] = draft
        return request
    }
}
