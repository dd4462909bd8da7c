import HTTPCore

extension HTTPResponse {
    /// `true` if method and status allow content (RFC 9110 §6.4.1); 205 has none either (§15.3.6).
    var mayHaveContent: Bool {
        originalRequest.method != .head && status.class != .informational
            && ![.noContent, .resetContent, .notModified].contains(status)
    }
}
