#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An event of an event stream (HTML Standard §9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// `message` unless the server named another.
    public var type: String
    /// The lines of data, joined by LF.
    public var data: String
    /// What a reconnection after this event sends as `Last-Event-ID`; empty when the server has
    /// named none, or has taken it back.
    public var lastEventID: String

    public init(type: String = "message", data: String, lastEventID: String = "") {
        self.type = type
        self.data = data
        self.lastEventID = lastEventID
    }
}

/// Reads an event stream in whatever pieces it arrives, to the letter of the HTML Standard §9.2.6.
///
/// An event is given out at the blank line that ends it; what the end of the stream cuts off is no
/// event.
public struct ServerSentEventParser: Sendable {
    private var lines: LineSplitter
    private let limit: Int
    private var type = ""
    /// The lines so far, joined; `nil` before the first.
    private var data: String?
    private var dataLength = 0
    /// Takes effect at the next blank line.
    private var idBuffer: String

    /// What a reconnection sends as `Last-Event-ID`, if it is not empty.
    public private(set) var lastEventID: String
    /// How long the server asks to wait before a reconnection; `nil` if it has not.
    public private(set) var reconnectionTime: Duration?

    /// - Parameters:
    ///   - lastEventID: the one that an earlier connection ended with.
    ///   - limit: of one line, and of one event's data, in octets.
    public init(lastEventID: String = "", upTo limit: Int = HTTPBody.defaultLimit) {
        self.lines = LineSplitter(ends: .any, limit: limit)
        self.limit = limit
        self.idBuffer = lastEventID
        self.lastEventID = lastEventID
    }

    public mutating func append(_ octets: Data) { lines.append(octets) }

    /// The next event, or `nil` when more octets are needed.
    ///
    /// - Throws: `elementTooLarge`.
    public mutating func next() throws(HTTPError) -> ServerSentEvent? {
        while let line = try lines.next() {
            if !line.isEmpty {
                try process(line)
            } else if let event = dispatch() {
                return event
            }
        }
        return nil
    }

    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = idBuffer
        defer {
            type = ""
            data = nil
            dataLength = 0
        }
        guard let data else { return nil }
        return ServerSentEvent(
            type: type.isEmpty ? "message" : type,
            data: data,
            lastEventID: lastEventID)
    }

    private mutating func process(_ line: Range<Int>) throws(HTTPError) {
        let (field, value) = split(line)
        switch field {
        case .data:
            guard dataLength + value.count <= limit else {
                throw HTTPError.elementTooLarge("an event", limit: limit)
            }
            let line = text(value)
            if data == nil {
                data = line
            } else {
                data?.append("\n")
                data?.append(line)
            }
            dataLength += value.count + 1
        case .event: type = text(value)
        case .id: if !lines.octets[value].contains(0) { idBuffer = text(value) }
        case .retry: reconnectionTime = milliseconds(value) ?? reconnectionTime
        case .other: break
        }
    }

    private func text(_ range: Range<Int>) -> String {
        lines.text(range)
    }

    /// Digits and nothing else; what exceeds an `Int64` is as good as its maximum.
    private func milliseconds(_ range: Range<Int>) -> Duration? {
        let digits = lines.octets[range]
        guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) else { return nil }
        return .milliseconds(Int64(String(decoding: digits, as: UTF8.self)) ?? .max)
    }

    private enum Field { case data, event, id, retry, other }

    private func split(_ line: Range<Int>) -> (Field, value: Range<Int>) {
        let octets = lines.octets.span
        // No field's name is longer than five letters: a colon further on ends no known one.
        var colon = line.lowerBound
        let furthest = min(line.upperBound, line.lowerBound + 6)
        while colon < furthest, octets[colon] != UInt8(ascii: ":") { colon += 1 }
        let start = line.lowerBound
        let field: Field =
            switch colon - start {
            case 4 where octets.matches("data", at: start): .data
            case 5 where octets.matches("event", at: start): .event
            case 2 where octets.matches("id", at: start): .id
            case 5 where octets.matches("retry", at: start): .retry
            default: .other
            }
        var value = min(colon + 1, line.upperBound)
        if value < line.upperBound, octets[value] == UInt8(ascii: " ") { value += 1 }
        return (field, value..<line.upperBound)
    }
}

extension Span<UInt8> {
    fileprivate func matches(_ name: StaticString, at start: Int) -> Bool {
        name.withUTF8Buffer { name in
            for index in 0..<name.count where unsafe self[start + index] != name[index] {
                return false
            }
            return true
        }
    }
}

extension HTTPBody {
    /// The body as an event stream, see ``serverSentEvents(after:upTo:)``.
    public var serverSentEvents: ServerSentEvents { serverSentEvents() }

    /// The body as an event stream: events as they arrive, of whatever type. Ends where the body
    /// ends; connecting again is for others.
    ///
    /// - Parameters:
    ///   - lastEventID: the one that an earlier connection ended with.
    ///   - limit: of one line, and of one event's data, in octets; reading throws `elementTooLarge`
    ///     beyond.
    public func serverSentEvents(
        after lastEventID: String = "", upTo limit: Int = defaultLimit
    ) -> ServerSentEvents {
        ServerSentEvents(
            body: self, parser: ServerSentEventParser(lastEventID: lastEventID, upTo: limit))
    }

    /// See ``HTTPBody/serverSentEvents(after:upTo:)``. Iterating reads the body: once, if it is a
    /// stream.
    public struct ServerSentEvents: AsyncSequence, Sendable {
        fileprivate let body: HTTPBody
        fileprivate let parser: ServerSentEventParser

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(octets: body.makeAsyncIterator(), parser: parser)
        }

        public struct AsyncIterator: AsyncIteratorProtocol {
            private var octets: HTTPBody.AsyncIterator?
            private var parser: ServerSentEventParser

            fileprivate init(octets: HTTPBody.AsyncIterator, parser: ServerSentEventParser) {
                self.octets = octets
                self.parser = parser
            }

            /// As of ``ServerSentEventParser/lastEventID``; holds after the end, too.
            public var lastEventID: String { parser.lastEventID }
            /// As of ``ServerSentEventParser/reconnectionTime``; holds after the end, too.
            public var reconnectionTime: Duration? { parser.reconnectionTime }

            public mutating func next() async throws -> ServerSentEvent? {
                try await next(isolation: #isolation)
            }

            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws -> ServerSentEvent? {
                do {
                    while octets != nil {
                        if let event = try parser.next() { return event }
                        if let piece = try await octets?.next() {
                            parser.append(piece)
                        } else {
                            octets = nil
                        }
                    }
                    return nil
                } catch {
                    octets = nil
                    throw error
                }
            }
        }
    }
}

extension HTTPResponse {
    /// The body as an event stream, if the response says that it is one: status 200 and
    /// `text/event-stream` (HTML Standard §9.2.3).
    ///
    /// - Throws: `decodingFailed` when it does not; the body is left unread.
    public func serverSentEvents(
        after lastEventID: String = "", upTo limit: Int = HTTPBody.defaultLimit
    ) throws(HTTPError) -> HTTPBody.ServerSentEvents {
        let contentType = headers[.contentType] ?? ""
        guard status.code == 200, headers.contentType?.essence == MediaType.eventStream.essence
        else {
            throw HTTPError(
                .decodingFailed,
                "a \(status.code) of type \(contentType.logSafe) is no event stream",
                phase: .receiving, mayHaveReachedServer: true
            ).ending(url, response: head)
        }
        return body.serverSentEvents(after: lastEventID, upTo: limit)
    }
}
