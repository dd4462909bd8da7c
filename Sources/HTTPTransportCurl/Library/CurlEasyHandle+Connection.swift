import CHTTPTransportCurl

// The connection of a handle: its facts, and how libcurl reads from it.
extension CurlEasyHandle {
    /// Reports the end of the connection as an error unless TLS is closed first.
    func requireTLSEnd() { unsafe chttp_easy_require_tls_end(raw) }

    /// The certificates that the server sent, its own first, if they were requested.
    var certificateChain: [[UInt8]] {
        var chain: [[UInt8]] = []
        // A longer chain does not fit in a message.
        while chain.count < 10,
            let text = unsafe chttp_easy_certificate(raw, Int32(chain.count)),
            let certificate = PEM.certificate(in: unsafe String(cString: text))
        {
            chain.append(certificate)
        }
        return chain
    }

    /// The protocol that TLS selected for the connection in use, such as `"h2"`; `nil` if unknown.
    var applicationProtocol: String? {
        unsafe chttp_easy_application_protocol(raw).map { unsafe String(cString: $0) }
    }

    /// `true` if TLS holds bytes of the connection in use that belong to no response.
    var hasUnreadRecords: Bool { unsafe chttp_easy_has_unread_records(raw) != 0 }

    /// The TLS version of the connection in use, such as `"TLSv1.3"`; `nil` if unknown.
    var tlsVersion: String? {
        unsafe chttp_easy_tls_version(raw).map { unsafe String(cString: $0) }
    }

    func long(_ info: chttp_long_info) -> Int { unsafe chttp_easy_long(raw, info) }

    func offset(_ info: chttp_offset_info) -> Int64 { unsafe chttp_easy_offset(raw, info) }

    /// The bundle that this library was built to trust, or one in a usual place of distributions.
    var defaultCertificateAuthorityFile: String? {
        let own = unsafe chttp_easy_default_ca_file(raw).map { unsafe String(cString: $0) }
        let usual = [
            "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
            "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
        ]
        return ([own].compactMap(\.self) + usual).first { ReadableFile.check($0) == nil }
    }

    /// `true` if the handle can be restricted to HTTP/3. Asks, and resets the handle.
    var takesHTTP3: Bool {
        defer { reset() }
        return unsafe chttp_easy_set_http_version(raw, CHTTP_HTTP_3_ONLY) == CHTTP_E_OK
    }

    /// Keeps the bytes that arrive over the connection in use from holding up the loop.
    func limitReading() { unsafe chttp_easy_limit_reading(raw) }

    /// Lets a response be read that has come before the connection in use was reset, until the next
    /// request. The connection must be observed.
    func readAfterReset() { unsafe chttp_easy_read_after_reset(raw) }

    static func errorText(_ code: Int32) -> String {
        unsafe String(cString: chttp_easy_error_text(code))
    }
}
