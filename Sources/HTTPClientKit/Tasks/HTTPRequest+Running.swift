public import HTTPCore
public import PortableFoundation

extension HTTPRequest {
    /// Starts this request in `session` and returns its task. An invalid request makes the task
    /// fail.
    public func run(in session: any HTTPSession = HTTPClient.shared) -> HTTPTask<HTTPResponse> {
        run(HTTPResponse.self, in: session)
    }

    /// Starts this request and returns its task, with a value made from the response. See
    /// ``run(in:)``.
    public func run<Value: HTTPResponseConvertible>(
        _ type: Value.Type, in session: any HTTPSession = HTTPClient.shared
    ) -> HTTPTask<Value> {
        HTTPTask(type, for: self, in: session).run()
    }

    /// Starts this request and returns its task, with a value decoded from JSON. See ``run(in:)``.
    @_disfavoredOverload
    public func run<Value: Decodable & Sendable>(
        _ type: Value.Type, decoder: JSONDecoder? = nil,
        in session: any HTTPSession = HTTPClient.shared
    ) -> HTTPTask<Value> {
        HTTPTask(type, decoder: decoder, for: self, in: session).run()
    }
}

extension HTTPTask {
    /// Creates a pending task, so that observers can be added before anything happens. Start it
    /// with ``run()``.
    public convenience init(
        _ type: Value.Type = HTTPResponse.self, for request: HTTPRequest,
        in session: any HTTPSession = HTTPClient.shared
    ) where Value: HTTPResponseConvertible {
        self.init(request, session) { try await Value.convert(from: $0) }
    }

    /// Creates a pending task with a value decoded from JSON. See ``init(_:for:in:)``.
    @_disfavoredOverload
    public convenience init(
        _ type: Value.Type, decoder: JSONDecoder? = nil, for request: HTTPRequest,
        in session: any HTTPSession = HTTPClient.shared
    ) where Value: Decodable {
        self.init(request, session) { try await $0.json(type, decoder: decoder) }
    }

    private convenience init(
        _ request: HTTPRequest, _ session: any HTTPSession,
        convert: @escaping @Sendable (HTTPResponse) async throws -> Value
    ) {
        // A body in memory stays in memory, since layers may need to read it (a signature, a
        // cache), unless it is long enough for its progress to matter.
        let isReported = request.body.bytes.map { $0.count > 64 << 10 } ?? true
        let call = CallDescription(session) { request.readWhole }
        self.init(
            Work(
                exchange: { report in
                    var request = try call.request()
                    request[ReceivingProgress.self] = {
                        report(
                            HTTPTransferProgress(.download, bytes: $0.bytes, length: $0.length))
                    }
                    if isReported {
                        request.body = request.body.reportingProgress {
                            report(
                                HTTPTransferProgress(.upload, bytes: $0.bytes, length: $0.length))
                        }
                    }
                    return try await call.entry.attempt(request).get()
                },
                convert: convert,
                unreportedUpload: isReported || request.body.isEmpty ? nil : request.body.length))
    }
}
