public import HTTPCore
public import HTTPFormats
public import PortableFoundation

private struct EventSourceReader<Value: Decodable & Sendable>: HTTPValueReader {
    private var events: HTTPEventSource.AsyncIterator
    private let types: Set<String>?
    private let decoder: JSONDecoder?
    /// Made for the first event, because the default is that of the original request.
    private var eventDecoder: EventDecoder?

    init(_ source: HTTPEventSource, _ types: Set<String>?, _ decoder: JSONDecoder?) {
        events = source.makeAsyncIterator()
        self.types = types
        self.decoder = decoder
    }

    mutating func next() async throws -> Value? {
        while let event = try await events.next() {
            if let value = try value(of: event) { return value }
        }
        return nil
    }

    private mutating func value(of event: ServerSentEvent) throws(HTTPError) -> Value? {
        if eventDecoder == nil {
            eventDecoder = EventDecoder(types, PieceDecoder(decoder, for: events.originalRequest))
        }
        return try eventDecoder?.value(Value.self, of: event)
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
    ) throws -> HTTPDecodedSequence<Value> {
        let source = try events(from: request, endingAt: end, options: options)
        return HTTPDecodedSequence { EventSourceReader(source, types, decoder) }
    }
}
