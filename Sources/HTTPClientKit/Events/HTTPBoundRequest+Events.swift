import HTTPCore
public import PortableFoundation

extension HTTPBoundRequest {
    /// Returns the server-sent events of the response, over as many connections as necessary. See
    /// ``/HTTPCore/HTTPSession/events(from:endingAt:options:)``.
    ///
    /// - Throws: `invalidRequest` if the request is not valid.
    public func events(
        endingAt end: String? = nil, options: HTTPEventSourceOptions = HTTPEventSourceOptions()
    ) throws -> HTTPEventSource {
        try session.events(from: self, endingAt: end, options: options)
    }

    /// Returns the server-sent events of the response as values decoded from JSON. See
    /// ``/HTTPCore/HTTPSession/events(of:types:from:endingAt:decoder:options:)``.
    ///
    /// - Throws: `invalidRequest` if the request is not valid.
    public func events<Value: Decodable & Sendable>(
        of type: Value.Type, types: Set<String>? = nil, endingAt end: String? = nil,
        decoder: JSONDecoder? = nil, options: HTTPEventSourceOptions = HTTPEventSourceOptions()
    ) throws -> HTTPDecodedSequence<Value> {
        try session.events(
            of: type, types: types, from: self, endingAt: end, decoder: decoder, options: options)
    }
}
