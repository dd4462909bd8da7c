public import HTTPCodings
public import HTTPCore
import PortableFoundation

extension HTTPRequest {
    /// Returns this request with its content in a content coding, and with `Content-Encoding`
    /// (RFC 9110 §8.4). Call it after the body is set: another body takes the field away.
    ///
    /// Few servers decode requests. One that does not, responds with 415, and may say in
    /// `Accept-Encoding` what it takes (RFC 7694); `RequestCompression` learns from that.
    ///
    /// | body | sent |
    /// |---|---|
    /// | bytes | encoded now, with their length |
    /// | a file, or a body that is created again | encoded each time that it is sent, in chunks |
    /// | a stream | encoded as it is sent; each piece can be decoded when it has come |
    ///
    /// A body of no bytes stays as it is.
    ///
    /// - Throws: `unsupportedOption` if ``/HTTPCodings/HTTPContentCoding/canEncode`` is `false`;
    ///   `invalidRequest` if the request has `Content-Encoding`, `Content-Range` or a digest of its
    ///   content, which would not fit any more; `bodyAlreadyRead` for a stream that was read.
    public func compressed(_ coding: HTTPContentCoding = .gzip) throws(HTTPError) -> HTTPRequest {
        if let name = Self.fieldsOfContent.first(where: headers.contains) {
            throw HTTPError(
                .invalidRequest,
                "the request has \(name), which compressing its content would make wrong: "
                    + "compress first")
        }
        guard !body.isEmpty else { return self }
        guard body.canBeSent else { throw HTTPError.bodyAlreadyRead }
        // A missing library is found now.
        _ = try ContentEncoder(coding)
        let coded = try body.transformed { body throws(HTTPError) in
            try Self.coded(body, coding)
        }
        return withBody(coded, codedIn: coding.rawValue)
    }

    /// Returns this request with the same content in a content coding, and with the field that says
    /// so, which goes with the body.
    private func withBody(_ body: HTTPBody, codedIn coding: String) -> HTTPRequest {
        var request = self
        request.headers[.contentEncoding] = coding
        request.body = body
        var fields = implied?.fields ?? [:]
        fields[.contentEncoding] = coding
        request.implied = ImpliedFields(fields, fittingContentType: implied?.fittingContentType)
        return request
    }

    /// The fields that describe the bytes of the content as they are. The last two are older
    /// digests, which servers still check.
    static let fieldsOfContent: [HTTPHeaderName] = [
        .contentEncoding, .contentDigest, .reprDigest, "Content-Range", "Content-MD5", "Digest",
    ]

    private static func coded(
        _ body: HTTPBody, _ coding: HTTPContentCoding
    ) throws(HTTPError) -> HTTPBody {
        if let bytes = body.bytes { return HTTPBody(try ContentEncoder.encode(bytes, coding)) }
        switch body.replay {
        case .always:
            return HTTPBody(length: nil) { EncodedBodySource(body, coding, flushes: false) }
        case .once: return HTTPBody(source: EncodedBodySource(body, coding, flushes: true))
        }
    }
}
