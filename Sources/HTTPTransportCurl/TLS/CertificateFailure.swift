import CHTTPTransportCurl
public import PortableFoundation

/// The reason why the certificate of a server, or of an HTTPS proxy, was refused: the
/// `underlyingError` of `serverNotTrusted`.
public struct CertificateFailure: Error, Hashable, Sendable {
    /// The reasons that the TLS library can tell.
    public enum Reason: Hashable, Sendable {
        /// The certificate, or one above it, is no longer valid.
        case expired
        /// The certificate, or one above it, is not valid yet.
        case notYetValid
        /// The certificate is revoked, or its status is not known.
        case revoked
        /// The certificate is signed by itself and is not trusted.
        case selfSigned
        /// The certificate has no path to a trusted authority. Servers that leave out an
        /// intermediate certificate also cause this.
        case unknownAuthority
        /// The certificate names other hosts.
        case wrongHost
        /// A key or a signature is weaker than the machine's policy asks for.
        case tooWeak
        /// The certificate is good, but its key is none of the pinned ones. See ``chainPins``.
        case notPinned
        /// The authorities to trust could not be read.
        case authoritiesUnreadable
        /// Any other reason. See ``CertificateFailure/curl``.
        case other
    }

    /// The reason, as far as the TLS library tells it.
    public let reason: Reason
    /// The pins of the chain that the server sent, its own first, for ``Reason/notPinned``.
    public let chainPins: [PublicKeyPin]
    /// OpenSSL's `X509_V_ERR_…`, or 0 if there is none.
    package let verificationCode: Int
    /// libcurl's own error.
    public let curl: CurlError
    /// The side that has shown the certificate.
    let peer: TLSPeer

    /// The codes of libcurl that concern a certificate.
    static let codes: Set<Int32> = [
        CHTTP_E_PEER_FAILED_VERIFICATION, CHTTP_E_SSL_CACERT_BADFILE, CHTTP_E_SSL_CRL_BADFILE,
        CHTTP_E_SSL_ISSUER_ERROR, CHTTP_E_SSL_PINNEDPUBKEYNOTMATCH, CHTTP_E_SSL_INVALIDCERTSTATUS,
    ]

    /// - Parameter isExplained: `true` if the library says why it refused the certificate. 0 then
    ///   means a name that did not match.
    init(
        _ curl: CurlError, verificationCode: Int, isExplained: Bool = true,
        chainPins: [PublicKeyPin] = [], peer: TLSPeer = .server
    ) {
        self.curl = curl
        self.peer = peer
        self.chainPins = chainPins
        self.verificationCode = verificationCode
        reason =
            switch (curl.code, verificationCode) {
            case (CHTTP_E_SSL_PINNEDPUBKEYNOTMATCH, _): .notPinned
            case (CHTTP_E_SSL_CACERT_BADFILE, _), (CHTTP_E_SSL_CRL_BADFILE, _):
                .authoritiesUnreadable
            // The chain was good (0), or libcurl had not yet asked OpenSSL about it (1). In both
            // cases, libcurl itself has judged the name.
            case (CHTTP_E_PEER_FAILED_VERIFICATION, 0...1) where isExplained: .wrongHost
            case (CHTTP_E_SSL_INVALIDCERTSTATUS, _): .revoked
            case (_, 9): .notYetValid
            case (_, 10): .expired
            case (_, 18), (_, 19): .selfSigned
            case (_, 2), (_, 20), (_, 21), (_, 27): .unknownAuthority
            case (_, 23): .revoked
            case (_, 62), (_, 64): .wrongHost
            case (_, 66), (_, 67), (_, 68): .tooWeak
            default: .other
            }
    }

    /// The reason as one sentence for a log.
    var message: String {
        let peer =
            switch peer {
            case .server: "the server"
            case .proxy: "the proxy"
            }
        return switch reason {
        case .expired: "\(peer)'s certificate has expired"
        case .notYetValid: "\(peer)'s certificate is not valid yet"
        case .revoked: "\(peer)'s certificate is revoked, or its status is not known"
        case .selfSigned: "\(peer)'s certificate, or the last one of its chain, is self-signed"
        case .unknownAuthority: "\(peer)'s certificate does not lead to a trusted authority"
        case .wrongHost: "\(peer)'s certificate names other hosts"
        case .tooWeak: "a key or signature of \(peer)'s certificate is too weak"
        case .notPinned:
            chainPins.isEmpty
                ? "\(peer)'s key is none of the pinned ones"
                : "\(peer)'s key is none of the pinned ones; its chain has "
                    + chainPins.map(\.description).joined(separator: ", ")
        case .authoritiesUnreadable: "the certificate authorities to trust could not be read"
        case .other: "\(peer)'s certificate is not trusted"
        }
    }
}

extension CertificateFailure: CustomStringConvertible {
    public var description: String {
        verificationCode == 0
            ? "\(message) (\(curl))" : "\(message) (\(curl); X509 error \(verificationCode))"
    }
}

extension CertificateFailure: LocalizedError {
    public var errorDescription: String? { description }
}
