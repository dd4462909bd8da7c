public import HTTPCore
import HTTPFormats
public import PortableFoundation

extension HTTPEventSource {
    /// The events of an event source whose data is JSON, as values. See
    /// ``/HTTPCore/HTTPSession/events(of:types:from:endingAt:decoder:options:)``.
    public struct DecodedEvents<Value: Decodable & Sendable>: AsyncSequence, Sendable {
        let source: HTTPEventSource
        let types: Set<String>?
        let decoder: JSONDecoder?

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(events: source.makeAsyncIterator(), types: types, decoder: decoder)
        }

        public struct AsyncIterator: AsyncIteratorProtocol {
            private var events: HTTPEventSource.AsyncIterator?
            private let types: Set<String>?
            private let decoder: JSONDecoder?
            /// Made for the first event, because the default is that of the original request.
            private var eventDecoder: EventDecoder?

            fileprivate init(
                events: HTTPEventSource.AsyncIterator, types: Set<String>?, decoder: JSONDecoder?
            ) {
                self.events = events
                self.types = types
                self.decoder = decoder
            }

            public mutating func next() async throws -> Value? {
                try await next(isolation: nil)
            }

            /// Runs on the caller's actor; the argument is ignored.
            public nonisolated(nonsending) mutating func next(
                isolation actor: (any Actor)?
            ) async throws -> Value? {
                do {
                    while let event = try await events?.next(isolation: actor) {
                        if let value = try value(of: event) { return value }
                    }
                } catch {
                    events = nil
                    throw error
                }
                events = nil
                return nil
            }

            private mutating func value(of event: ServerSentEvent) throws(HTTPError) -> Value? {
                if eventDecoder == nil {
                    eventDecoder = EventDecoder(
                        types, PieceDecoder(decoder, for: events?.originalRequest))
                }
                return try eventDecoder?.value(Value.self, of: event)
            }
        }
    }
}

extension HTTPSession {
    /// Returns the events of a server whose data is JSON, as values; see
    /// ``/HTTPClientKit/HTTPEventSource``. Sends nothing yet.
    ///
    /// At the first event whose data is not such a value, iterating throws `decodingFailed`, which
    /// names the event by its number and type, closes the connection, and ends. For the type or
    /// the identifier of an event, or for data of several shapes, iterate over
    /// ``events(from:endingAt:options:)`` and decode each event with its method `json(_:decoder:)`.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - types: The types of the events to decode; `nil` for all. Other events are skipped, also
    ///     those that report an error.
    ///   - request: The request for the event stream.
    ///   - end: The data of the event that ends the sequence, which need not be JSON. See
    ///     ``events(from:endingAt:options:)``.
    ///   - decoder: The decoder of the data; `nil` for that of the client, or for a plain one in
    ///     any other session.
    ///   - options: The settings; the defaults if left out.
    /// - Throws: `invalidRequest` if `request` is not valid.
    public func events<Value: Decodable & Sendable>(
        of type: Value.Type, types: Set<String>? = nil, from request: any HTTPRequestConvertible,
        endingAt end: String? = nil, decoder: JSONDecoder? = nil,
        options: HTTPEventSourceOptions = HTTPEventSourceOptions()
    ) throws -> HTTPEventSource.DecodedEvents<Value> {
        HTTPEventSource.DecodedEvents(
            source: try events(from: request, endingAt: end, options: options), types: types,
            decoder: decoder)
    }
}
