public import HTTPCore

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// An event in an event stream (HTML Standard §9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The type; `message` unless the server named another.
    public var type: String
    /// The lines of data, joined by LF.
    public var data: String
    /// The identifier that a reconnection after this event sends as `Last-Event-ID`. Empty if the
    /// server has named none, or has reset it.
    public var lastEventID: String

    public init(type: String = "message", data: String, lastEventID: String = "") {
        self.type = type
        self.data = data
        self.lastEventID = lastEventID
    }
}

/// A parser for an event stream, in whatever pieces it arrives. It follows HTML Standard §9.2.6
/// exactly.
///
/// An event is returned at the blank line that ends it. An event that the end of the stream cuts
/// off is dropped.
package struct ServerSentEventParser: Sendable {
    private var lines: LineSplitter
    private var event: PendingEvent

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
        while let line = try lines.next() {
            if !line.isEmpty {
                // Not `bytes.span`, which would borrow all of `self`.
                try unsafe lines.bytes.withUnsafeBufferPointer { bytes throws(HTTPError) in
                    try event.process(unsafe bytes.span.extracting(line))
                }
            } else if let event = event.dispatch() {
                return event
            }
        }
        return nil
    }
}

/// The event that the lines since the last blank one describe.
private struct PendingEvent: Sendable {
    let limit: Int
    private var type: String?
    /// The lines of data, each followed by an LF.
    private var data: [UInt8] = []
    /// An identifier that takes effect at the next blank line.
    private var id: String?
    private(set) var lastEventID: String
    private(set) var reconnectionTime: Duration?

    init(lastEventID: String, limit: Int) {
        self.lastEventID = lastEventID
        self.limit = limit
    }

    mutating func dispatch() -> ServerSentEvent? {
        if let id = id.take() { lastEventID = id }
        let type = type.take() ?? "message"
        guard !data.isEmpty else { return nil }
        let text = data.span.extracting(droppingLast: 1).text
        data.removeAll(keepingCapacity: true)
        return ServerSentEvent(type: type, data: text, lastEventID: lastEventID)
    }

    mutating func process(_ line: Span<UInt8>) throws(HTTPError) {
        let (field, start) = Self.field(of: line)
        let value = line.extracting(start...)
        switch field {
        case .data:
            guard data.count + value.count <= limit else {
                throw HTTPError.elementTooLarge("an event", limit: limit)
            }
            unsafe value.withUnsafeBufferPointer { unsafe data.append(contentsOf: $0) }
            data.append(UInt8(ascii: "\n"))
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

    /// The names of fields as numbers: a 1, then the bytes.
    private enum Field: UInt64 {
        case data = 0x01_64_61_74_61
        case event = 0x01_65_76_65_6E_74
        case id = 0x01_69_64
        case retry = 0x01_72_65_74_72_79
    }

    private static func field(of line: Span<UInt8>) -> (Field?, valueStart: Int) {
        // No known name is longer than five letters, so a colon further on does not matter.
        var name: UInt64 = 1
        var colon = 0
        while colon < min(line.count, 6), line[colon] != UInt8(ascii: ":") {
            name = name << 8 | UInt64(line[colon])
            colon += 1
        }
        var start = min(colon + 1, line.count)
        if start < line.count, line[start] == UInt8(ascii: " ") { start += 1 }
        return (Field(rawValue: name), start)
    }
}

extension HTTPBody {
    /// The body as an event stream. See ``serverSentEvents(after:upTo:)``.
    public var serverSentEvents: ServerSentEvents { serverSentEvents() }

    /// Returns the body as an event stream: events of every type, as they arrive. The sequence ends
    /// when the body ends; it does not reconnect.
    ///
    /// - Parameters:
    ///   - lastEventID: The last identifier of an earlier connection.
    ///   - limit: The maximum length of a line, and of the data of an event, in bytes. Reading
    ///     throws `bodyTooLarge` beyond it.
    public func serverSentEvents(
        after lastEventID: String = "", upTo limit: Int = defaultLimit
    ) -> ServerSentEvents {
        ServerSentEvents(
            body: self, parser: ServerSentEventParser(lastEventID: lastEventID, upTo: limit))
    }

    /// A sequence of the events in a body. See ``HTTPBody/serverSentEvents(after:upTo:)``.
    /// Iterating reads the body; a stream can be read only once.
    public struct ServerSentEvents: AsyncSequence, Sendable {
        fileprivate let body: HTTPBody
        fileprivate let parser: ServerSentEventParser

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(bytes: body.makeAsyncIterator(), parser: parser)
        }

        public struct AsyncIterator: AsyncIteratorProtocol {
            private var bytes: HTTPBody.AsyncIterator?
            private var parser: ServerSentEventParser

            fileprivate init(bytes: HTTPBody.AsyncIterator, parser: ServerSentEventParser) {
                self.bytes = bytes
                self.parser = parser
            }

            /// The same as ``ServerSentEventParser/lastEventID``; valid after the end, too.
            public var lastEventID: String { parser.lastEventID }
            /// The same as ``ServerSentEventParser/reconnectionTime``; valid after the end, too.
            public var reconnectionTime: Duration? { parser.reconnectionTime }

            public mutating func next() async throws -> ServerSentEvent? {
                try await next(isolation: nil)
            }

            // Runs in the caller's isolation and is not inlinable: see `Lines.AsyncIterator`.
            public nonisolated(nonsending) mutating func next(
                isolation _: (any Actor)?
            ) async throws -> ServerSentEvent? {
                repeat {
                    if let event = try takeEvent() { return event }
                } while try await fetch()
                return nil
            }

            // Never inlined: see `LineIterator.takeText()`.
            @inline(never) mutating func takeEvent() throws(HTTPError) -> ServerSentEvent? {
                guard bytes != nil else { return nil }
                do throws(HTTPError) {
                    return try parser.next()
                } catch {
                    bytes = nil
                    throw error
                }
            }

            /// Reads more bytes. Returns `true` if ``takeEvent()`` may return an event again.
            mutating func fetch() async throws -> Bool {
                do {
                    guard let piece = try await bytes?.next() else {
                        bytes = nil
                        return false
                    }
                    parser.append(piece)
                    return true
                } catch {
                    bytes = nil
                    throw error
                }
            }
        }
    }
}

extension HTTPResponse {
    /// Returns the body as an event stream if the response is one: status 200 and type
    /// `text/event-stream` (HTML Standard §9.2.3).
    ///
    /// - Throws: `decodingFailed` if it is not. The body is left unread.
    public func serverSentEvents(
        after lastEventID: String = "", upTo limit: Int = HTTPBody.defaultLimit
    ) throws(HTTPError) -> HTTPBody.ServerSentEvents {
        let contentType = headers[.contentType] ?? ""
        guard status.code == 200, headers.contentType?.essence == MediaType.eventStream.essence
        else {
            throw HTTPError(
                .decodingFailed,
                "a \(status.code) of type \(contentType.logSafe) is not an event stream",
                phase: .receiving, mayHaveReachedServer: true
            ).ending(url, response: head)
        }
        return body.serverSentEvents(after: lastEventID, upTo: limit)
    }
}
