public import HTTPCore
public import PortableFoundation

extension HTTPResponse {
    /// Returns the body decoded from JSON. An empty body is `nil` if the type is an `Optional`.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - decoder: The decoder, or `nil` for that of the client which sent the request. Without a
    ///     client, it is a `JSONDecoder` as it is created.
    ///   - limit: The limit of the body in bytes; `nil` for that of the request.
    /// - Throws: `emptyResponse` for an empty body; `decodingFailed` with the decoder's error
    ///   inside, saying where it stopped; otherwise the errors of ``data(upTo:)``. The first two
    ///   contain the head and, up to ``HTTPRequest/errorBodyLimit``, the ``HTTPError/bodyPrefix``.
    @concurrent public func json<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, decoder: JSONDecoder? = nil, upTo limit: Int? = nil
    ) async throws -> Value {
        let decoder = self.decoder(or: decoder)
        return try await decoded(upTo: limit) { bytes in
            try emptyValue(type, bytes) ?? decoder.value(type, from: bytes)
        }
    }

    /// Returns the body decoded by a closure, for formats such as property lists and protocol
    /// buffers. An empty body is passed to `decode` as well.
    ///
    /// - Throws: `decodingFailed`, as ``json(_:decoder:upTo:)`` does, with the error of `decode`
    ///   inside; otherwise the errors of ``data(upTo:)``.
    @concurrent public func decoded<Value: Sendable>(
        upTo limit: Int? = nil, by decode: @Sendable (Data) throws -> Value
    ) async throws -> Value {
        let bytes = try await data(upTo: limit)
        do {
            return try decode(bytes)
        } catch let error as HTTPError where error.code == .emptyResponse {
            throw error
        } catch {
            let contentType = headers[.contentType].map { " of type \($0.logSafe)" } ?? ""
            throw HTTPError(
                .decodingFailed,
                "the \(bytes.count) bytes\(contentType) of this \(status.code) response are not "
                    + "a \(Value.self)" + (codingClause ?? error.decodingClause),
                mayHaveReachedServer: true, response: head, underlyingError: error
            ).ending(self).keeping(bodyPrefix: prefix(of: bytes))
        }
    }

    /// Returns the value of an empty JSON body, which is `nil` inside if `Value` is an `Optional`,
    /// or returns `nil` if `bytes` is not empty and must be decoded.
    ///
    /// - Throws: `emptyResponse` if `bytes` is empty and `type` is not an `Optional`.
    package func emptyValue<Value>(
        _ type: Value.Type, _ bytes: Data
    ) throws(HTTPError) -> Value? {
        guard bytes.isEmpty else { return nil }
        if let type = type as? any AnyOptional.Type, let none = type.none as? Value {
            return .some(none)
        }
        throw HTTPError(
            .emptyResponse,
            "this \(status.code) response has no content, but a \(type) was expected",
            mayHaveReachedServer: true, response: head, body: bytes
        ).ending(self)
    }
}

extension HTTPSession {
    /// Returns the whole body decoded from JSON; the body is read inside the attempt.
    @_disfavoredOverload
    @concurrent public func response<Value: Decodable & Sendable>(
        _ type: Value.Type, for request: any HTTPRequestConvertible
    ) async throws -> Value {
        try await bufferedResponse(for: request).json(Value.self)
    }

    /// Returns the whole body decoded from JSON by `decoder`, with its date and key strategies and
    /// its user info; the body is read inside the attempt. For `nil`, decodes with the client's.
    @concurrent public func response<Value: Decodable & Sendable>(
        _ type: Value.Type, decoder: JSONDecoder?, for request: any HTTPRequestConvertible
    ) async throws -> Value {
        try await bufferedResponse(for: request).json(type, decoder: decoder)
    }
}
