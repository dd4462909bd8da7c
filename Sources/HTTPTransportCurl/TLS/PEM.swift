#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The textual form of certificates and keys (RFC 7468).
enum PEM {
    private static let certificateLabels = [
        "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE",
    ]

    static func isCertificate(_ text: Data) -> Bool {
        let text = String(decoding: text, as: UTF8.self)
        return certificateLabels.contains { text.contains("-----BEGIN \($0)-----") }
    }

    static func isPrivateKey(_ text: Data) -> Bool {
        let text = String(decoding: text, as: UTF8.self)
        return text.contains("-----BEGIN ") && text.contains("PRIVATE KEY-----")
    }

    /// Returns the first certificate in `text`, decoded.
    static func certificate(in text: String) -> [UInt8]? {
        let lines = text.split(whereSeparator: \.isNewline)
        guard
            let begin = lines.firstIndex(where: { $0.hasSuffix("-----BEGIN CERTIFICATE-----") }),
            let end = lines[begin...].firstIndex(of: "-----END CERTIFICATE-----")
        else { return nil }
        return Data(base64Encoded: lines[(begin + 1)..<end].joined()).map { Array($0) }
    }
}
