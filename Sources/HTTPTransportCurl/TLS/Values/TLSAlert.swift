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
    var name: String? { Self.names[number] }

    private static let names: [UInt8: String] = [
        0: "close_notify", 10: "unexpected_message", 20: "bad_record_mac", 21: "decryption_failed",
        22: "record_overflow", 30: "decompression_failure", 40: "handshake_failure",
        41: "no_certificate", 42: "bad_certificate", 43: "unsupported_certificate",
        44: "certificate_revoked", 45: "certificate_expired", 46: "certificate_unknown",
        47: "illegal_parameter", 48: "unknown_ca", 49: "access_denied", 50: "decode_error",
        51: "decrypt_error", 60: "export_restriction", 70: "protocol_version",
        71: "insufficient_security", 80: "internal_error", 86: "inappropriate_fallback",
        90: "user_canceled", 100: "no_renegotiation", 109: "missing_extension",
        110: "unsupported_extension", 111: "certificate_unobtainable", 112: "unrecognized_name",
        113: "bad_certificate_status_response", 114: "bad_certificate_hash_value",
        115: "unknown_psk_identity", 116: "certificate_required", 120: "no_application_protocol",
    ]
}

extension TLSAlert: CustomStringConvertible {
    var description: String { "alert \(number)\(name.map { ", \($0)" } ?? "")" }
}
