public import HTTPCore
public import PortableFoundation

extension ServerSentEvent {
    /// Returns the data decoded from JSON, for streams whose events have several shapes.
    ///
    /// - Parameters:
    ///   - value: The type of the value.
    ///   - decoder: The decoder, or `nil` for that of the client which received the event.
    /// - Throws: `decodingFailed`, which names the type of the event and says where the decoder
    ///   stopped, but contains no data.
    public func json<Value: Decodable>(
        _ value: Value.Type = Value.self, decoder: JSONDecoder? = nil
    ) throws(HTTPError) -> Value {
        try PieceDecoder(decoder ?? self.decoder).value(
            value, of: data.utf8, named: "the data of an event of type \(type.logSafe)")
    }
}

/// Decodes the data of the events of one stream.
package struct EventDecoder: Sendable {
    private let types: Set<String>?
    private let decoder: PieceDecoder
    /// The number of events that were read, of all types.
    private var number = 0

    /// - Parameter types: The types of the events to decode, or `nil` for all events.
    package init(_ types: Set<String>?, _ decoder: PieceDecoder) {
        self.types = types
        self.decoder = decoder
    }

    /// Returns the value of the next event, or `nil` if its type is not decoded.
    ///
    /// - Throws: `decodingFailed`, which names the event by its number and type.
    package mutating func value<Value: Decodable>(
        _ type: Value.Type, of event: ServerSentEvent
    ) throws(HTTPError) -> Value? {
        number += 1
        if let types, !types.contains(event.type) { return nil }
        return try decoder.value(
            type, of: event.data.utf8, named: "event \(number) of type \(event.type.logSafe)")
    }
}

extension HTTPBody {
    /// Returns the body as an event stream whose data is JSON: a value for each event, as soon as
    /// it has arrived.
    ///
    /// At the first event whose data is not such a value, reading throws `decodingFailed`, which
    /// names the event, and then ends. For the type or the identifier of an event, or for data of
    /// several shapes, read ``serverSentEvents(after:upTo:endingAt:)`` and decode each event with
    /// ``/HTTPFormats/ServerSentEvent/json(_:decoder:)``.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - types: The types of the events to decode; `nil` for all. Other events are skipped.
    ///   - decoder: The decoder of the data; `nil` for a plain one.
    ///   - lastEventID: The last identifier of an earlier connection.
    ///   - limit: The maximum length of a line, and of the data of an event, in bytes. Reading
    ///     throws `bodyTooLarge` beyond it.
    ///   - end: The data of the event that ends the sequence, which need not be JSON. See
    ///     ``serverSentEvents(after:upTo:endingAt:)``.
    public func serverSentEvents<Value: Decodable & Sendable>(
        of type: Value.Type, types: Set<String>? = nil, decoder: JSONDecoder? = nil,
        after lastEventID: String = "", upTo limit: Int = defaultLimit,
        endingAt end: String? = nil
    ) -> HTTPDecodedSequence<Value> {
        serverSentEvents(after: lastEventID, upTo: limit, endingAt: end)
            .decoded(as: type, EventDecoder(types, PieceDecoder(decoder)))
    }
}

private struct EventValueReader<Value: Decodable & Sendable>: HTTPValueReader {
    var events: HTTPBody.ServerSentEvents.AsyncIterator
    var decoder: EventDecoder

    mutating func next() async throws -> Value? {
        while let event = try await events.next() {
            if let value = try decoder.value(Value.self, of: event) { return value }
        }
        return nil
    }
}

extension HTTPBody.ServerSentEvents {
    fileprivate func decoded<Value: Decodable & Sendable>(
        as type: Value.Type, _ decoder: EventDecoder
    ) -> HTTPDecodedSequence<Value> {
        HTTPDecodedSequence { EventValueReader(events: makeAsyncIterator(), decoder: decoder) }
    }
}

extension HTTPResponse {
    /// Returns the body as an event stream whose data is JSON, if the response is an event stream:
    /// status 200 and type `text/event-stream` (HTML Standard §9.2.3). See
    /// ``HTTPBody/serverSentEvents(of:types:decoder:after:upTo:endingAt:)``.
    ///
    /// - Throws: `decodingFailed` if it is not. The body is left unread.
    public func serverSentEvents<Value: Decodable & Sendable>(
        of type: Value.Type, types: Set<String>? = nil, decoder: JSONDecoder? = nil,
        after lastEventID: String = "", upTo limit: Int = HTTPBody.defaultLimit,
        endingAt end: String? = nil
    ) throws(HTTPError) -> HTTPDecodedSequence<Value> {
        try serverSentEvents(after: lastEventID, upTo: limit, endingAt: end)
            .decoded(as: type, EventDecoder(types, PieceDecoder(decoder, for: originalRequest)))
    }
}
