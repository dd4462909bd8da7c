public import HTTPCore

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
    public func lines(upTo limit: Int = defaultLimit) -> Lines { Lines(body: self, limit: limit) }

    /// A sequence of the lines of a body. See ``HTTPBody/lines``. Iterating reads the body; a
    /// stream can be read only once.
    public struct Lines: AsyncSequence, Sendable {
        fileprivate let body: HTTPBody
        fileprivate let limit: Int

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(LineIterator(body, limit: limit))
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

/// A reader of a body's lines: call `takeLine()` until it returns `nil`, then `fetch()`.
///
/// There are two steps, so that a line that has already arrived costs no asynchronous call.
@usableFromInline struct LineIterator {
    /// The rest of the body; `nil` once it has ended or reading has stopped.
    private var bytes: HTTPBody.AsyncIterator?
    private var splitter: LineSplitter

    init(_ body: HTTPBody, limit: Int) {
        bytes = body.makeAsyncIterator()
        splitter = LineSplitter(ends: .lineFeed, limit: limit)
    }

    mutating func takeLine() throws(HTTPError) -> ArraySlice<UInt8>? {
        do throws(HTTPError) {
            let line = bytes == nil ? try splitter.last() : try splitter.next()
            return line.map { splitter.bytes[$0] }
        } catch {
            stop()
            throw error
        }
    }

    // Never inlined, and throws any error: the optimizer of Swift 6.3 crashes on typed errors in
    // async functions.
    @usableFromInline @inline(never) mutating func takeText() throws -> String? {
        do throws(HTTPError) {
            let line = bytes == nil ? try splitter.last() : try splitter.next()
            return line.map { splitter.bytes.span.extracting($0).text }
        } catch {
            stop()
            throw error
        }
    }

    /// Reads more bytes. Returns `true` if ``takeLine()`` may return a line again.
    @usableFromInline mutating func fetch(isolation actor: (any Actor)?) async throws -> Bool {
        guard bytes != nil else { return false }
        do {
            if let piece = try await bytes?.next(isolation: actor) {
                splitter.append(piece)
            } else {
                bytes = nil
            }
            return true
        } catch {
            stop()
            throw error
        }
    }

    /// Stops reading and discards the rest.
    mutating func stop() {
        bytes = nil
        splitter = LineSplitter(ends: .lineFeed, limit: 0)
    }
}
