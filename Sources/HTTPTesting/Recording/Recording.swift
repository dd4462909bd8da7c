public import HTTPCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Requests and their outcomes, without secrets: the content of a ``RecordingFile``.
public struct Recording: Hashable, Sendable {
    /// The exchanges, sorted by URL, method and request body. Exchanges that are equal in all three
    /// keep the order in which they were added.
    public private(set) var exchanges: [Exchange] = []

    public init() {}

    public struct Field: Hashable, Sendable {
        public var name: String
        /// The value, or `nil` for a secret.
        public var value: String?

        public init(_ name: String, _ value: String?) {
            self.name = name
            self.value = value
        }
    }

    public struct Request: Hashable, Sendable {
        public var method: String
        public var url: String
        public var fields: [Field] = []
        public var body = Data()

        public init(_ method: String, _ url: String) {
            self.method = method
            self.url = url
        }
    }

    public struct Response: Hashable, Sendable {
        public var status: Int
        public var fields: [Field] = []
        public var body = Data()
        public var trailers: [Field] = []
        /// The error that ended the body after these bytes, or `nil` if the body was read to its
        /// end.
        ///
        /// The code is `bodyIncomplete` if the reader stopped there.
        public var failure: Failure?

        public init(status: Int) { self.status = status }
    }

    /// The recorded part of an ``HTTPError``: what code that handles errors may ask for. Times,
    /// heads and underlying errors are not kept.
    public struct Failure: Hashable, Sendable {
        public var code: String
        public var message: String
        public var phase: HTTPError.Phase?
        public var timer: HTTPError.Timer?
        public var isRetryable = false
        public var mayHaveReachedServer = true

        public init(code: String, message: String) {
            self.code = code
            self.message = message
        }
    }

    public enum Outcome: Hashable, Sendable {
        case response(Response)
        case failure(Failure)
    }

    public struct Exchange: Hashable, Sendable {
        public var request: Request
        public var outcome: Outcome

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
