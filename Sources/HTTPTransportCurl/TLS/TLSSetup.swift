import CHTTPTransportCurl
import PortableLibc

/// The settings of a connection that go to the TLS library directly, at a fixed address.
///
/// Nothing changes it, so any thread may read it.
@safe final class TLSSetup: @unchecked Sendable {
    private let raw: UnsafeMutablePointer<chttp_tls_setup>

    /// - Parameters:
    ///   - keyLog: A descriptor to write secrets to, or one of `CHTTP_KEY_LOG_…`.
    ///   - directory: Directories with authorities under hashed names.
    init(keyLog: Int32, asksForAuthorities: Bool = false, directory: String? = nil) {
        unsafe raw = .allocate(capacity: 1)
        unsafe raw.initialize(
            to: chttp_tls_setup(
                key_log: keyLog, uses_finder: asksForAuthorities ? 1 : 0,
                directory: directory.flatMap { unsafe UnsafePointer(strdup($0)) }))
    }

    deinit {
        unsafe free(UnsafeMutablePointer(mutating: raw.pointee.directory))
        unsafe raw.deallocate()
    }

    /// The setup of connections that only report their handshakes.
    static let observing = TLSSetup(keyLog: CHTTP_KEY_LOG_DEFAULT)

    /// Applies the setup, which must outlive the transfer.
    func apply(to easy: CurlEasyHandle, for peer: TLSPeer) {
        unsafe easy.prepareTLS(raw, for: peer)
    }
}
