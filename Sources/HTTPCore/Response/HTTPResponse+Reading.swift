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

    /// A clause for the error of a body that is still in the content codings of the server; `nil`
    /// for any other body.
    package var codingClause: String? {
        let names = ContentCodings(headers).names.prefix(8)
        guard !names.isEmpty else { return nil }
        return ": they are still in the content coding \(names.joined(separator: ", ").logSafe). "
            + "To have it decoded, do not set Accept-Encoding"
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
