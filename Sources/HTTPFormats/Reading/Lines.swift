public import HTTPCore

extension HTTPBody {
    /// The body as lines of text, each as soon as its end has arrived.
    ///
    /// A line ends with LF or CRLF, which are not part of it; a CR alone is. The last line needs no
    /// end. A byte order mark at the start is dropped; what is not UTF-8 is read as U+FFFD.
    ///
    /// Reading throws `elementTooLarge` at a line of more than 16 MiB, see ``lines(upTo:)``.
    public var lines: Lines { lines() }

    /// The body as lines of text, see ``lines``.
    ///
    /// - Parameter limit: of one line, in bytes; reading throws `elementTooLarge` beyond. No more
    ///   than a line and one piece of the body is ever held.
    public func lines(upTo limit: Int = defaultLimit) -> Lines { Lines(body: self, limit: limit) }

    /// See ``HTTPBody/lines``. Iterating reads the body: once, if it is a stream.
    public struct Lines: AsyncSequence, Sendable {
        fileprivate let body: HTTPBody
        fileprivate let limit: Int

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(LineIterator(body, limit: limit))
        }

        public struct AsyncIterator: AsyncIteratorProtocol {
            private var lines: LineIterator

            fileprivate init(_ lines: LineIterator) { self.lines = lines }

            public mutating func next() async throws -> String? {
                try await next(isolation: nil)
            }

            // Runs where its caller runs, whom it does not hop to. Not inlinable, though that would save
            // an asynchronous call per line: the optimizer of Swift 6.3 breaks on it in release builds.
            public nonisolated(nonsending) mutating func next(
                isolation _: (any Actor)?
            ) async throws -> String? {
                repeat {
                    if let text = try lines.takeText() { return text }
                } while try await lines.fetch()
                return nil
            }
        }
    }
}

/// Reads a body line by line: `takeLine()` until it returns `nil`, then `fetch()`.
///
/// Two steps, because a line that is there already should not cost an asynchronous call.
struct LineIterator {
    /// `nil` once there is nothing more to read, or somebody has stopped.
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

    // Never inlined: the optimizer of Swift 6.3 crashes on typed errors in async functions.
    @inline(never) mutating func takeText() throws(HTTPError) -> String? {
        do throws(HTTPError) {
            let line = bytes == nil ? try splitter.last() : try splitter.next()
            return line.map { splitter.bytes.span.extracting($0).text }
        } catch {
            stop()
            throw error
        }
    }

    /// Returns whether ``takeLine()`` may have a line again.
    mutating func fetch() async throws -> Bool {
        guard bytes != nil else { return false }
        do {
            if let piece = try await bytes?.next() {
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

    /// Gives up what has not been read.
    mutating func stop() {
        bytes = nil
        splitter = LineSplitter(ends: .lineFeed, limit: 0)
    }
}
