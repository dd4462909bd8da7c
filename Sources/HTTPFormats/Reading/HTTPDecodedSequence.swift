/// The values of a body of several JSON texts, or of the events of a server, as they arrive.
///
/// The result of `jsonLines`, `jsonSequence`, `serverSentEvents(of:)` and `events(of:)`. An error,
/// also that of a value that cannot be decoded, ends the sequence and abandons the rest. Iterating
/// over the values of a body reads it; a stream can be read only once.
public struct HTTPDecodedSequence<Value: Sendable>: AsyncSequence, Sendable {
    private let makeRead: @Sendable () -> () async throws -> Value?

    /// - Parameter makeReader: Returns the reader of an iterator.
    package init<Reader: HTTPValueReader>(_ makeReader: @escaping @Sendable () -> Reader)
    where Reader.Value == Value {
        makeRead = {
            var reader = makeReader()
            return { try await reader.next() }
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(read: makeRead()) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        /// Reads the next value; `nil` after the end or an error.
        fileprivate var read: (() async throws -> Value?)?

        public mutating func next() async throws -> Value? { try await next(isolation: nil) }

        /// Returns the next value. Runs in the caller's isolation, whatever is passed.
        public nonisolated(nonsending) mutating func next(
            isolation _: (any Actor)?
        ) async throws -> Value? {
            let read = self.read.take()  // released unless a value comes
            guard let value = try await read?() else { return nil }
            self.read = read
            return value
        }
    }
}

/// The way to read values one after the other. Not called after the end or an error.
package protocol HTTPValueReader<Value>: SendableMetatype {
    associatedtype Value: Sendable

    /// Returns the next value, or `nil` after the last.
    mutating func next() async throws -> Value?
}
