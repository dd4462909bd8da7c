public import HTTPCaching
public import HTTPCore
public import HTTPFormats
public import HTTPMiddleware
import HTTPRetry
public import HTTPValidation
public import PortableFoundation

/// A request and the session that sends it: the result of `client.get("users/1")`.
///
/// It is a description: nothing is sent until a response is requested, and each such call sends the
/// request. An invalid request throws then. The body of a response is in memory, read inside the
/// attempt. To read it as it arrives, use ``lines``, ``events(endingAt:options:)`` and their
/// siblings, or ``withResponse(_:)``.
///
/// Each setting returns a changed copy, and does the same as the method of that name on
/// `HTTPRequest`. For a setting without such a method here, use ``with(_:)``.
public struct HTTPBoundRequest: Sendable {
    package let session: any HTTPSession
    private(set) var pending: Result<PendingRequest, any Error>
    private var report: TransferReport?

    init(_ session: any HTTPSession, _ make: () throws -> PendingRequest) {
        self.session = session
        pending = Result { try make() }
    }

    /// Returns the same with a changed request: `client.get("u").with { $0.option(Key.self, 3) }`.
    ///
    /// - Parameter change: If it throws, the error is thrown when a response is requested.
    public func with(_ change: (HTTPRequest) throws -> HTTPRequest) -> HTTPBoundRequest {
        var copy = self
        copy.pending = Result {
            let pending = try pending.get()
            return PendingRequest(request: try change(pending.request), limit: pending.limit)
        }
        return copy
    }

    /// Returns the same with a handler of progress, of the request's body and then of the
    /// response's. It is not called for events, whose bodies have no end.
    ///
    /// - Parameter handler: Called where the body is read, so it should return at once. The values
    ///   of one kind never decrease within a call, even if a layer sends the request again. An
    ///   upload at a fraction of 1 has been handed over for sending; the server may not have it.
    public func onProgress(
        _ handler: @escaping @Sendable (HTTPTransferProgress) -> Void
    ) -> HTTPBoundRequest {
        let earlier = report
        var copy = self
        copy.report = { progress in
            earlier?(progress)
            handler(progress)
        }
        return copy
    }
}

/// A request that is sent later, maybe more than once, and the limit of each of these calls.
struct PendingRequest: Sendable {
    let request: HTTPRequest
    /// The time limit of each call, which begins with the call.
    let limit: Duration?

    init(_ request: any HTTPRequestConvertible) throws {
        if let bound = request as? HTTPBoundRequest {
            self = try bound.pending.get()
        } else {
            self.init(request: try request.httpRequest)
        }
    }

    init(request: HTTPRequest, limit: Duration? = nil) {
        (self.request, self.limit) = (request, limit)
    }

    /// The request of a call that begins now.
    var begun: HTTPRequest { limit.map { request.deadline(in: $0) } ?? request }

    /// Returns the request of several calls on `clock`, which its deadline limits together.
    func begun(on clock: any HTTPClock) -> HTTPRequest {
        clock is HTTPSystemClock ? begun : begun.limitingCalls(on: clock)
    }
}

extension HTTPBoundRequest: HTTPRequestConvertible {
    /// The request of a call that begins now, without handlers of progress.
    public var httpRequest: HTTPRequest {
        get throws { try pending.get().begun }
    }
}

// MARK: - Settings

extension HTTPBoundRequest {
    /// Returns the request with a field set to a value, or without the field for `nil`. A value
    /// that cannot be sent makes sending throw.
    public func header(_ name: HTTPHeaderName, _ value: String?) -> HTTPBoundRequest {
        with { $0.header(name, value) }
    }

    /// Returns the request with changed headers. If `change` throws, sending throws that error.
    public func headers(_ change: (inout HTTPHeaders) throws -> Void) -> HTTPBoundRequest {
        with { try $0.headers(change) }
    }

    /// Returns the request with these parameters, in place of all that the query methods set or
    /// added before.
    public func query(_ parameters: [String: Any?]) -> HTTPBoundRequest {
        with { $0.query(parameters) }
    }

    /// Returns the request with one parameter set, in place of one of the same name; `nil` removes
    /// it.
    public func query(_ name: String, _ value: Any?) -> HTTPBoundRequest {
        with { $0.query(name, value) }
    }

    /// Adds a parameter after the existing ones, also under the same name.
    public func addingQuery(_ name: String, _ value: Any?) -> HTTPBoundRequest {
        with { $0.addingQuery(name, value) }
    }

    /// Returns the request with another encoding of its query. It takes precedence over the
    /// client's.
    public func queryEncoding(_ encoding: QueryEncoding) -> HTTPBoundRequest {
        with { $0.queryEncoding(encoding) }
    }

    /// Limits each call, from the time when its response is requested to the last byte of the body.
    public func deadline(in duration: Duration) -> HTTPBoundRequest {
        var copy = self
        copy.pending = pending.map { PendingRequest(request: $0.request, limit: duration) }
        return copy
    }

    /// Limits each exchange; a deadline limits the call.
    public func timeout(_ duration: Duration) -> HTTPBoundRequest { with { $0.timeout(duration) } }

    /// Returns the request with these limits. Those at `.standard` are the client's.
    public func timeouts(_ timeouts: HTTPTimeouts) -> HTTPBoundRequest {
        with { $0.timeouts(timeouts) }
    }

    /// Returns the request with a limit on its retries, which takes precedence over the policy's.
    public func maxRetries(_ count: Int) -> HTTPBoundRequest { with { $0.maxRetries(count) } }

    /// Returns the request with the permission to send it again whatever its method, though the
    /// server may have processed it already. See ``/HTTPCore/HTTPRequest/isRepeatable``.
    public func repeatable() -> HTTPBoundRequest { with { $0.repeatable() } }

    /// Sets `Idempotency-Key`, the same for all calls of this description: a server that has
    /// processed the request does so only once, however often it is sent.
    public func idempotencyKey(_ key: String = UUID().uuidString) -> HTTPBoundRequest {
        with { $0.idempotencyKey(key) }
    }

    /// Returns the request with a mode for its redirects, which takes precedence over the client's.
    public func redirects(_ mode: RedirectMode) -> HTTPBoundRequest {
        with { $0.redirects(mode) }
    }

    /// Says what happens if the same request is under way already.
    public func coalescing(_ mode: CoalescingMode) -> HTTPBoundRequest {
        with { $0.coalescing(mode) }
    }

    /// Returns the request with a cache policy, which takes precedence over the client's.
    public func cachePolicy(_ policy: HTTPCachePolicy) -> HTTPBoundRequest {
        with { $0.cachePolicy(policy) }
    }

    /// Returns the request with a priority among those that wait for a permit of a
    /// ``/HTTPMiddleware/ConcurrencyLimit``.
    public func priority(_ priority: RequestPriority) -> HTTPBoundRequest {
        with { $0.priority(priority) }
    }

    /// Sets the version of HTTP; a transport that cannot speak it refuses the request.
    public func version(_ version: HTTPVersion?) -> HTTPBoundRequest {
        with { $0.version(version) }
    }

    /// Sets the limit of the response's body in bytes. A longer body fails with `bodyTooLarge`.
    ///
    /// A body that is read into memory has a limit of 16 MiB by default. What is read as it
    /// arrives, such as ``lines``, and a download have none by default; with this one, they fail as
    /// soon as more has come, or was announced. Events have limits of their own
    /// (``HTTPEventSourceOptions/limit``).
    public func limit(_ bytes: Int) -> HTTPBoundRequest {
        with { $0.delivery(.buffered(upTo: bytes)) }
    }

    /// Adds a change that is made again before each attempt.
    public func modify(
        _ change: @escaping @Sendable (inout HTTPRequest) throws -> Void
    ) -> HTTPBoundRequest {
        with { $0.modify(change) }
    }

    /// Returns the request with an option, such as one of a transport:
    /// `option(UnixSocket.self, socket)`.
    public func option<Key: HTTPRequestOption>(
        _ key: Key.Type, _ value: Key.Value
    ) -> HTTPBoundRequest {
        with { $0.option(key, value) }
    }
}

// MARK: - Responses

extension HTTPBoundRequest {
    /// Returns the response with its body in memory.
    @discardableResult
    @concurrent public func response() async throws -> HTTPResponse {
        try await session.response(HTTPResponse.self, for: reported())
    }

    /// Sends the request and returns the bytes of the response, up to the limit of its delivery.
    @concurrent public func data() async throws -> Data {
        try await session.response(Data.self, for: reported())
    }

    /// Sends the request and returns the response's text, in the charset that it names.
    @concurrent public func text() async throws -> String {
        try await session.response(String.self, for: reported())
    }

    /// Returns the body decoded from JSON; `HTTPJSON.self` accepts any JSON.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - decoder: The decoder, or `nil` for the client's (``HTTPClient/Configuration/decoder``).
    @concurrent public func json<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, decoder: JSONDecoder? = nil
    ) async throws -> Value {
        try await session.response(for: reported().readWhole).json(type, decoder: decoder)
    }

    /// Returns a value of a type that can be made from a response.
    @concurrent public func value<Value: HTTPResponseConvertible>(
        _ type: Value.Type = Value.self
    ) async throws -> Value {
        try await session.response(type, for: reported())
    }

    /// Returns the body as one of two types, for services that describe their errors.
    @concurrent public func answer<Success, ErrorResponse>(
        _ success: Success.Type, orError errorResponse: ErrorResponse.Type,
        decoder: JSONDecoder? = nil
    ) async -> HTTPAnswer<Success, ErrorResponse>
    where Success: Decodable & Sendable, ErrorResponse: Decodable & Sendable {
        do {
            return await session.answer(
                success, orError: errorResponse, for: try reported(), decoder: decoder)
        } catch {
            return .failure(error)
        }
    }

    /// Passes the response to `read`, which can read the body as it arrives.
    public func withResponse<Result>(
        _ read: (HTTPResponse) async throws -> Result
    ) async throws -> Result {
        let meters = report.map { TransferMeters($0) }
        var request = try reported(by: meters)
        let limit = request.takeStreamLimit()
        return try await session.withResponse(for: request) { response in
            try await read(response.reported(by: meters).limited(to: limit))
        }
    }

    /// Downloads the body to a file. See
    /// ``/HTTPCore/HTTPSession/download(_:to:options:progress:)-(_,String,_,_)``.
    @concurrent @discardableResult
    public func download(
        to path: String, options: HTTPDownloadOptions = HTTPDownloadOptions()
    ) async throws -> HTTPDownload {
        try await session.download(self, to: path, options: options, progress: report)
    }

    /// Downloads the body to a file URL. See ``download(to:options:)-(String,_)``.
    @concurrent @discardableResult
    public func download(
        to file: URL, options: HTTPDownloadOptions = HTTPDownloadOptions()
    ) async throws -> HTTPDownload {
        try await session.download(self, to: file, options: options, progress: report)
    }

    /// Returns the request of a call whose body is read into memory.
    private func reported() throws -> HTTPRequest {
        guard let report else { return try httpRequest }
        let meters = TransferMeters(report)
        var request = try reported(by: meters)
        request[ReceivingProgress.self] = meters.received
        return request
    }

    private func reported(by meters: TransferMeters?) throws -> HTTPRequest {
        var request = try httpRequest
        guard let meters, !request.body.isEmpty else { return request }
        if let count = request.body.bytes?.count, count <= 64 << 10 {
            // It stays in memory, where layers may need to read it: a signature, a cache.
            meters.sent(HTTPBodyProgress(bytes: Int64(count), length: Int64(count)))
        } else {
            request.body = request.body.reportingProgress(meters.sent)
        }
        return request
    }
}

extension HTTPResponse {
    fileprivate func reported(by meters: TransferMeters?) -> HTTPResponse {
        guard let meters else { return self }
        var response = self
        response.body = body.reportingProgress(meters.received)
        return response
    }
}

// MARK: - Streams

extension HTTPBoundRequest {
    /// The lines of the response's body, as they arrive, in the response's charset. See
    /// ``HTTPResponseStream`` and ``/HTTPCore/HTTPResponse/lines``.
    public var lines: HTTPResponseStream<HTTPBody.Lines> { stream { $0.lines } }

    /// Returns the values of a body of JSON Lines, as they arrive. See ``HTTPResponseStream`` and
    /// ``/HTTPCore/HTTPBody/jsonLines(of:decoder:upTo:)``.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - decoder: The decoder, or `nil` for the client's.
    public func jsonLines<Value: Decodable & Sendable>(
        of type: Value.Type, decoder: JSONDecoder? = nil
    ) -> HTTPResponseStream<HTTPDecodedSequence<Value>> {
        stream { $0.jsonLines(of: type, decoder: decoder) }
    }

    /// Returns the values of a JSON text sequence (RFC 7464), as they arrive. See
    /// ``HTTPResponseStream`` and
    /// ``/HTTPCore/HTTPBody/jsonSequence(of:decoder:upTo:skippingMalformed:)``.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - decoder: The decoder, or `nil` for the client's.
    ///   - skippingMalformed: `true` to skip texts that are no JSON; `false` to end with an error.
    public func jsonSequence<Value: Decodable & Sendable>(
        of type: Value.Type, decoder: JSONDecoder? = nil, skippingMalformed: Bool = false
    ) -> HTTPResponseStream<HTTPDecodedSequence<Value>> {
        stream {
            $0.jsonSequence(of: type, decoder: decoder, skippingMalformed: skippingMalformed)
        }
    }

    private func stream<Elements: AsyncSequence & Sendable>(
        _ read: @escaping @Sendable (HTTPResponse) throws -> Elements
    ) -> HTTPResponseStream<Elements> {
        HTTPResponseStream {
            let meters = report.map { TransferMeters($0) }
            var request = try reported(by: meters)
            let limit = request.takeStreamLimit()
            let response = try await session.response(for: request)
            return try read(response.reported(by: meters).limited(to: limit))
        }
    }
}
