public import HTTPCore
public import PortableFoundation

/// Requests and their outcomes, without secrets: the content of a ``RecordingFile``.
public struct Recording: Hashable, Sendable {
    /// The exchanges, sorted by URL, method and request body. Exchanges that are equal in all three
    /// keep the order in which they were added.
    public private(set) var exchanges: [Exchange] = []

    /// Creates a recording without exchanges.
    public init() {}

    /// A field of a message.
    public struct Field: Hashable, Sendable {
        /// The name, as it was written.
        public var name: String
        /// The value, or `nil` for a secret.
        public var value: String?

        /// Creates a field; `nil` as the value marks a secret.
        public init(_ name: String, _ value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// A request, as far as it is recorded.
    public struct Request: Hashable, Sendable {
        /// The method.
        public var method: String
        /// The URL, with secrets replaced.
        public var url: String
        /// The fields, in order.
        public var fields: [Field] = []
        /// The body.
        public var body = Data()

        /// Creates a request without fields and body.
        public init(_ method: String, _ url: String) {
            self.method = method
            self.url = url
        }
    }

    /// A response, as far as it is recorded.
    public struct Response: Hashable, Sendable {
        /// The status code.
        public var status: Int
        /// The fields, in order.
        public var fields: [Field] = []
        /// The body, up to its end or to the ``failure``.
        public var body = Data()
        /// The trailers, in order.
        public var trailers: [Field] = []
        /// The error that ended the body after these bytes, or `nil` if the body was read to its
        /// end.
        ///
        /// The code is `bodyIncomplete` if the reader stopped there.
        public var failure: Failure?

        /// Creates a response without fields and body.
        public init(status: Int) { self.status = status }
    }

    /// The recorded part of an ``/HTTPCore/HTTPError``: what code that handles errors may ask for.
    /// Times, heads and underlying errors are not kept.
    public struct Failure: Hashable, Sendable {
        /// The raw value of the ``/HTTPCore/HTTPError/Code``.
        public var code: String
        /// The error's sentence.
        public var message: String
        /// The part of the exchange that had been reached.
        public var phase: HTTPError.Phase?
        /// The limit that passed, for `timedOut`.
        public var timer: HTTPError.Timer?
        /// `true` if sending again may succeed.
        public var isRetryable = false
        /// `true` if a part of the request may have reached the server.
        public var mayHaveReachedServer = true

        /// Creates a failure that may have reached the server and is not retryable.
        public init(code: String, message: String) {
            self.code = code
            self.message = message
        }
    }

    /// The outcome of an exchange.
    public enum Outcome: Hashable, Sendable {
        /// A response, perhaps with a body that broke off.
        case response(Response)
        /// No response.
        case failure(Failure)
    }

    /// A request with its outcome.
    public struct Exchange: Hashable, Sendable {
        /// The request.
        public var request: Request
        /// The outcome.
        public var outcome: Outcome

        /// Creates an exchange.
        public init(_ request: Request, _ outcome: Outcome) {
            self.request = request
            self.outcome = outcome
        }
    }

    /// Adds an exchange after those that are equal to it in URL, method and request body.
    public mutating func append(_ exchange: Exchange) {
        let place = exchanges.firstIndex { exchange.request.precedes($0.request) }
        exchanges.insert(exchange, at: place ?? exchanges.endIndex)
    }
}

extension Recording.Request {
    /// Returns `true` if this request sorts before `other`. Compares bytes, so that the order is
    /// the same on every machine.
    fileprivate func precedes(_ other: Self) -> Bool {
        func order(_ a: some Sequence<UInt8>, _ b: some Sequence<UInt8>) -> Bool? {
            if a.lexicographicallyPrecedes(b) { return true }
            return b.lexicographicallyPrecedes(a) ? false : nil
        }
        return order(url.utf8, other.url.utf8) ?? order(method.utf8, other.method.utf8)
            ?? order(body, other.body) ?? false
    }
}

// MARK: - Conversion

extension Recording.Field {
    /// Returns the fields with their secrets removed.
    static func fields(of headers: HTTPHeaders, _ redaction: Redaction) -> [Self] {
        headers.map { field in
            Self(
                field.name.spelling,
                redaction.isSecret(field) ? nil : redaction.redacted(field.value))
        }
    }
}

extension HTTPHeaders {
    /// Creates headers from recorded fields, without secrets and invalid fields.
    fileprivate init(_ fields: [Recording.Field]) {
        self.init()
        for field in fields {
            guard let value = field.value else { continue }
            try? append(HTTPHeaderName(field.name), value)
        }
    }
}

extension Recording.Request {
    init(_ request: HTTPRequest, body: Data, _ redaction: Redaction) {
        self.init(request.method.rawValue, redaction.redacted(request.url.absoluteString))
        fields = Recording.Field.fields(of: request.headers, redaction)
            .sorted { $0.name.lowercased() < $1.name.lowercased() }
        self.body = redaction.redacted(body, type: request.headers[.contentType])
    }
}

extension Recording.Response {
    init(
        _ head: HTTPResponse.Head, body: Data, trailers: HTTPHeaders?, failure: Recording.Failure?,
        _ redaction: Redaction
    ) {
        self.init(status: head.status.code)
        self.body = redaction.redacted(body, type: head.headers[.contentType])
        self.trailers = Recording.Field.fields(of: trailers ?? [:], redaction)
        self.failure = failure
        fields = Recording.Field.fields(of: head.headers, redaction)
        // A length that is no longer right would look like a broken body.
        for index in fields.indices
        where self.body.count != body.count && fields[index].name.lowercased() == "content-length" {
            fields[index].value = "\(self.body.count)"
        }
    }
}

extension Recording.Failure {
    init(_ error: any Error) {
        if let error = error as? HTTPError {
            self.init(code: error.code.rawValue, message: error.message)
            phase = error.phase
            timer = error.timer
            isRetryable = error.isRetryable
            mayHaveReachedServer = error.mayHaveReachedServer
        } else {
            self.init(
                code: HTTPError.Code.connectionLost.rawValue, message: "a \(type(of: error))")
        }
    }

    var error: HTTPError {
        HTTPError(
            HTTPError.Code(rawValue: code), message, phase: phase, timer: timer,
            isRetryable: isRetryable, mayHaveReachedServer: mayHaveReachedServer)
    }
}

extension Recording.Outcome {
    func response(to request: HTTPRequest) throws(HTTPError) -> HTTPResponse {
        switch self {
        case .failure(let failure): throw failure.error
        case .response(let response):
            guard let status = HTTPStatus(code: response.status) else {
                throw HTTPError(
                    .decodingFailed, "the recorded status \(response.status) is not valid")
            }
            let headers = HTTPHeaders(response.fields)
            let body: HTTPBody
            if let failure = response.failure {
                body = HTTPBody(source: BrokenBodySource(response.body, failure.error))
            } else {
                body = HTTPBody(
                    response.body,
                    trailers: response.trailers.isEmpty ? nil : HTTPHeaders(response.trailers))
            }
            return HTTPResponse(status, headers: headers, body: body, to: request)
        }
    }
}

/// A body source that returns bytes and then throws an error.
private final class BrokenBodySource: HTTPBodySource {
    private let rest: Locked<Data?>
    private let error: HTTPError

    init(_ bytes: Data, _ error: HTTPError) {
        rest = Locked(bytes.isEmpty ? nil : bytes)
        self.error = error
    }

    func next() async throws -> Data? {
        guard let bytes = rest.withLock({ $0.take() }) else { throw error }
        return bytes
    }

    func abandon() { rest.withLock { $0 = nil } }
}
