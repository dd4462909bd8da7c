public import PortableFoundation

/// The failure of a request that ended without an acceptable response. For a transport, a response
/// with an error status is a response.
///
/// Cancellation is thrown as `CancellationError`, never wrapped.
public struct HTTPError: Error, Sendable {
    // The codes that several targets use are in `HTTPError+Code.swift`. A target's own codes are
    // in its file `HTTPError+Retry.swift`, `HTTPError+Middleware.swift` and so on.

    /// The kind of failure, for code that handles errors. The set is open: any target adds codes of
    /// its own as static members.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue.escapingControls() }
    }

    /// The part of the exchange that had been reached.
    public enum Phase: String, Sendable, Hashable {
        /// Nothing has been sent, and no connection was requested.
        case preparing
        /// The request waits for a connection or for its turn.
        case queued
        /// The addresses of the server or of a proxy are looked up.
        case resolving
        /// A connection is being made.
        case connecting
        /// The TLS handshake is under way, or certificates are checked.
        case securing
        /// A part of the request may have been sent.
        case sending
        /// The request has been sent, but the response's head has not arrived.
        case waiting
        /// The head has arrived. The body may be complete, if the error is about what it says.
        case receiving
    }

    /// A time limit that passed.
    public struct Timer: Sendable, Hashable, CustomStringConvertible {
        /// The limits that can pass, as ``HTTPTimeouts`` and ``HTTPRequest/deadline`` set them.
        public enum Name: String, Sendable, Hashable, CustomStringConvertible {
            /// Name resolution, connecting and TLS.
            case connect
            /// The TLS handshake alone.
            case tls
            /// The time from the end of the request to the response's final head.
            case responseHead
            /// The time between two transfers of bytes, in either direction.
            case idle
            /// One exchange, from submission to the last byte of the body.
            case total
            /// The whole call.
            case deadline

            /// The words for the limit in a sentence, such as `"response head"`.
            public var description: String {
                switch self {
                case .tls: "TLS"
                case .responseHead: "response head"
                case .connect, .idle, .total, .deadline: rawValue
                }
            }
        }
        /// The limit that passed.
        public var name: Name
        /// The limit as it was set. A deadline that was set to a moment has the time from the
        /// call's beginning.
        public var limit: Duration

        /// Creates the record of a limit, as it was set.
        public init(_ name: Name, _ limit: Duration) {
            self.name = name
            self.limit = limit
        }

        public var description: String { "\(name) limit of \(limit.readable)" }
    }

    /// A single reference keeps the error cheap to throw.
    private final class Storage: Sendable {
        let facts: Facts
        init(_ facts: Facts) { self.facts = facts }
    }

    struct Facts: Sendable {
        /// Sets the phase of an error that has none, by what is known of its exchange.
        mutating func completePhase() {
            guard phase == nil else { return }
            let cause = (underlyingError as? HTTPError)?.phase
            switch (response, timer?.name) {
            case (_?, _): phase = .receiving
            case (nil, .connect): phase = .connecting
            case (nil, .tls): phase = .securing
            default: phase = cause ?? (mayHaveReachedServer ? .sending : .preparing)
            }
        }

        var code: Code
        var message: String
        var phase: Phase?
        var timer: Timer?
        var method: HTTPMethod?
        var url: String?
        var attempt: Int?
        var elapsed: Duration?
        var isRetryable: Bool
        var mayHaveReachedServer: Bool
        var response: HTTPResponse.Head?
        var bodyPrefix: Data?
        var retryAfter: Duration?
        var timeline: HTTPTimeline?
        var options = HTTPOptions()
        var underlyingError: (any Error)?
        var attempts: (count: Int, clauses: String)?
    }

    private var storage: Storage

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of the error.
    ///   - message: One sentence for a log, free of header values, queries and body bytes.
    ///   - phase: The phase; always `preparing` for `invalidRequest` and `unsupportedOption`, and
    ///     `receiving` by itself if there is a response.
    ///   - timer: The limit that passed, for `timedOut`.
    ///   - isRetryable: `true` if sending the same request again may succeed.
    ///   - mayHaveReachedServer: `true` if a part of the request may have reached the server, in
    ///     this attempt or an earlier one. `nil` goes by the rest: `true` if there is a response or
    ///     the phase is `sending` or later; without a phase, also for a connection, a response or
    ///     a time limit of which it is not known that nothing was sent.
    ///   - response: The head of the response, if one has come.
    ///   - body: The bytes of the response's body that have been read. See ``bodyPrefix``.
    ///   - retryAfter: The time after which the request may be sent. See ``retryAfter``.
    ///   - underlyingError: The error that led to this one.
    public init(
        _ code: Code,
        _ message: String,
        phase: Phase? = nil,
        timer: Timer? = nil,
        isRetryable: Bool = false,
        mayHaveReachedServer: Bool? = nil,
        response: HTTPResponse.Head? = nil,
        body: Data? = nil,
        retryAfter: Duration? = nil,
        underlyingError: (any Error)? = nil
    ) {
        let isAboutSending = code != .invalidRequest && code != .unsupportedOption
        let phase = isAboutSending ? phase ?? response.map { _ in .receiving } : .preparing
        storage = Storage(
            Facts(
                code: code, message: message.escapingControls(), phase: phase, timer: timer,
                isRetryable: isRetryable,
                mayHaveReachedServer: mayHaveReachedServer
                    ?? Self.mayHaveReachedServer(code, phase, timer, response),
                response: response, bodyPrefix: body.map(Self.prefix(of:)), retryAfter: retryAfter,
                underlyingError: underlyingError))
    }

    /// The number of bytes that an error keeps of a body, unless it is about a response that is not
    /// accepted or cannot be decoded.
    static let prefixLength = 4 << 10

    /// A copy, because a small slice would keep a large body in memory.
    private static func prefix(of body: Data) -> Data {
        Data(Array(body.prefix(prefixLength)))
    }

    func with(_ change: (inout Facts) -> Void) -> Self {
        var facts = storage.facts
        change(&facts)
        var copy = self
        copy.storage = Storage(facts)
        return copy
    }

    /// Returns the same error with the exchange that it ended, for code that has no request. See
    /// ``ending(_:attempt:elapsed:timeline:response:body:)``.
    ///
    /// - Parameters:
    ///   - url: The URL; kept without user information, query and fragment.
    ///   - method: The method of the request.
    ///   - attempt: The number of the exchange in its call, from 1.
    ///   - elapsed: The time since the exchange was submitted.
    ///   - timeline: The exchanges of the call so far.
    ///   - response: The head of the response, if one has come.
    ///   - body: The bytes of the body that have been read.
    public func ending(
        _ url: URL, method: HTTPMethod? = nil, attempt: Int? = nil, elapsed: Duration? = nil,
        timeline: HTTPTimeline? = nil, response: HTTPResponse.Head? = nil, body: Data? = nil
    ) -> Self {
        let text = url.logSafe
        return with {
            $0.method = method ?? ($0.url == text ? $0.method : nil)
            $0.url = text
            $0.attempt = attempt ?? $0.attempt
            $0.elapsed = elapsed ?? $0.elapsed
            $0.timeline = timeline ?? $0.timeline
            $0.response = response ?? $0.response
            $0.mayHaveReachedServer = $0.mayHaveReachedServer || response != nil
            $0.bodyPrefix = body.map(Self.prefix(of:)) ?? $0.bodyPrefix
            $0.completePhase()
        }
    }

    /// Returns the same error with how far its exchange had come. Called by transports for an error
    /// whose author does not know that, such as the producer of a body.
    package func inPhase(_ phase: Phase?, mayHaveReachedServer: Bool) -> Self {
        if phase == self.phase, mayHaveReachedServer == self.mayHaveReachedServer { return self }
        return with {
            $0.phase = phase
            $0.mayHaveReachedServer = mayHaveReachedServer
        }
    }

    /// Returns the same error with the method and the URL of a message, if it has none yet. An
    /// error of a later hop, to another URL, stays as it is.
    func naming(_ method: HTTPMethod, _ url: URL) -> Self {
        guard storage.facts.method == nil || storage.facts.phase == nil else { return self }
        let text = url.logSafe
        let isOfRequest = storage.facts.url == nil || storage.facts.url == text
        return with {
            if $0.method == nil, isOfRequest {
                $0.method = method
                $0.url = text
            }
            $0.completePhase()
        }
    }

    /// Returns the same error with a clause added to its message.
    package func noting(_ clause: String) -> Self {
        with { $0.message += "; \(clause.escapingControls())" }
    }

    /// Returns the same error with the call's timeline so far.
    package func noting(timeline: HTTPTimeline?) -> Self {
        with { $0.timeline = timeline ?? $0.timeline }
    }

    /// Returns the same error with the number of the call's attempts, and clauses on them for the
    /// end of the message, in the place of earlier ones.
    package func noting(attempts count: Int, _ clauses: String) -> Self {
        with { $0.attempts = (count, clauses) }
    }

    /// Returns the same error for a call of which an earlier exchange may have reached a server.
    ///
    /// Called by every layer that sends more than once: the caller must learn about all of the
    /// call, not only about its last exchange.
    package func havingReachedServer(_ hasReached: Bool = true) -> Self {
        hasReached && !mayHaveReachedServer ? with { $0.mayHaveReachedServer = true } : self
    }

    /// Returns the same error, which says that another attempt may succeed.
    package func retryable(_ isRetryable: Bool = true) -> Self {
        isRetryable && !self.isRetryable ? with { $0.isRetryable = true } : self
    }

    /// Returns the same error with the first bytes of the response's body, another underlying
    /// error, or the wait that the response asks for.
    package func keeping(
        bodyPrefix: Data? = nil, underlyingError: (any Error)? = nil, retryAfter: Duration? = nil
    ) -> Self {
        with {
            $0.bodyPrefix = bodyPrefix ?? $0.bodyPrefix
            $0.underlyingError = underlyingError ?? $0.underlyingError
            $0.retryAfter = retryAfter ?? $0.retryAfter
        }
    }

    /// Returns the same error with the first bytes of a body that could not be read to its end,
    /// unless it has some already.
    package func beginning(_ body: Data) -> Self {
        bodyPrefix == nil && !body.isEmpty
            ? with { $0.bodyPrefix = Self.prefix(of: body) } : self
    }

    /// Returns the same error with the options that layers set on its response.
    package func keeping(options: HTTPOptions) -> Self {
        options.isEmpty ? self : with { $0.options = options }
    }

    /// The kind of the error, to act on.
    public var code: Code { storage.facts.code }
    /// The code of the innermost underlying error, such as `timedOut` for an error whose ``code``
    /// is `refreshFailed`; ``code`` if there is no underlying `HTTPError`.
    public var innermostCode: Code { (underlyingError as? HTTPError)?.innermostCode ?? code }
    /// One sentence for a log, free of header values, queries and body bytes. When retries run out,
    /// it says how many attempts there were, or why there was no other.
    public var message: String {
        guard let attempts = storage.facts.attempts else { return statement }
        let lead = attempts.count > 1 ? "after \(attempts.count) attempts: " : ""
        return lead + statement + attempts.clauses
    }
    /// The ``message`` without the note on the call's attempts.
    package var statement: String { storage.facts.message }
    /// The part of the exchange that had been reached; `nil` if the error is about no call, such as
    /// one of a cookie file.
    public var phase: Phase? { storage.facts.phase }
    /// The limit that passed, for `timedOut`, or the one of the underlying error.
    public var timer: Timer? {
        storage.facts.timer ?? (underlyingError as? HTTPError)?.timer
    }
    /// The method of the request; `nil` if the error is about no request.
    public var method: HTTPMethod? { storage.facts.method }
    /// The URL, without user information, query and fragment.
    public var url: String? { storage.facts.url }
    /// The number of the exchange that failed within its call, 1 for the first.
    ///
    /// It counts every send: attempts, redirect hops, and requests that are sent again with
    /// credentials. `HTTPRetryEvent.attempt` counts only attempts.
    public var attempt: Int? { storage.facts.attempt }
    /// The time since the exchange was submitted.
    public var elapsed: Duration? { storage.facts.elapsed }
    /// `true` if sending the same request again may succeed. This does not say whether the method
    /// allows it. See ``mayHaveReachedServer``.
    public var isRetryable: Bool { storage.facts.isRetryable }
    /// `true` if any part of the request may have reached the server, in any attempt of the call.
    public var mayHaveReachedServer: Bool { storage.facts.mayHaveReachedServer }
    /// The head of the response. Never a live body: an error in a list must not hold a connection.
    public var response: HTTPResponse.Head? { storage.facts.response }
    /// The status of the response, or the one of the underlying error.
    public var status: HTTPStatus? {
        response?.status ?? (underlyingError as? HTTPError)?.status
    }
    /// The beginning of the body that could not be used, if it was read: the response's, or that of
    /// a request whose body a layer has collected.
    ///
    /// An error about a response that is not accepted or cannot be decoded has at most
    /// ``HTTPRequest/errorBodyLimit`` bytes of it, 64 KiB by default. Any other error has at most
    /// 4 KiB. The bytes may hold secrets, and no description contains them.
    ///
    /// It is `nil` if no byte of the body was read, such as after a retry decision or a refresh
    /// that failed while the body was on its way, or if the program has read them itself: an error
    /// that ends the iteration of a body has none.
    public var bodyPrefix: Data? { storage.facts.bodyPrefix }
    /// The time, from the error on, after which the request may be sent; `nil` if it is not known.
    ///
    /// A limit of this client sets it for a request that it has refused before it was sent, such as
    /// one that would have waited too long. For a status that may succeed later, it is the server's
    /// `Retry-After`.
    public var retryAfter: Duration? { storage.facts.retryAfter }

    /// The exchanges of the call up to the error; `nil` if nothing was sent.
    public var timeline: HTTPTimeline? { storage.facts.timeline }
    /// The error that led to this one, such as a `DecodingError`, or the last attempt's. It may
    /// contain anything, and no description contains it.
    public var underlyingError: (any Error)? { storage.facts.underlyingError }

    /// The options that layers, such as a validator, set on the response that was not accepted. See
    /// `options`. No description contains them.
    package var options: HTTPOptions { storage.facts.options }

    /// One of the `options`, for code that catches the error.
    public subscript<Key: HTTPRequestOption>(key: Key.Type) -> Key.Value { options[key] }
}

extension HTTPError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// One line: the code, the message, and the known circumstances, such as the method and the
    /// URL. Free of secrets.
    public var description: String {
        var text = "\(code): \(message)"
        if let timer { text += "; \(timer)" }
        if let phase { text += "; phase \(phase)" }
        if let url { text += "; " + (method.map { "\($0.logSafe) " } ?? "") + url }
        if let retryAfter { text += "; retry after \(retryAfter.readable)" }
        if let attempt, attempt > 1, attempt != storage.facts.attempts?.count {
            text += "; attempt \(attempt)"
        }
        if let elapsed { text += "; after \(elapsed.readable)" }
        return text
    }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension HTTPMethod {
    /// The method as it is; in quotes and escaped if it is none, or very long.
    fileprivate var logSafe: String {
        rawValue.utf8.count <= 40 && rawValue.isToken ? rawValue : rawValue.logSafe
    }
}

extension HTTPError: LocalizedError {
    /// The same as ``description``, in English: `localizedDescription` of Foundation returns it.
    public var errorDescription: String? { description }
}

extension HTTPError {
    /// Returns the name of an error's kind, for metrics and for `error.type` of OpenTelemetry.
    ///
    /// There are few such names: the ``code-swift.property`` of an `HTTPError`, such as `timedOut`;
    /// `cancelled` for a `CancellationError`; the name of the type for any other error.
    public static func typeName(of error: any Error) -> String {
        switch error {
        case let error as HTTPError: error.code.rawValue
        case is CancellationError: "cancelled"
        default: "\(type(of: error))"
        }
    }
}
