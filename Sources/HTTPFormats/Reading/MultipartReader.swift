public import HTTPCore
import PortableFoundation

/// A part of a multipart body: a head, and a body to read before the next part is requested.
public struct MultipartPart: Sendable {
    /// The header section of the part.
    public var headers: HTTPHeaders
    /// The body, which can be read once. When the next part is requested, the unread rest is lost,
    /// and reading it throws `bodyAlreadyRead`.
    public var body: HTTPBody

    package init(headers: HTTPHeaders = [:], body: HTTPBody = .empty) {
        self.headers = headers
        self.body = body
    }

    /// The name of the form field (RFC 7578 §4.2).
    public var name: String? { disposition("name") }

    /// The file name as the server sent it. Never use it as a path without checking it.
    public var filename: String? { disposition("filename") }

    private func disposition(_ name: String) -> String? {
        guard let value = headers[.contentDisposition] else { return nil }
        return MessageParameters(value)[name]?.formUnescaped
    }
}

extension String {
    /// The text with the escapes of form names decoded (HTML Standard §4.10.21.8).
    fileprivate var formUnescaped: String {
        let bytes = Array(utf8)
        var text: [UInt8] = []
        var index = 0
        while index < bytes.count {
            switch bytes[index...].prefix(3) {
            case [0x25, 0x32, 0x32]: text.append(0x22)
            case [0x25, 0x30, 0x41]: text.append(0x0A)
            case [0x25, 0x30, 0x44]: text.append(0x0D)
            default:
                text.append(bytes[index])
                index -= 2
            }
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension HTTPBody {
    /// Returns the parts of a multipart body, each as soon as its head has arrived. Reading throws
    /// `bodyIncomplete` if the body ends before its closing delimiter.
    ///
    /// - Parameters:
    ///   - boundary: The boundary in the message's `Content-Type`. See ``HTTPResponse/parts``.
    ///   - limit: The maximum length of a part's head in bytes. Reading throws `bodyTooLarge`
    ///     beyond it.
    public func parts(boundary: String, headLimit limit: Int = 64 << 10) -> Parts {
        Parts(body: self, parser: MultipartParser(boundary: boundary, headLimit: limit))
    }

    /// A sequence of the parts of a multipart body. See ``HTTPBody/parts(boundary:headLimit:)``.
    /// Iterating reads the body; a stream can be read only once.
    public struct Parts: AsyncSequence, Sendable {
        fileprivate let body: HTTPBody
        fileprivate let parser: MultipartParser
        fileprivate var request: HTTPRequest?

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(reader: MultipartReader(body, parser, of: request))
        }

        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let reader: MultipartReader

            public mutating func next() async throws -> MultipartPart? {
                try await next(isolation: nil)
            }

            /// Returns the next part. Runs in the caller's isolation, whatever is passed.
            public nonisolated(nonsending) mutating func next(
                isolation _: (any Actor)?
            ) async throws -> MultipartPart? {
                try await reader.nextPart()
            }
        }
    }
}

extension HTTPResponse {
    /// The parts of a multipart response, regardless of its subtype.
    ///
    /// - Throws: `decodingFailed` if `Content-Type` is not multipart or has no boundary. The body
    ///   is left unread.
    public var parts: HTTPBody.Parts {
        get throws(HTTPError) {
            let contentType = MessageParameters(headers[.contentType] ?? "")
            guard contentType.essence.hasPrefix("multipart/"),
                let boundary = contentType["boundary"], !boundary.isEmpty
            else {
                throw HTTPError(
                    .decodingFailed,
                    "the body's type \(contentType.essence.logSafe) is not multipart, or has no "
                        + "boundary",
                    phase: .receiving, mayHaveReachedServer: true
                ).ending(self, head: head, body: body.bytes)
            }
            var parts = body.parts(boundary: boundary)
            parts.request = originalRequest
            return parts
        }
    }
}

/// A reader of parts in order, shared by the iterator and the bodies of the parts that it returned.
private final class MultipartReader: Sendable {
    private struct State {
        var parser: MultipartParser
        var bytes: HTTPBodyReader?
        /// The number of the part that is being read; the bodies of earlier parts are over.
        var number = 0
        var isInPart = false
        var isReading = false
        /// `true` if there is nothing more to read, because the body has ended or failed.
        var isOver = false
        var failure: (any Error)?

        /// Returns the next event. If there is none and the body is not over, the caller reads more
        /// bytes.
        mutating func nextEvent(ofPart number: Int) throws -> MultipartParser.Event? {
            guard number == self.number else { throw HTTPError.bodyAlreadyRead }
            if let failure { throw failure }
            guard !isReading else {
                throw HTTPError(.bodyAlreadyRead, "two tasks read the parts of one body")
            }
            do {
                let event = try parser.next()
                if case .head = event { isInPart = true }
                if case .end = event { isInPart = false }
                isReading = event == nil && !isOver
                return event
            } catch {
                end(error)
                throw error
            }
        }

        mutating func take(_ piece: Data?) throws(HTTPError) {
            isReading = false
            if let piece { return parser.append(piece) }
            try parser.finish()
            end(nil)
        }

        mutating func end(_ failure: (any Error)?) {
            isReading = false
            isOver = true
            isInPart = false
            self.failure = failure
        }
    }

    private let body: HTTPBody
    /// The request that errors name.
    private let request: HTTPRequest?
    private let state: Locked<State>

    init(_ body: HTTPBody, _ parser: MultipartParser, of request: HTTPRequest?) {
        self.body = body
        self.request = request
        state = Locked(State(parser: parser))
    }

    func nextPart() async throws -> MultipartPart? {
        let number = state.withLock { state in
            state.number += 1
            state.isInPart = false
            return state.number
        }
        while let event = try await nextEvent(ofPart: number) {
            guard case .head(let headers) = event else { continue }
            let bytes = PartBytes(reader: self, number: number)
            return MultipartPart(headers: headers, body: HTTPBody(source: bytes))
        }
        return nil
    }

    func nextBytes(ofPart number: Int) async throws -> Data? {
        let isOver = try state.withLock { state in
            guard number == state.number else { throw HTTPError.bodyAlreadyRead }
            return !state.isInPart && state.failure == nil
        }
        guard !isOver, case .bytes(let bytes) = try await nextEvent(ofPart: number) else {
            return nil
        }
        return bytes
    }

    /// Ends the wait of the task that reads that part.
    func interrupt(part number: Int) {
        let bytes = state.withLock { state in
            state.isReading && state.number == number ? state.bytes : nil
        }
        bytes?.abandon()
    }

    private func nextEvent(ofPart number: Int) async throws -> MultipartParser.Event? {
        repeat {
            do {
                let event = try state.withLock { state in try state.nextEvent(ofPart: number) }
                if let event { return event }
            } catch {
                giveUp()
                throw request.naming(error)
            }
        } while try await fetch()
        return nil
    }

    /// Reads more bytes. Returns `true` if there may be another event.
    private func fetch() async throws -> Bool {
        let (isOver, opened) = state.withLock { ($0.isOver, $0.bytes) }
        if isOver { return false }
        do {
            let bytes = if let opened { opened } else { try await body.makeReader() }
            state.withLock { $0.bytes = bytes }
            let piece = try await bytes.next()
            try state.withLock { state in try state.take(piece) }
            return true
        } catch {
            let error = request.naming(error)
            state.withLock { $0.end(error) }
            throw error
        }
    }

    /// Releases the body after a failure, because nothing after a malformed part is read. Done
    /// outside the lock: ending a body runs foreign code.
    private func giveUp() {
        let bytes = state.withLock { state in state.isOver ? state.bytes.take() : nil }
        _ = consume bytes
    }
}

/// The bytes of one part. Abandoning them costs nothing, because the next part skips them.
private final class PartBytes: HTTPBodySource {
    private let reader: MultipartReader
    private let number: Int
    private let isOver = Locked(false)

    init(reader: MultipartReader, number: Int) {
        self.reader = reader
        self.number = number
    }

    func next() async throws -> Data? {
        do {
            return try await reader.nextBytes(ofPart: number)
        } catch {
            throw isOver.withLock { $0 } ? HTTPError.bodyAlreadyRead : error
        }
    }

    func abandon() {
        isOver.withLock { $0 = true }
        reader.interrupt(part: number)
    }
}
