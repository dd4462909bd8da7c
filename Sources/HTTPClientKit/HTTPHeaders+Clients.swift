public import HTTPCore

extension HTTPHeaders {
    /// What many clients say of themselves, for ``HTTPClient/Configuration/headers``: `User-Agent`, and
    /// `Accept-Language` with falling weights. `Accept-Encoding` is not among them: a transport asks for the
    /// codings that it decodes itself.
    ///
    /// - Parameters:
    ///   - product: such as `mine/1.0 (deliverer)`.
    ///   - languages: tags, the best first; beyond the sixth they do not count.
    /// - Throws: `invalidRequest` for what no field may hold.
    public static func client(
        product: String, languages: [String] = []
    ) throws(HTTPError) -> HTTPHeaders {
        var headers = HTTPHeaders()
        try headers.set(.userAgent, product)
        if let tag = languages.first(where: { !$0.isToken }) {
            throw HTTPError(
                .invalidRequest, "\(tag.logSafe) is not a language for Accept-Language")
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
