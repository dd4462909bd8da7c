#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension HTTPResponse {
    /// The same response with its body in memory, readable any number of times.
    ///
    /// - Parameter limit: as of ``data(upTo:)``.
    /// - Throws: `bodyTooLarge`, or what broke the body.
    @concurrent public func buffered(
        upTo limit: Int? = nil
    ) async throws -> HTTPResponse {
        // What is in memory has come.
        let progress = body.bytes == nil ? originalRequest[ReceivingProgress.self] : nil
        let reported = progress.map(body.reportingProgress) ?? body
        let bytes = try await reported.collect(upTo: limit ?? defaultLimit)
        if body.isValue { return self }
        var response = self
        response.body = HTTPBody(bytes, trailers: body.trailers)
        return response
    }

    /// The body's bytes.
    ///
    /// - Parameter limit: in bytes; what the request's delivery says, else 16 MiB.
    /// - Throws: `bodyTooLarge` beyond the limit, or what broke the body.
    @concurrent public func data(upTo limit: Int? = nil) async throws -> Data {
        try await body.collect(upTo: limit ?? defaultLimit)
    }

    /// Where the caller names no limit: the one of a request that asked for its body in memory.
    private var defaultLimit: Int {
        if case .buffered(let limit) = originalRequest.delivery { return limit }
        return HTTPBody.defaultLimit
    }

    /// The body decoded from JSON; an empty one is `nil` where the type is an `Optional`.
    ///
    /// - Throws: `emptyResponse` for an empty body, else `decodingFailed` with the decoder's error inside,
    ///   saying where it stopped; both with the head and, up to ``HTTPRequest/errorBodyLimit``, the
    ///   ``HTTPError/bodyPrefix``. Else as ``data(upTo:)``.
    @concurrent public func json<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder(),
        upTo limit: Int? = nil
    ) async throws -> Value {
        try await decoded(upTo: limit) { bytes in
            try emptyValue(type, bytes) ?? decoder.decode(type, from: bytes)
        }
    }

    /// The body decoded by any decoder there is: of property lists, of protocol buffers, of your own.
    /// An empty body is the decoder's to judge.
    ///
    /// - Throws: `decodingFailed` as ``json(_:decoder:upTo:)``, with what `decode` throws inside; else as
    ///   ``data(upTo:)``.
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
                "the \(bytes.count) bytes\(contentType) of this \(status.code) are no \(Value.self)"
                    + error.decodingClause,
                mayHaveReachedServer: true, response: head, underlyingError: error
            ).ending(url).keeping(bodyPrefix: prefix(of: bytes))
        }
    }

    /// What JSON that is not there stands for: `nil` in an `Optional`. Answers `nil` itself where `bytes`
    /// are to be decoded.
    ///
    /// - Throws: `emptyResponse` where `type` is no `Optional`.
    package func emptyValue<Value>(
        _ type: Value.Type, _ bytes: Data
    ) throws(HTTPError) -> Value? {
        guard bytes.isEmpty else { return nil }
        if let type = type as? any Nullable.Type, let none = type.none as? Value {
            return .some(none)
        }
        throw HTTPError(
            .emptyResponse, "this \(status.code) has no content, where a \(type) was to be",
            mayHaveReachedServer: true, response: head, body: bytes
        ).ending(url)
    }

    /// As much of a body that is an error's as the request wants kept: a copy, lest a small slice keeps a
    /// large body in memory.
    package func prefix(of bytes: Data) -> Data {
        let limit = max(0, originalRequest.errorBodyLimit)
        return bytes.count <= limit ? bytes : Data(Array(bytes.prefix(limit)))
    }
}

/// An `Optional`, whatever it wraps.
private protocol Nullable {
    static var none: Self { get }
}

extension Optional: Nullable {}
