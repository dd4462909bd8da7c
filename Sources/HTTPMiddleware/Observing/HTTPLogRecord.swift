public import HTTPCore

/// A record of a log: an event of one exchange, free of secrets except those in bodies and paths.
///
/// ``HTTPLogging`` makes them. The same record is a text for people (``description``), a line of
/// `name=value` pairs (``logfmt``), a JSON object (``json``), or the values that a logger takes.
public struct HTTPLogRecord: Sendable, Hashable {
    /// The moments of an exchange that are logged.
    public enum Event: String, Sendable {
        /// The request is passed on.
        case request
        /// The response's head has come.
        case response
        /// The response's body has ended, been abandoned, or failed: see ``bodyEnd``.
        case ended
        /// There is no response: see ``error``.
        case failed
    }

    /// The ways in which a response's body ends.
    public enum BodyEnd: String, Sendable {
        /// The body was read, or received, to its end.
        case complete
        /// The body was given up before its end.
        case abandoned
        /// The body could not be received: see ``HTTPLogRecord/error``.
        case failed
    }

    /// A field of the request or response, with its name as it was written.
    public struct Field: Sendable, Hashable {
        /// The name of the field, as it was written.
        public var name: String
        /// The value; `<redacted>` if it is sensitive.
        public var value: String

        init(_ field: HTTPHeaders.Field) {
            name = field.name.spelling
            value = field.isSensitive ? "<redacted>" : field.value
        }
    }

    /// The moment of the exchange.
    public var event: Event
    /// The number of the call, unique in the process. See ``/HTTPCore/HTTPCall/id``.
    public var callID: UInt64
    /// The number of the exchange in its call, from 1.
    public var exchange: Int
    /// The request's method.
    public var method: HTTPMethod
    /// The request's URL without user information, query and fragment.
    public var url: String
    /// The response's status; `nil` before there is a response.
    public var status: HTTPStatus?
    /// The time since the request was passed on; `nil` for the request itself.
    public var duration: Duration?
    /// The bytes of the body: those to send, for a request, if there is a body of known length; and
    /// those that were received, after content decoding, for a body that has ended.
    public var bodyBytes: Int64?
    /// The end of the body, for ``Event/ended``.
    public var bodyEnd: BodyEnd?
    /// The kind of the error. See ``/HTTPCore/HTTPError/typeName(of:)``.
    public var errorType: String?
    /// The error as a sentence. Of an error that is no `HTTPError`, and may therefore contain
    /// anything, only the type is named.
    public var error: String?
    /// The fields of the request or the response, in order; `nil` below the level `headers`.
    public var headers: [Field]?
    /// The beginning of the body, or a note that it is not text; `nil` below the level `body`.
    public var body: String?

    /// `true` if the request has a body of unknown length.
    var hasUnknownLength = false

    init(_ event: Event, _ request: HTTPRequest, exchange: Int, after duration: Duration? = nil) {
        self.event = event
        callID = request.call?.id ?? 0
        self.exchange = exchange
        method = request.method
        url = request.url.logSafe
        self.duration = duration
    }

    /// `true` if the exchange has failed. A status of 4xx or 5xx is no failure of the exchange.
    public var isFailure: Bool { event == .failed || bodyEnd == .failed }

    mutating func note(_ error: any Error) {
        errorType = HTTPError.typeName(of: error)
        self.error =
            switch error {
            case let error as HTTPError: "\(error)"
            case is CancellationError: "cancelled"
            default: "\(type(of: error))"
            }
    }
}

// MARK: - As text

extension HTTPLogRecord: CustomStringConvertible {
    /// A text of one or more lines, which begins with the numbers of the call and the exchange:
    /// `17.2 <-- 200 OK in 12.3 ms`.
    ///
    /// Fields and the body follow on lines of their own, each with a margin of two spaces, so no
    /// body can contain a line that looks like the beginning of another record. Characters that
    /// control a terminal or reorder text are escaped.
    public var description: String {
        var text = "\(callID).\(exchange) "
        let time = (duration ?? .zero).milliseconds
        switch event {
        case .request:
            text += "--> \(method.rawValue.isToken ? method.rawValue : method.rawValue.logSafe) "
            text += url.escapingControls()
            if hasUnknownLength { text += " (some bytes)" }
            if let bodyBytes { text += " (\(bodyBytes) bytes)" }
        case .response: text += "<-- \(status.map { "\($0)" } ?? "") in \(time)"
        case .ended:
            text += "<-- body of \(bodyBytes ?? 0) bytes \(bodyEnd?.rawValue ?? "")"
            if let error { text += " (\(error.escapingControls()))" }
            text += " after \(time)"
        case .failed: text += "<-- failed after \(time): \((error ?? "").escapingControls())"
        }
        for field in headers ?? [] {
            text += "\n  " + "\(field.name): \(field.value)".escapingControls()
        }
        if let body {
            text += "\n"
            for line in body.escapingControls(keepingLines: true).split(
                omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            { text += "\n  " + line }
        }
        return text
    }
}

// MARK: - As one line

extension HTTPLogRecord {
    private enum Value {
        case number(String)
        case text(String)
        case fields([Field])
    }

    /// The values that are there, in order.
    private var values: [(name: String, value: Value)] {
        [
            ("event", .text(event.rawValue)), ("call", .number("\(callID)")),
            ("exchange", .number("\(exchange)")), ("method", .text(method.rawValue)),
            ("url", .text(url)), ("status", status.map { .number("\($0.code)") }),
            ("duration_ms", duration.map { .number($0.inMilliseconds) }),
            ("body_bytes", bodyBytes.map { .number("\($0)") }),
            ("body_end", bodyEnd.map { .text($0.rawValue) }),
            ("error_type", errorType.map { .text($0) }), ("error", error.map { .text($0) }),
            ("headers", headers.map { .fields($0) }), ("body", body.map { .text($0) }),
        ].compactMap { (name: String, value: Value?) in value.map { (name, $0) } }
    }

    /// The record as one line of `name=value` pairs:
    /// `event=response call=17 exchange=2 method=GET url=https://h/a status=200 duration_ms=1.234`.
    ///
    /// The names are `event`, `call`, `exchange`, `method`, `url`, `status`, `duration_ms`,
    /// `body_bytes`, `body_end`, `error_type`, `error`, `header.NAME` for each field in lower case,
    /// and `body`. A value with blanks, quotes, `=`, or characters that are not printed is a JSON
    /// string.
    public var logfmt: String {
        values.flatMap { name, value in
            switch value {
            case .number(let text): ["\(name)=\(text)"]
            case .text(let text): ["\(name)=\(text.pairValue)"]
            case .fields(let fields):
                fields.map { "header.\($0.name.lowercased())=\($0.value.pairValue)" }
            }
        }.joined(separator: " ")
    }

    /// The record as a JSON object on one line, with the names of ``logfmt``. `headers` is an array
    /// of arrays of a name, in lower case, and a value.
    public var json: String {
        let members = values.map { name, value in
            let text =
                switch value {
                case .number(let text): text
                case .text(let text): text.quoted
                case .fields(let fields):
                    "["
                        + fields.map { "[\($0.name.lowercased().quoted),\($0.value.quoted)]" }
                        .joined(separator: ",") + "]"
                }
            return "\(name.quoted):\(text)"
        }
        return "{" + members.joined(separator: ",") + "}"
    }
}

extension Duration {
    /// The number of milliseconds with three decimals, such as `12.345`.
    fileprivate var inMilliseconds: String {
        let microseconds = (attoseconds / 1_000_000_000_000).magnitude
        let decimals = "\(microseconds % 1000 + 1000)".dropFirst()
        return "\(self < .zero && microseconds > 0 ? "-" : "")\(microseconds / 1000).\(decimals)"
    }
}

extension String {
    /// The text as a value of a pair.
    fileprivate var pairValue: String {
        let isPlain =
            !isEmpty
            && unicodeScalars.allSatisfy {
                $0.value > 0x20 && $0 != "=" && $0 != "\"" && $0 != "\\" && !$0.misleadsLogs
            }
        return isPlain ? self : quoted
    }

    /// The text as a JSON string (RFC 8259 §7) without characters that break a line, control a
    /// terminal or reorder text.
    fileprivate var quoted: String {
        var text = "\""
        for scalar in unicodeScalars { text += scalar.inJSONString }
        return text + "\""
    }
}
