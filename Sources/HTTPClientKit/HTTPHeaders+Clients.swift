public import HTTPCore

extension HTTPHeaders {
    /// Returns the fields that many clients send, for
    /// ``/HTTPClientKit/HTTPClient/Configuration/headers``: `User-Agent`, and `Accept-Language`
    /// with falling weights. `Accept-Encoding` is not included: a transport asks for the codings
    /// that it decodes itself.
    ///
    /// - Parameters:
    ///   - product: The product, such as `mine/1.0 (deliverer)`.
    ///   - languages: Language tags, the best first. Tags after the sixth are ignored.
    /// - Throws: `invalidRequest` if a field cannot hold the value.
    public static func client(
        product: String, languages: [String] = []
    ) throws(HTTPError) -> HTTPHeaders {
        var headers = HTTPHeaders()
        try headers.set(.userAgent, product)
        if let tag = languages.first(where: { !$0.isToken }) {
            throw HTTPError(
                .invalidRequest, "\(tag.logSafe) is not a language tag for Accept-Language")
        }
        let weighted = languages.prefix(6).enumerated().map { index, tag in
            index == 0 ? tag : "\(tag);q=0.\(10 - index)"
        }
        if !weighted.isEmpty {
            try headers.set(.acceptLanguage, weighted.joined(separator: ", "))
        }
        return headers
    }
}
