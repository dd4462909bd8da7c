import HTTPCore

/// The elements of a response's body, as they arrive: the result of `client.get("log").lines`.
///
/// It is a description. Each iterator sends the request when its first element is requested, and
/// throws the errors of the session before the first element. Dropping the iterator abandons the
/// body; cancelling its task ends the exchange.
public struct HTTPResponseStream<Elements: AsyncSequence & Sendable>: AsyncSequence, Sendable {
    public typealias Element = Elements.Element

    /// Sends the request, and returns the reader of the response.
    let open: @Sendable () async throws -> Elements

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(state: .closed(open)) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate enum State {
            case closed(@Sendable () async throws -> Elements)
            case open(Elements.AsyncIterator)
            case over
        }

        fileprivate var state: State

        public mutating func next() async throws -> Element? { try await next(isolation: nil) }

        /// Runs on the caller's actor; the argument is ignored.
        public nonisolated(nonsending) mutating func next(
            isolation _: (any Actor)?
        ) async throws -> Element? {
            let current = state
            state = .over  // unless an element comes, the stream has ended
            var elements: Elements.AsyncIterator
            switch current {
            case .over: return nil
            case .closed(let open): elements = try await open().makeAsyncIterator()
            case .open(let iterator): elements = iterator
            }
            guard let element = try await elements.next(isolation: #isolation) else { return nil }
            state = .open(elements)
            return element
        }
    }
}
