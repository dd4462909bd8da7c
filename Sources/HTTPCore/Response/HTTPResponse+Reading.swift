public import PortableFoundation

extension HTTPResponse {
    /// Returns the same response with its body in memory, so that it can be read any number of
    /// times.
    ///
    /// - Parameter limit: The limit in bytes. See ``data(upTo:)``.
    /// - Throws: `bodyTooLarge`, or the error that ended the body.
    @concurrent public func buffered(
        upTo limit: Int? = nil
    ) async throws -> HTTPResponse {
        // A body in memory has arrived: there is no progress to report.
        let progress = body.bytes == nil ? originalRequest[ReceivingProgress.self] : nil
        let reported = progress.map(body.reportingProgress) ?? body
        let bytes = try await collected(reported, upTo: limit)
        if body.isValue { return self }
        var response = self
        response.body = HTTPBody(bytes, trailers: body.trailers)
        return response
    }

    /// Returns the bytes of the body.
    ///
    /// - Parameter limit: The maximum number of bytes, or `nil` for the limit of the request's
    ///   delivery; 16 MiB if that has none.
    /// - Throws: `bodyTooLarge` if the body is longer than the limit, or the error that ended the
    ///   body.
    @concurrent public func data(upTo limit: Int? = nil) async throws -> Data {
        try await collected(body, upTo: limit)
    }

    private func collected(_ body: HTTPBody, upTo limit: Int?) async throws -> Data {
        do {
            return try await body.collect(upTo: limit ?? defaultLimit)
        } catch let error as HTTPError {
            throw error.reading(self)
        }
    }

    /// The limit if the caller gives none: that of the request's delivery, else 16 MiB.
    private var defaultLimit: Int {
        if case .buffered(let limit) = originalRequest.delivery { return limit }
        return HTTPBody.defaultLimit
    }

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
        let bytes = try await collected(body, upTo: limit)
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

    /// A clause for the error of a body that is still in the content codings of the server; `nil`
    /// for any other body.
    package var codingClause: String? {
        let names = ContentCodings(headers).names.prefix(8)
        guard !names.isEmpty else { return nil }
        return ": they are still in the content coding \(names.joined(separator: ", ").logSafe). "
            + "To have it decoded, do not set Accept-Encoding"
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

    /// The part of the body that an error about this response keeps, if the body is in memory.
    package var bodyPrefixInMemory: Data? { body.bytes.map(prefix(of:)) }

    /// Returns the part of an error's body that the request wants to keep. It is a copy, because a
    /// small slice would keep a large body in memory.
    package func prefix(of bytes: Data) -> Data {
        let limit = max(0, originalRequest.errorBodyLimit)
        return bytes.count <= limit ? bytes : Data(Array(bytes.prefix(limit)))
    }
}
