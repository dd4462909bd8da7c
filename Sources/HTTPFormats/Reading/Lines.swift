public import HTTPCore
import PortableFoundation

extension HTTPBody {
    /// The body as lines of text, each as soon as its end has arrived.
    ///
    /// A line ends with LF or CRLF, which is not part of it; a CR alone is part of the line. The
    /// last line needs no end. A byte order mark at the start is dropped. Bytes that are not UTF-8
    /// become U+FFFD.
    ///
    /// Reading throws `bodyTooLarge` at a line of more than 16 MiB. See ``lines(upTo:)``.
    public var lines: Lines { lines() }

    /// Returns the body as lines of text. See ``lines``.
    ///
    /// - Parameter limit: The maximum length of a line in bytes. Reading throws `bodyTooLarge`
    ///   beyond it. At most one line and one piece of the body are held in memory.
    public func lines(upTo limit: Int = defaultLimit) -> Lines {
        Lines(body: self, limit: limit, decoding: .utf8)
    }

    /// A sequence of the lines of a body. See ``HTTPBody/lines``. Iterating reads the body; a
    /// stream can be read only once.
    public struct Lines: AsyncSequence, Sendable {
        fileprivate let body: HTTPBody
        fileprivate let limit: Int
        fileprivate let decoding: LineDecoding
        fileprivate var request: HTTPRequest?

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(LineIterator(body, limit: limit, decoding: decoding, of: request))
        }

        public struct AsyncIterator: AsyncIteratorProtocol {
            @usableFromInline var lines: LineIterator

            fileprivate init(_ lines: LineIterator) { self.lines = lines }

            public mutating func next() async throws -> String? {
                try await next(isolation: nil)
            }

            // Runs in the caller's isolation, without a hop. Inlinable, which saves an asynchronous
            // call per line. `actor` is passed on because the optimizer otherwise removes it, and
            // for that adds an asynchronous call.
            @inlinable public nonisolated(nonsending) mutating func next(
                isolation actor: (any Actor)?
            ) async throws -> String? {
                repeat {
                    if let text = try lines.takeText() { return text }
                } while try await lines.fetch(isolation: actor)
                return nil
            }
        }
    }
}

extension HTTPResponse {
    /// The body as lines of text, each as soon as its end has arrived, in the encoding that
    /// ``text(upTo:)`` would use: the UTF of the byte order mark, else the charset of
    /// `Content-Type`, else UTF-8. Malformed bytes become U+FFFD. See ``HTTPBody/lines``.
    public var lines: HTTPBody.Lines { lines() }

    /// Returns the body as lines of text. See ``lines``.
    ///
    /// - Parameter limit: The maximum length of a line in bytes. Reading throws `bodyTooLarge`
    ///   beyond it, and `decodingFailed` if the charset has no decoder.
    public func lines(upTo limit: Int = HTTPBody.defaultLimit) -> HTTPBody.Lines {
        HTTPBody.Lines(
            body: body, limit: limit, decoding: .undecided(textEncoding, []),
            request: originalRequest)
    }
}

/// The encoding of lines.
enum LineDecoding: Sendable {
    case utf8
    /// An encoding in which the byte of a line feed is nothing else.
    case bytes(HTTPCharset)
    /// Bytes that are turned into UTF-8 before they are cut into lines.
    case utf16(UTF16Decoder)
    /// The charset that counts unless these bytes, or those after them, begin with a byte order
    /// mark.
    case undecided(HTTPCharset?, [UInt8])

    private init(_ encoding: HTTPCharset.Encoding) {
        switch encoding {
        case .utf8: self = .utf8
        case .utf16BE, .utf16LE: self = .utf16(UTF16Decoder(isBigEndian: encoding == .utf16BE))
        default: self = .bytes(HTTPCharset(encoding))
        }
    }

    /// Returns the bytes to cut into lines.
    ///
    /// - Parameter isLast: `true` if no bytes follow.
    mutating func taking(_ piece: Data, isLast: Bool) -> Data {
        switch self {
        case .utf8, .bytes: return piece
        case .utf16(var decoder):
            var text = DecodedText(capacity: piece.count)
            decoder.decode(piece, into: &text)
            if isLast { decoder.finish(into: &text) }
            self = .utf16(decoder)
            return Data(text.bytes)
        case .undecided(let charset, let start):
            let bytes = start + piece
            // The longest mark has three bytes.
            guard bytes.count >= 3 || isLast else {
                self = .undecided(charset, bytes)
                return Data()
            }
            let mark = HTTPCharset.byteOrderMark(of: bytes)
            self = Self(mark?.0 ?? charset?.encoding ?? .utf8)
            return taking(Data(bytes.dropFirst(mark?.length ?? 0)), isLast: isLast)
        }
    }
}

/// A reader of a body's lines: call `takeLine()` until it returns `nil`, then `fetch()`.
///
/// There are two steps, so that a line that has already arrived costs no asynchronous call.
@usableFromInline struct LineIterator {
    /// The rest of the body; `nil` once it has ended or reading has stopped.
    private var bytes: HTTPBody.AsyncIterator?
    private var splitter: LineSplitter
    private var decoding: LineDecoding
    /// The request that errors name.
    private let request: HTTPRequest?

    init(
        _ body: HTTPBody, limit: Int, decoding: LineDecoding = .utf8, of request: HTTPRequest?
    ) {
        self.request = request
        bytes = body.makeAsyncIterator()
        splitter = LineSplitter(ends: .lineFeed, limit: limit)
        self.decoding = decoding
    }

    /// The place of the next whole line or, after the last byte, of what is left.
    private mutating func nextRange() throws(HTTPError) -> Range<Int>? {
        // The last step may bring several lines.
        if let line = try splitter.next() { return line }
        return bytes == nil ? try splitter.last() : nil
    }

    mutating func takeLine() throws(HTTPError) -> ArraySlice<UInt8>? {
        do throws(HTTPError) {
            return try nextRange().map { splitter.bytes[$0] }
        } catch {
            stop()
            throw request.naming(error)
        }
    }

    // Never inlined, and throws any error: the optimizer of Swift 6.3 crashes on typed errors in
    // async functions.
    @usableFromInline @inline(never) mutating func takeText() throws -> String? {
        do throws(HTTPError) {
            guard let line = try nextRange() else { return nil }
            if case .bytes(let charset) = decoding {
                return try charset.decode(Data(splitter.bytes[line]))
            }
            return splitter.bytes.span.extracting(line).text
        } catch {
            stop()
            throw request.naming(error)
        }
    }

    /// Reads more bytes. Returns `true` if ``takeLine()`` may return a line again.
    @usableFromInline mutating func fetch(isolation actor: (any Actor)?) async throws -> Bool {
        guard bytes != nil else { return false }
        do {
            if let piece = try await bytes?.next(isolation: actor) {
                splitter.append(decoding.taking(piece, isLast: false))
            } else {
                splitter.append(decoding.taking(Data(), isLast: true))
                bytes = nil
            }
            return true
        } catch {
            stop()
            throw request.naming(error)
        }
    }

    /// Stops reading and discards the rest.
    mutating func stop() {
        bytes = nil
        splitter = LineSplitter(ends: .lineFeed, limit: 0)
    }
}
