public import HTTPCodings
public import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
    ///   `invalidRequest` if the request has `Content-Encoding`, or a digest of its content, which
    ///   would not fit any more; `bodyAlreadyRead` for a stream that was read.
    public func compressed(_ coding: HTTPContentCoding = .gzip) throws(HTTPError) -> HTTPRequest {
        for name in [.contentEncoding, .contentDigest, .reprDigest] as [HTTPHeaderName]
        where headers.contains(name) {
            throw HTTPError(
                .invalidRequest,
                "the request has \(name), which compressing its content would make wrong: "
                    + "compress first")
        }
        guard !body.isEmpty else { return self }
        let body = body
        if let bytes = body.bytes {
            return self.coding(HTTPBody(try ContentEncoder.encode(bytes, coding)), coding.rawValue)
        }
        // A missing library is found now.
        _ = try ContentEncoder(coding)
        guard let reader = try body.claimReader() else {
            let coded = HTTPBody(length: nil) {
                try EncodedBodySource(
                    try await body.makeReader(), of: body, coding, flushes: false)
            }
            return self.coding(coded, coding.rawValue)
        }
        let source = try EncodedBodySource(reader, of: body, coding, flushes: true)
        return self.coding(HTTPBody(source: source), coding.rawValue)
    }
}
