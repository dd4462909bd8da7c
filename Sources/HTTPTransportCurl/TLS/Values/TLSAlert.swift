/// An alert with which the other side ends a TLS connection (RFC 8446 §6).
struct TLSAlert: Hashable {
    let number: UInt8

    init(_ number: UInt8) { self.number = number }

    /// The reason of a side that refuses the connection for what the client has, or lacks. It would
    /// refuse the next one, too.
    enum Refusal: Hashable {
        /// There is no version, cipher or other parameter that both sides accept.
        case parameters
        case version
        /// It does not serve the host.
        case host
        /// It speaks none of the versions of HTTP that were offered.
        case protocols
        /// It asks for a certificate, or does not accept the one that it got.
        case certificate
        /// The client's certificate has no path to an authority that it trusts.
        case certificateAuthority
        case certificateExpired
        case certificateRevoked
        /// It cannot verify a signature. With a certificate, that is usually the client's.
        case signature
    }

    /// - Parameter hasIdentity: `true` if the client has a certificate to show.
    func refusal(hasIdentity: Bool) -> Refusal? {
        switch number {
        case 40, 47, 71, 109, 110: .parameters
        case 70, 86: .version
        case 112: .host
        case 120: .protocols
        case 48: .certificateAuthority
        case 45: .certificateExpired
        case 44: .certificateRevoked
        case 41, 42, 43, 46, 49, 113, 114, 116: .certificate
        case 51: hasIdentity ? .signature : nil
        default: nil
        }
    }

    /// The name in RFC 8446 §6, or in an earlier version of TLS.
    var name: String? {
        switch number {
        case 0: "close_notify"
        case 10: "unexpected_message"
        case 20: "bad_record_mac"
        case 21: "decryption_failed"
        case 22: "record_overflow"
        case 30: "decompression_failure"
        case 40: "handshake_failure"
        case 41: "no_certificate"
        case 42: "bad_certificate"
        case 43: "unsupported_certificate"
        case 44: "certificate_revoked"
        case 45: "certificate_expired"
        case 46: "certificate_unknown"
        case 47: "illegal_parameter"
        case 48: "unknown_ca"
        case 49: "access_denied"
        case 50: "decode_error"
        case 51: "decrypt_error"
        case 60: "export_restriction"
        case 70: "protocol_version"
        case 71: "insufficient_security"
        case 80: "internal_error"
        case 86: "inappropriate_fallback"
        case 90: "user_canceled"
        case 100: "no_renegotiation"
        case 109: "missing_extension"
        case 110: "unsupported_extension"
        case 111: "certificate_unobtainable"
        case 112: "unrecognized_name"
        case 113: "bad_certificate_status_response"
        case 114: "bad_certificate_hash_value"
        case 115: "unknown_psk_identity"
        case 116: "certificate_required"
        case 120: "no_application_protocol"
        default: nil
        }
    }
}

extension TLSAlert: CustomStringConvertible {
    var description: String { "alert \(number)\(name.map { ", \($0)" } ?? "")" }
}
