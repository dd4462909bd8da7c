import CHTTPTransportCurl

/// A certificate that OpenSSL has parsed.
///
/// OpenSSL counts the references to a certificate atomically, and does not change it once it is
/// parsed, except for what it caches under a lock. Any thread may therefore use it, and a store
/// with the certificate may outlive this owner.
@safe final class TLSCertificate: @unchecked Sendable {
    private let raw: OpaquePointer

    /// Returns `nil` if the bytes are no certificate that OpenSSL can parse.
    init?(der: [UInt8]) {
        let raw = unsafe der.withUnsafeBufferPointer { bytes in
            unsafe bytes.baseAddress.flatMap { unsafe chttp_certificate_make($0, bytes.count) }
        }
        guard let raw = unsafe raw else { return nil }
        unsafe self.raw = raw
    }

    deinit { unsafe chttp_certificate_free(raw) }

    /// Gives the certificate to a search, which takes a reference of its own.
    func found(by search: OpaquePointer) { unsafe chttp_authority_found(search, raw) }
}
