#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A request that ended without an acceptable response; to a transport, a response with an error
/// status is a response.
///
/// Cancellation is thrown as `CancellationError`, never wrapped.
public struct HTTPError: Error, Sendable {
    /// What to act on. Open: any target adds codes of its own as static members.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }
    }

    /// How far the exchange had come.
    public enum Phase: String, Sendable, Hashable {
        /// Nothing has been sent, and no connection was asked for.
        case preparing
        case queued, resolving, connecting, securing, sending
        /// The request is out, the response's head is not in.
        case waiting
        /// The head is in, the body is not complete.
        case receiving
    }

    /// A limit of time that passed.
    public struct Timer: Sendable, Hashable, CustomStringConvertible {
        public enum Name: String, Sendable, Hashable {
            /// Name resolution, connecting and TLS.
            case connect
            /// Between two arrivals or departures of bytes.
            case idle
            /// One exchange, from submission to the body's last byte.
            case total
            /// The call's own, over everything.
            case deadline
        }
        public var name: Name
        public var limit: Duration

        public init(_ name: Name, _ limit: Duration) {
            self.name = name
            self.limit = limit
        }

        public var description: String { "\(name.rawValue) limit of \(limit)" }
    }

    /// One reference keeps the error cheap to throw.
    private final class Storage: Sendable {
        let facts: Facts
        init(_ facts: Facts) { self.facts = facts }
    }

    private struct Facts: Sendable {
        var code: Code
        var message: String
        var phase: Phase?
        var timer: Timer?
        var url: String?
        var attempt: Int?
        var elapsed: Duration?
        var isRetryable: Bool
        var mayHaveReachedServer: Bool
        var response: HTTPResponse.Head?
        var bodyPrefix: Data?
        var timeline: HTTPTimeline?
        var options = HTTPOptions()
        var underlyingError: (any Error)?
    }

    private var storage: Storage

    /// - Parameters:
    ///   - message: one sentence for a log, free of header values, queries and body bytes.
    ///   - phase: `preparing` for `invalidRequest` and `unsupportedOption`, which mean it.
    ///   - isRetryable: whether sending the same request again may end otherwise.
    ///   - body: what there is of the response's body; see ``bodyPrefix``.
    public init(
        _ code: Code,
        _ message: String,
        phase: Phase? = nil,
        timer: Timer? = nil,
        isRetryable: Bool = false,
        mayHaveReachedServer: Bool = false,
        response: HTTPResponse.Head? = nil,
        body: Data? = nil,
        underlyingError: (any Error)? = nil
    ) {
        let isAboutSending = code != .invalidRequest && code != .unsupportedOption
        storage = Storage(
            Facts(
                code: code, message: message, phase: isAboutSending ? phase : .preparing,
                timer: timer, isRetryable: isRetryable,
                mayHaveReachedServer: mayHaveReachedServer, response: response,
                bodyPrefix: body.map(Self.prefix(of:)), underlyingError: underlyingError))
    }

    /// A copy, lest a small slice keeps a large body in memory.
    private static func prefix(of body: Data) -> Data { Data(Array(body.prefix(4 << 10))) }

    private func with(_ change: (inout Facts) -> Void) -> Self {
        var facts = storage.facts
        change(&facts)
        var copy = self
        copy.storage = Storage(facts)
        return copy
    }

    /// The same error, saying which exchange it ended. Called by transports.
    ///
    /// - Parameter url: kept without user information, query and fragment.
    public func ending(
        _ url: URL, attempt: Int? = nil, elapsed: Duration? = nil, timeline: HTTPTimeline? = nil,
        response: HTTPResponse.Head? = nil, body: Data? = nil
    ) -> Self {
        with {
            $0.url = url.logSafe
            $0.attempt = attempt ?? $0.attempt
            $0.elapsed = elapsed ?? $0.elapsed
            $0.timeline = timeline ?? $0.timeline
            $0.response = response ?? $0.response
            $0.bodyPrefix = body.map(Self.prefix(of:)) ?? $0.bodyPrefix
        }
    }

    /// The same error with a clause added to its sentence, and what the call did until now.
    package func noting(_ clause: String?, timeline: HTTPTimeline?) -> Self {
        with {
            if let clause { $0.message += "; \(clause)" }
            $0.timeline = timeline ?? $0.timeline
        }
    }

    /// The same error with the first bytes of its response's body, or with another cause inside.
    package func keeping(
        bodyPrefix: Data? = nil, underlyingError: (any Error)? = nil
    ) -> Self {
        with {
            $0.bodyPrefix = bodyPrefix ?? $0.bodyPrefix
            $0.underlyingError = underlyingError ?? $0.underlyingError
        }
    }

    /// The same error with what layers have told the caller on its response.
    package func keeping(options: HTTPOptions) -> Self {
        options.isEmpty ? self : with { $0.options = options }
    }

    public var code: Code { storage.facts.code }
    /// The code of the error that is furthest inside, such as `timedOut` of one that ended as
    /// `retriesExhausted`; ``code`` where there is none inside.
    public var innermostCode: Code { (underlyingError as? HTTPError)?.innermostCode ?? code }
    /// One sentence for a log, free of header values, queries and body bytes.
    public var message: String { storage.facts.message }
    public var phase: Phase? { storage.facts.phase }
    /// The limit that passed, for `timedOut`, else of the one inside the underlying error.
    public var timer: Timer? {
        storage.facts.timer ?? (underlyingError as? HTTPError)?.timer
    }
    /// Without user information, query and fragment.
    public var url: String? { storage.facts.url }
    /// How often the call had sent by then, 1 for the first time.
    public var attempt: Int? { storage.facts.attempt }
    /// Since the exchange was submitted.
    public var elapsed: Duration? { storage.facts.elapsed }
    /// Whether sending the same request again may end otherwise. Says nothing of whether the method
    /// allows it: see ``mayHaveReachedServer``.
    public var isRetryable: Bool { storage.facts.isRetryable }
    /// Whether any part of the request may have reached the server.
    public var mayHaveReachedServer: Bool { storage.facts.mayHaveReachedServer }
    /// Never a live body: an error in a list must not hold a connection.
    public var response: HTTPResponse.Head? { storage.facts.response }
    /// Of the response, else of the one inside the underlying error.
    public var status: HTTPStatus? {
        response?.status ?? (underlyingError as? HTTPError)?.status
    }
    /// The beginning of the response's body, where somebody had read it: what a server said in place of
    /// what was asked for. At most 4 KiB, unless a layer was told to keep more, see
    /// ``HTTPRequest/errorBodyLimit``. May hold secrets, and is in no description.
    public var bodyPrefix: Data? { storage.facts.bodyPrefix }
    public var timeline: HTTPTimeline? { storage.facts.timeline }
    public var underlyingError: (any Error)? { storage.facts.underlyingError }

    /// What layers, such as a validator, had set on the response that was not accepted: see
    /// ``HTTPResponse/options``. In no description.
    public var options: HTTPOptions { storage.facts.options }

    /// One of the ``options``: the extra of the response, for code that catches the failure.
    public subscript<Key: HTTPRequestOption>(key: Key.Type) -> Key.Value { options[key] }
}

extension HTTPError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// One line: code, sentence, and what is known of where and when. Free of secrets.
    public var description: String {
        var text = "\(code): \(message)"
        if let timer { text += "; \(timer)" }
        if let phase { text += "; phase \(phase.rawValue)" }
        if let url { text += "; \(url)" }
        if let attempt, attempt > 1 { text += "; attempt \(attempt)" }
        if let elapsed { text += "; after \(elapsed.milliseconds)" }
        return text
    }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension HTTPError.Code {
    /// The request cannot be sent as it is; nothing was. The message names the part.
    public static var invalidRequest: Self { Self(rawValue: "invalidRequest") }
    /// A setting or option that this transport cannot honour; nothing was sent.
    public static var unsupportedOption: Self { Self(rawValue: "unsupportedOption") }
    public static var nameNotResolved: Self { Self(rawValue: "nameNotResolved") }
    /// No connection to the server, or to the proxy, could be made.
    public static var cannotConnect: Self { Self(rawValue: "cannotConnect") }
    /// TLS failed before certificates were judged.
    public static var tlsFailed: Self { Self(rawValue: "tlsFailed") }
    /// The server's certificate was judged and refused.
    public static var serverNotTrusted: Self { Self(rawValue: "serverNotTrusted") }
    /// The connection ended before a complete head had arrived.
    public static var connectionLost: Self { Self(rawValue: "connectionLost") }
    /// The response is not HTTP as RFC 9110 and 9112 define it.
    public static var protocolViolation: Self { Self(rawValue: "protocolViolation") }
    public static var headersTooLarge: Self { Self(rawValue: "headersTooLarge") }
    /// The body ended before its framing said so.
    public static var bodyIncomplete: Self { Self(rawValue: "bodyIncomplete") }
    /// The body is longer than the limit that the reader set.
    public static var bodyTooLarge: Self { Self(rawValue: "bodyTooLarge") }
    /// A second iteration of a body that can be read once.
    public static var bodyAlreadyRead: Self { Self(rawValue: "bodyAlreadyRead") }
    /// The content coding is unknown or its data broken.
    public static var contentDecodingFailed: Self { Self(rawValue: "contentDecodingFailed") }
    /// The request's body could not be produced: see `underlyingError`.
    public static var requestBodyFailed: Self { Self(rawValue: "requestBodyFailed") }
    /// A limit of time passed: see `timer`.
    public static var timedOut: Self { Self(rawValue: "timedOut") }
    /// The body is empty, where that is not accepted.
    public static var emptyResponse: Self { Self(rawValue: "emptyResponse") }
    /// The body arrived but is not what the caller asked for: see `underlyingError`.
    public static var decodingFailed: Self { Self(rawValue: "decodingFailed") }
    /// Credentials could not be refreshed, for this call or for one that it waited with; the cause is
    /// inside.
    public static var refreshFailed: Self { Self(rawValue: "refreshFailed") }
    /// So many requests wait already that one more is refused.
    public static var queueFull: Self { Self(rawValue: "queueFull") }
    /// No connection or permit was free in time.
    public static var queueTimedOut: Self { Self(rawValue: "queueTimedOut") }
    public static var sessionClosed: Self { Self(rawValue: "sessionClosed") }
    /// A failure of this package or of a library below it; please report it.
    public static var internalFailure: Self { Self(rawValue: "internalFailure") }
}

extension Duration {
    /// `"12.3 ms"`, for one line of text.
    package var milliseconds: String {
        let tenths = (attoseconds / 100_000_000_000_000).magnitude
        return "\(self < .zero && tenths > 0 ? "-" : "")\(tenths / 10).\(tenths % 10) ms"
    }
}

extension URL {
    /// Scheme, host, port and path: user information, query and fragment may be secrets, and so may
    /// all that follows the scheme of a URL without a host (`user:password@host`, `data:…`).
    package var logSafe: String {
        let text = absoluteString
        guard let uri = try? URIReference(text) else { return "<not a URL>" }
        var safe = uri.scheme.map { "\($0):" } ?? ""
        if uri.scheme != nil, uri.authority == nil { return safe + "…" }
        if let authority = uri.authority {
            safe += "//\(authority.host)" + (authority.port.map { ":\($0)" } ?? "")
        }
        return safe + uri.path + (uri.query == nil ? "" : "?…")
    }
}
