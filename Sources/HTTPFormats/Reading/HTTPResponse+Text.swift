public import HTTPCore

extension HTTPResponse {
    /// Returns the body as text: in the UTF of its byte order mark, else in the charset of
    /// `Content-Type`, else in UTF-8. See
    /// ``/HTTPFormats/HTTPCharset/decode(_:contentTypeCharset:)``.
    ///
    /// - Throws: `decodingFailed` if the charset has no decoder, or if there is no charset, or an
    ///   unknown one, and the bytes are not UTF-8; otherwise the errors of ``data(upTo:)``.
    @concurrent public func text(upTo limit: Int? = nil) async throws -> String {
        let bytes = try await data(upTo: limit)
        // Some servers write a charset there, or `none`.
        if let codingClause, !bytes.isEmpty, ContentCodings(headers).hasKnown {
            throw HTTPError(
                .decodingFailed, "the \(bytes.count) bytes of the body are no text" + codingClause,
                mayHaveReachedServer: true, response: head
            ).ending(self).keeping(bodyPrefix: prefix(of: bytes))
        }
        let label = headers.contentType?.charset
        do {
            return try HTTPCharset.decode(bytes, contentTypeCharset: label)
        } catch {
            throw error.ending(self, head: head).keeping(bodyPrefix: prefix(of: bytes))
        }
    }

    /// The charset that ``text(upTo:)`` uses if the body has no byte order mark; `nil` if
    /// `Content-Type` names no charset, or an unknown one.
    public var textEncoding: HTTPCharset? {
        headers.contentType?.charset.flatMap { HTTPCharset(label: $0) }
    }
}

extension String: HTTPResponseConvertible {
    public static func convert(from response: HTTPResponse) async throws -> String {
        try await response.text()
    }
}
