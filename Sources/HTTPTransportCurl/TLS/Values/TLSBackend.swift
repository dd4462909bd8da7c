import HTTPCore

/// The TLS library that libcurl was built with, and the features that it supports.
struct TLSBackend: Hashable, Sendable {
    enum Family: Hashable, Sendable {
        /// OpenSSL and its descendants: LibreSSL, BoringSSL, AWS-LC, quictls.
        case openSSL
        case gnuTLS, mbedTLS, wolfSSL, secureTransport
        case other
    }

    let family: Family
    /// The name that libcurl reports, such as `"OpenSSL/3.0.19"`.
    let name: String
    /// `true` if the process has the functions to write secrets down and to keep them from being
    /// written.
    let logsKeys: Bool

    /// - Parameter text: The text that libcurl reports. If there are several backends, the inactive
    ///   ones are in parentheses.
    init(_ text: String, canLogKeys: Bool) {
        name = text
        let active =
            text.split(separator: " ").first { !$0.hasPrefix("(") }.map { $0.lowercased() } ?? ""
        let families: [(String, Family)] = [
            ("openssl", .openSSL), ("libressl", .openSSL), ("boringssl", .openSSL),
            ("aws-lc", .openSSL), ("quictls", .openSSL), ("gnutls", .gnuTLS),
            ("mbedtls", .mbedTLS), ("wolfssl", .wolfSSL), ("securetransport", .secureTransport),
        ]
        family = families.first { active.hasPrefix($0.0) }?.1 ?? .other
        logsKeys = canLogKeys && family == .openSSL
    }

    var pinsKeys: Bool { family != .other }
    var searchesDirectories: Bool { family == .openSSL || family == .gnuTLS || family == .mbedTLS }
    var takesIdentities: Bool { family == .openSSL }
    /// Others accept a list and ignore it, or understand other names.
    var takesCipherSuites: Bool { family == .openSSL }
    /// `true` if libcurl reports when a handshake begins.
    var showsHandshakes: Bool { family == .openSSL }
    /// `true` if the library says why it refused a certificate.
    var explainsRefusals: Bool { family == .openSSL }

    func refusal(of setting: String) -> HTTPError {
        HTTPError(
            .unsupportedOption,
            "the TLS settings: a libcurl built with \(name.logSafe) does not support \(setting)",
            phase: .preparing)
    }
}
