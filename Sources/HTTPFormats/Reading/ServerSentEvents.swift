public import HTTPCore
package import PortableFoundation

/// An event in an event stream (HTML Standard §9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The type; `message` unless the server named another.
    public var type: String
    /// The lines of data, joined by LF.
    public var data: String
    /// The identifier that a reconnection after this event sends as `Last-Event-ID`. Empty if the
    /// server has named none, or has reset it.
    public var lastEventID: String
    /// The decoder of the client that received the event, if it is not a plain one. It is not a
    /// part of the value.
    var decoder: JSONDecoder?

    /// Creates an event, for tests of code that reads events.
    public init(type: String = "message", data: String, lastEventID: String = "") {
        self.type = type
        self.data = data
        self.lastEventID = lastEventID
    }

    public static func == (a: Self, b: Self) -> Bool {
        a.type == b.type && a.data == b.data && a.lastEventID == b.lastEventID
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(data)
        hasher.combine(lastEventID)
    }
}

/// A parser for an event stream, in whatever pieces it arrives. It follows HTML Standard §9.2.6
/// exactly.
///
/// An event is returned at the blank line that ends it. An event that the end of the stream cuts
/// off is dropped, except for the one that ends the source by its data.
package struct ServerSentEventParser: Sendable {
    private var lines: LineSplitter
    private var event: PendingEvent
    /// The decoder that events carry.
    fileprivate var decoder: JSONDecoder?

    /// Creates a parser.
    ///
    /// - Parameters:
    ///   - lastEventID: The last identifier of an earlier connection.
    ///   - limit: The maximum length of a line, and of the data of an event, in bytes.
    package init(lastEventID: String = "", upTo limit: Int = HTTPBody.defaultLimit) {
        lines = LineSplitter(ends: .any, limit: limit)
        event = PendingEvent(lastEventID: lastEventID, limit: limit)
    }

    /// The identifier that a reconnection sends as `Last-Event-ID`, unless it is empty.
    package var lastEventID: String { event.lastEventID }
    /// The time that the server asks to wait before a reconnection; `nil` if it has asked for none.
    package var reconnectionTime: Duration? { event.reconnectionTime }

    package mutating func append(_ bytes: Data) { lines.append(bytes) }

    /// Returns the next event, or `nil` if more bytes are needed.
    ///
    /// - Throws: `bodyTooLarge` if a line or the data of an event is longer than the limit.
    package mutating func next() throws(HTTPError) -> ServerSentEvent? {
        try advance() ? takeEvent() : nil
    }

    /// Reads up to the end of the next event. Returns `false` if more bytes are needed.
    ///
    /// - Throws: See ``next()``.
    @inline(__always)
    fileprivate mutating func advance() throws(HTTPError) -> Bool {
        while let line = try lines.next() {
            if !line.isEmpty {
                // Not `bytes.span`, which would borrow all of `self`.
                try unsafe lines.bytes.withUnsafeBufferPointer { bytes throws(HTTPError) in
                    try event.process(unsafe bytes.span.extracting(line))
                }
            } else if event.end() {
                return true
            }
        }
        return false
    }

    /// Returns the event that ``advance()`` has reached.
    @inline(__always)
    fileprivate mutating func takeEvent() -> ServerSentEvent? { event.take(decoder) }

    /// Handles the end of the stream. Returns `true` if the event that it cuts off has exactly this
    /// data, and so lacks nothing but its blank line.
    ///
    /// - Throws: See ``next()``.
    fileprivate mutating func isCutOffEvent(with data: String) throws(HTTPError) -> Bool {
        if let line = try lines.last() {
            try unsafe lines.bytes.withUnsafeBufferPointer { bytes throws(HTTPError) in
                try event.process(unsafe bytes.span.extracting(line))
            }
        }
        return event.hasData(data)
    }

    /// Returns `true` if the event that ``advance()`` has reached has exactly this data.
    fileprivate func isAtEvent(with data: String) -> Bool { event.hasData(data) }
}

/// The event that the lines since the last blank one describe.
private struct PendingEvent: Sendable {
    let limit: Int
    private var type: String?
    /// The first line of data; `nil` if there was none.
    private var data: String?
    /// All lines of data, joined by LF; empty unless there are several. Most events have one line,
    /// which is copied only once.
    private var lines: [UInt8] = []
    /// The number of bytes of all lines of data, with an LF after each.
    private var dataCount = 0
    /// An identifier that takes effect at the next blank line.
    private var id: String?
    private(set) var lastEventID: String
    private(set) var reconnectionTime: Duration?

    init(lastEventID: String, limit: Int) {
        self.lastEventID = lastEventID
        self.limit = limit
    }

    /// Ends the event at a blank line. Returns `true` if it has data and so is dispatched.
    mutating func end() -> Bool {
        if let id {
            lastEventID = id
            self.id = nil
        }
        if data == nil { type = nil }
        return data != nil
    }

    func hasData(_ text: String) -> Bool {
        lines.isEmpty
            ? data.map { $0.utf8.elementsEqual(text.utf8) } == true
            : lines.elementsEqual(text.utf8)
    }

    @inline(__always)
    mutating func take(_ decoder: JSONDecoder?) -> ServerSentEvent? {
        guard var data = data.take() else { return nil }
        if !lines.isEmpty {
            data = lines.span.text
            lines.removeAll(keepingCapacity: true)
        }
        dataCount = 0
        var event = ServerSentEvent(
            type: type.take() ?? "message", data: data, lastEventID: lastEventID)
        event.decoder = decoder
        return event
    }

    @inline(__always)
    mutating func process(_ line: Span<UInt8>) throws(HTTPError) {
        let (field, start) = Self.field(of: line)
        let value = line.extracting(start...)
        switch field {
        case .data:
            guard dataCount + value.count <= limit else {
                throw HTTPError.elementTooLarge("an event", limit: limit)
            }
            dataCount += value.count + 1
            if let data {
                if lines.isEmpty { lines += data.utf8 }
                lines.append(UInt8(ascii: "\n"))
                unsafe value.withUnsafeBufferPointer { unsafe lines.append(contentsOf: $0) }
            } else {
                data = value.text
            }
        case .event: type = value.isEmpty ? nil : value.text
        case .id: if value.firstIndex(of: 0) == value.count { id = value.text }
        case .retry: reconnectionTime = Self.milliseconds(value) ?? reconnectionTime
        case nil: break
        }
    }

    /// Returns a duration if `value` holds only digits. A number beyond `Int64` counts as its
    /// maximum.
    private static func milliseconds(_ value: Span<UInt8>) -> Duration? {
        let text = value.text
        guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return .milliseconds(Int64(text) ?? .max)
    }

    /// The names of fields as numbers: the length in the highest byte, the first letter in the
    /// lowest.
    private enum Field: UInt64 {
        case data = 0x04_00_00_00_61_74_61_64
        case event = 0x05_00_00_74_6E_65_76_65
        case id = 0x02_00_00_00_00_00_64_69
        case retry = 0x05_00_00_79_72_74_65_72
    }

    @inline(__always)
    private static func field(of line: Span<UInt8>) -> (Field?, valueStart: Int) {
        // No known name is longer than five letters, so a colon after eight bytes does not matter.
        let colon = UInt8(ascii: ":")
        let head = line.head(paddedWith: colon)
        let length = head.firstPlace(of: colon)
        guard length < 8 else { return (nil, line.count) }
        let name = head & (1 << UInt64(8 * length) - 1) | UInt64(length) << 56
        var start = min(length + 1, line.count)
        if start < line.count, line[start] == UInt8(ascii: " ") { start += 1 }
        return (Field(rawValue: name), start)
    }
}

extension Span<UInt8> {
    /// Returns the first eight bytes, the first in the lowest bits. `padding` replaces the missing
    /// ones.
    @inline(__always)
    fileprivate func head(paddedWith padding: UInt8) -> UInt64 {
        // Bounds are checked. The function is only called unsafe because of types with invalid bit
        // patterns.
        if count >= 8 {
            return UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(as: UInt64.self))
        }
        var head = UInt64(repeating: padding)
        for index in (0..<count).reversed() { head = head << 8 | UInt64(self[index]) }
        return head
    }
}

extension UInt64 {
    fileprivate init(repeating byte: UInt8) { self = 0x0101_0101_0101_0101 &* UInt64(byte) }

    /// Returns the position of `byte` among the eight bytes, from the lowest on, or 8.
    fileprivate func firstPlace(of byte: UInt8) -> Int {
        let rest = self ^ UInt64(repeating: byte)
        // The highest bit of each byte of `rest` that is zero. The subtraction may also mark bytes
        // above the first of them, but none below.
        let marks = (rest &- UInt64(repeating: 0x01)) & ~rest & UInt64(repeating: 0x80)
        return marks.trailingZeroBitCount / 8
    }
}

extension HTTPBody {
    /// The body as an event stream. See ``serverSentEvents(after:upTo:endingAt:)``.
    public var serverSentEvents: ServerSentEvents { serverSentEvents() }

    /// Returns the body as an event stream: events of every type, as they arrive. The sequence ends
    /// when the body ends; it does not reconnect.
    ///
    /// - Parameters:
    ///   - lastEventID: The last identifier of an earlier connection.
    ///   - limit: The maximum length of a line, and of the data of an event, in bytes. Reading
    ///     throws `bodyTooLarge` beyond it.
    ///   - end: The data of the event that ends the sequence, such as `[DONE]`. That event is not
    ///     returned, and the rest of the body is discarded unread. It needs no blank line if it is
    ///     the end of the body. A body that ends before it throws `bodyIncomplete`. By default,
    ///     only the end of the body ends the sequence.
    public func serverSentEvents(
        after lastEventID: String = "", upTo limit: Int = defaultLimit,
        endingAt end: String? = nil
    ) -> ServerSentEvents {
        ServerSentEvents(
            body: self, parser: ServerSentEventParser(lastEventID: lastEventID, upTo: limit),
            end: end)
    }

    /// A sequence of the events in a body. See ``HTTPBody/serverSentEvents(after:upTo:endingAt:)``.
    /// Iterating reads the body; a stream can be read only once.
    public struct ServerSentEvents: AsyncSequence, Sendable {
        fileprivate let body: HTTPBody
        fileprivate var parser: ServerSentEventParser
        fileprivate let end: String?
        fileprivate var request: HTTPRequest?

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(body: body, parser: parser, end: end, request: request)
        }

        public struct AsyncIterator: AsyncIteratorProtocol {
            private var bytes: HTTPBody.AsyncIterator?
            private var parser: ServerSentEventParser
            /// The data of the last event, with the body whose rest that event discards.
            private let end: (data: String, body: HTTPBody)?
            /// The request that errors name.
            private let request: HTTPRequest?
            /// `true` once the event that ends the sequence has arrived.
            package private(set) var isAtEnd = false

            fileprivate init(
                body: HTTPBody, parser: ServerSentEventParser, end: String?, request: HTTPRequest?
            ) {
                self.request = request
                bytes = body.makeAsyncIterator()
                self.parser = parser
                self.end = end.map { ($0, body) }
            }

            /// The same as `lastEventID` of the parser; valid after the end, too.
            public var lastEventID: String { parser.lastEventID }
            /// The same as `reconnectionTime` of the parser; valid after the end, too.
            public var reconnectionTime: Duration? { parser.reconnectionTime }

            public mutating func next() async throws -> ServerSentEvent? {
                try await next(isolation: nil)
            }

            // Runs in the caller's isolation and is inlinable: see `Lines.AsyncIterator`.
            @inlinable public nonisolated(nonsending) mutating func next(
                isolation actor: (any Actor)?
            ) async throws -> ServerSentEvent? {
                repeat {
                    // In two steps: an optional event that is unwrapped here would be copied.
                    if try isAtEvent() { return takeEvent() }
                } while try await fetch(isolation: actor)
                return nil
            }

            // Never inlined: see `LineIterator.takeText()`.
            @usableFromInline @inline(never) mutating func isAtEvent() throws -> Bool {
                guard bytes != nil else { return false }
                do throws(HTTPError) {
                    guard try parser.advance() else { return false }
                    if let end, parser.isAtEvent(with: end.data) { isAtEnd = true }
                    return !isAtEnd
                } catch {
                    bytes = nil
                    throw request.naming(error)
                }
            }

            /// Returns the event that ``isAtEvent()`` has found.
            @usableFromInline mutating func takeEvent() -> ServerSentEvent? { parser.takeEvent() }

            /// Reads more bytes. Returns `true` if there may be an event again.
            @usableFromInline mutating func fetch(
                isolation actor: (any Actor)?
            ) async throws -> Bool {
                guard bytes != nil else { return false }
                do {
                    if isAtEnd {
                        await end?.body.discard()
                        bytes = nil
                        return false
                    }
                    guard let piece = try await bytes?.next(isolation: actor) else {
                        bytes = nil
                        guard let end else { return false }
                        guard try parser.isCutOffEvent(with: end.data) else {
                            throw HTTPError.eventsIncomplete(end.data)
                        }
                        isAtEnd = true
                        return false
                    }
                    parser.append(piece)
                    return true
                } catch {
                    bytes = nil
                    throw request.naming(error)
                }
            }
        }
    }
}

extension HTTPError {
    fileprivate static func eventsIncomplete(_ end: String) -> HTTPError {
        HTTPError(
            .bodyIncomplete,
            "the body ended before the event with data \(end.logSafe), which ends the events",
            phase: .receiving, isRetryable: true, mayHaveReachedServer: true)
    }
}

extension HTTPResponse {
    /// Returns the body as an event stream if the response is one: status 200 and type
    /// `text/event-stream` (HTML Standard §9.2.3). See
    /// ``HTTPBody/serverSentEvents(after:upTo:endingAt:)``.
    ///
    /// - Throws: `decodingFailed` if it is not. The body is left unread.
    public func serverSentEvents(
        after lastEventID: String = "", upTo limit: Int = HTTPBody.defaultLimit,
        endingAt end: String? = nil
    ) throws(HTTPError) -> HTTPBody.ServerSentEvents {
        let contentType = headers[.contentType] ?? ""
        guard status.code == 200, headers.contentType?.essence == MediaType.eventStream.essence
        else {
            throw HTTPError(
                .decodingFailed,
                "a \(status.code) of type \(contentType.logSafe) is not an event stream",
                phase: .receiving, mayHaveReachedServer: true
            ).ending(self, head: head, body: body.bytes)
        }
        var events = body.serverSentEvents(after: lastEventID, upTo: limit, endingAt: end)
        events.parser.decoder = originalRequest[DefaultDecoder.self]
        events.request = originalRequest
        return events
    }
}
