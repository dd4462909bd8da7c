package import HTTPCore
package import PortableFoundation

/// A parser for a multipart body, in whatever pieces it arrives (RFC 2046 §5.1):
/// `multipart/form-data`, `mixed`, `byteranges` and the others.
///
/// A delimiter is a whole line: CRLF, two hyphens, the boundary, optional blanks, CRLF. After the
/// last part, two more hyphens follow the boundary. The text before the first and after the last
/// delimiter is dropped. A nested multipart is one part; its bytes need another parser.
package struct MultipartParser: Sendable {
    package enum Event: Sendable, Hashable {
        /// A part begins.
        case head(HTTPHeaders)
        /// Bytes of the current part, never empty. Their division depends on how the body arrived.
        case bytes(Data)
        /// The part has ended.
        case end
    }

    private enum State { case preamble, head, body, epilogue }

    private enum Find {
        /// The bytes before the position are neither a delimiter nor the beginning of one.
        case none(before: Int)
        case delimiter(Range<Int>, isLast: Bool)
    }

    /// The limit on blanks after a delimiter, in bytes (transport padding, RFC 2046 §5.1.1).
    private static let paddingLimit = 1024

    private let delimiter: BytePattern
    private let headLimit: Int
    private var state = State.preamble
    /// The buffer. It starts with a CRLF that was not sent, because the first delimiter needs none.
    private var bytes: [UInt8] = [0x0D, 0x0A]
    private var position = 0
    /// The position before which no delimiter begins; in a head, no line end. It is less than
    /// `position` by the CRLF of a head's last line, which also belongs to the delimiter if the
    /// part is empty.
    private var scanned = 0
    private var headers = HTTPHeaders()
    private var headLength = 0

    /// Creates a parser.
    ///
    /// - Parameters:
    ///   - boundary: The boundary in the message's `Content-Type`.
    ///   - limit: The maximum length of a part's head, in bytes.
    package init(boundary: String, headLimit limit: Int = 64 << 10) {
        delimiter = BytePattern(Array("\r\n--\(boundary)".utf8))
        headLimit = limit
    }

    package mutating func append(_ piece: Data) {
        let done = min(position, scanned)
        if done > 0 {
            bytes.removeFirst(done)
            position -= done
            scanned -= done
        }
        unsafe piece.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }

    /// Returns the next event, or `nil` if more bytes are needed.
    ///
    /// - Throws: `decodingFailed` if the head of a part is malformed, `bodyTooLarge` if it or
    ///   the padding of a delimiter is too long.
    package mutating func next() throws(HTTPError) -> Event? {
        while true {
            switch state {
            case .preamble:
                switch try find() {
                case .none(let place):
                    position = place
                    return nil
                case .delimiter(let range, let isLast): pass(range, isLast)
                }
            case .head:
                guard let line = try headLine() else { return nil }
                if line.isEmpty {
                    scanned = position - 2
                    state = .body
                    defer { headers = HTTPHeaders() }
                    return .head(headers)
                }
                try addField(line)
            case .body:
                switch try find() {
                case .none(let place): return take(to: place)
                case .delimiter(let range, let isLast):
                    if let bytes = take(to: range.lowerBound) { return bytes }
                    pass(range, isLast)
                    return .end
                }
            case .epilogue:
                position = bytes.count
                scanned = position
                return nil
            }
        }
    }

    /// Checks that the body is complete. Call this when all bytes have arrived.
    ///
    /// - Throws: `bodyIncomplete` if the closing delimiter has not been read.
    package func finish() throws(HTTPError) {
        guard state != .epilogue else { return }
        throw HTTPError(
            .bodyIncomplete, "the multipart body ended before its closing delimiter",
            phase: .receiving, mayHaveReachedServer: true)
    }

    private mutating func take(to place: Int) -> Event? {
        guard place > position else { return nil }
        defer { position = place }
        return .bytes(Data(bytes[position..<place]))
    }

    private mutating func pass(_ delimiter: Range<Int>, _ isLast: Bool) {
        position = delimiter.upperBound
        scanned = position
        headLength = 0
        state = isLast ? .epilogue : .head
    }

    private mutating func find() throws(HTTPError) -> Find {
        let buffer = bytes  // a span of a stored property would borrow all of `self`
        let bytes = buffer.span
        var index = scanned
        while true {
            index = delimiter.firstIndex(in: bytes, from: index)
            scanned = index
            var end = index + delimiter.count
            guard end < bytes.count else { return .none(before: index) }
            if bytes[end] == UInt8(ascii: "-") {
                guard end + 1 < bytes.count else { return .none(before: index) }
                if bytes[end + 1] == UInt8(ascii: "-") {
                    return .delimiter(index..<end + 2, isLast: true)
                }
            } else {
                while end < bytes.count, bytes[end].isBlank { end += 1 }
                guard end - index <= delimiter.count + Self.paddingLimit else {
                    throw HTTPError.elementTooLarge("the padding of a delimiter", limit: 1024)
                }
                guard end + 1 < bytes.count else {
                    if end == bytes.count || bytes[end] == 0x0D { return .none(before: index) }
                    index = end
                    continue
                }
                if bytes[end] == 0x0D, bytes[end + 1] == 0x0A {
                    return .delimiter(index..<end + 2, isLast: false)
                }
            }
            index = end  // a longer line that only begins like a delimiter
        }
    }

    /// Returns the next line of a head without its CRLF, and moves past it.
    private mutating func headLine() throws(HTTPError) -> Range<Int>? {
        let buffer = bytes
        let span = buffer.span
        let end = span.firstIndex(of: 0x0A, from: scanned)
        scanned = end
        let length = min(end + 1, span.count) - position
        guard headLength + length <= headLimit else {
            throw HTTPError.elementTooLarge("the head of a part", limit: headLimit)
        }
        guard end < span.count else { return nil }
        guard end > position, span[end - 1] == 0x0D else { throw malformedHead() }
        defer {
            headLength += length
            position = end + 1
            scanned = position
        }
        return position..<end - 1
    }

    private mutating func addField(_ line: Range<Int>) throws(HTTPError) {
        let buffer = bytes
        let field = buffer.span.extracting(line)
        let isField =
            field[0].isBlank ? headers.appendToLast(folded: field) : headers.append(line: field)
        guard isField else { throw malformedHead() }
    }

    private func malformedHead() -> HTTPError {
        HTTPError(
            .decodingFailed, "a line in the head of a part is not a header field",
            phase: .receiving, mayHaveReachedServer: true)
    }
}
