/// The reason for a failure of TLS, as the TLS library tells it.
enum TLSReason: Hashable {
    /// The other side has ended the connection with this alert.
    case alert(TLSAlert)
    /// The other side has sent something that is not TLS.
    case notTLS
    /// The other side has chosen a version that is not accepted here.
    case version
    /// The other side's choice, or what the settings leave to choose from, is not accepted here.
    case parameters(String)
    /// The connection has ended without the close of TLS.
    case unexpectedEnd
    /// The client's private key belongs to another certificate.
    case keyOfAnother
    /// Another reason, in the words of the TLS library.
    case other(String)

    /// The reasons of OpenSSL that are the same for each connection, and say what the settings of
    /// the two sides are.
    private static let mismatches: Set<String> = [
        "no ciphers available", "no cipher match", "no shared cipher", "wrong cipher returned",
        "unknown cipher returned", "unsupported elliptic curve", "wrong curve",
        "no suitable key share", "no suitable groups", "bad key share",
        "no suitable signature algorithm", "no shared signature algorithms", "wrong signature type",
        "dh key too small", "ee key too small", "ca key too small", "ca md too weak",
        "unsafe legacy renegotiation disabled", "bad dh value",
    ]

    private static let versions: Set<String> = [
        "unsupported protocol", "no protocols available", "version too low", "version too high",
        "wrong ssl version", "unsupported ssl version", "unknown protocol",
        "no protocol version in common",
    ]

    private static let foreigners: Set<String> = [
        "wrong version number", "packet length too long", "http request", "https proxy request",
    ]

    /// Reads the error of OpenSSL, or of a library that descends from it, in a text of libcurl:
    /// `error:0A00045C:SSL routines::tlsv13 alert certificate required`. Earlier versions name a
    /// function between the colons.
    ///
    /// - Returns: `nil` if the text has no such error.
    init?(_ text: String) {
        // libcurl's own words before it may end with the same mark.
        guard let start = text.ranges(of: "error:").last?.upperBound else { return nil }
        // The text may end with ", errno 0", or ", (no key found, …".
        var rest = text[start...]
        if let end = rest.firstRange(of: ", ")?.lowerBound { rest = rest[..<end] }
        let parts = rest.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let code = UInt64(parts[0], radix: 16), code != 0 else {
            return nil
        }
        // All of them have the reason in the lowest bits, and 1000 more than the number for the
        // reason of an alert.
        let reason = code & 0xFFF
        let isOfTLS = parts[1].lowercased().hasPrefix("ssl")
        if isOfTLS, (1000..<1256).contains(reason), let number = UInt8(exactly: reason - 1000) {
            self = .alert(TLSAlert(number))
            return
        }
        self.init(reason: String(parts[3]))
    }

    /// - Parameter reason: The words of the TLS library.
    init(reason: String) {
        // BoringSSL writes in capitals, with underscores.
        let words = String(reason.lowercased().map { $0 == "_" ? " " : $0 })
        self =
            switch words {
            case _ where Self.versions.contains(words): .version
            case _ where Self.mismatches.contains(words): .parameters(words)
            case _ where Self.foreigners.contains(words): .notTLS
            case "unexpected eof while reading": .unexpectedEnd
            case "key values mismatch": .keyOfAnother
            default: .other(Self.plain(words))
            }
    }

    /// The first words, without what a log should not get.
    private static func plain(_ words: String) -> String {
        String(
            words.prefix(80).map { character in
                character.isASCII && (character.isLetter || character.isNumber || character == "-")
                    ? character : " "
            }
        ).split(separator: " ").joined(separator: " ")
    }

    /// Returns `true` if another connection would end in the same way.
    func isFinal(hasIdentity: Bool) -> Bool {
        switch self {
        case .alert(let alert): alert.refusal(hasIdentity: hasIdentity) != nil
        case .notTLS, .version, .parameters, .keyOfAnother: true
        case .unexpectedEnd, .other: false
        }
    }

    /// The reason as a clause for a log.
    ///
    /// - Parameters:
    ///   - peer: The other side, such as `"the server"`.
    ///   - hasIdentity: `true` if the client has a certificate to show.
    func clause(of peer: String, hasIdentity: Bool) -> String? {
        switch self {
        case .alert(let alert):
            "\(peer) \(Self.clause(alert.refusal(hasIdentity: hasIdentity), hasIdentity)) "
                + "(\(alert))"
        case .notTLS: "what \(peer) sent is not TLS; it may speak plain HTTP at this port"
        case .version: "\(peer) speaks no version of TLS that the settings allow"
        case .parameters(let words):
            "\(peer) and the settings have no parameters in common (\(words))"
        case .keyOfAnother: "the client's private key does not belong to its certificate"
        case .unexpectedEnd: "the connection ended during the handshake"
        case .other(let words): words.isEmpty ? nil : "the TLS library says \"\(words)\""
        }
    }

    private static func clause(_ refusal: TLSAlert.Refusal?, _ hasIdentity: Bool) -> String {
        switch refusal {
        case .parameters:
            "accepts none of the offered ciphers and parameters, or "
                + (hasIdentity
                    ? "does not accept the client's certificate"
                    : "asks for a client certificate and got none")
        case .version: "does not speak the offered versions of TLS"
        case .host: "does not serve this host name"
        case .protocols: "speaks none of the offered versions of HTTP"
        case .certificate where hasIdentity: "does not accept the client's certificate"
        case .certificateAuthority where hasIdentity:
            "does not trust the authority of the client's certificate"
        case .certificateExpired where hasIdentity: "says that the client's certificate has expired"
        case .certificateRevoked where hasIdentity: "says that the client's certificate is revoked"
        // Servers also send these alerts if they get no certificate.
        case .certificate, .certificateAuthority, .certificateExpired, .certificateRevoked:
            "asks for a client certificate and got none"
        case .signature: "cannot verify the signature of the client's certificate"
        case nil: "ended the handshake"
        }
    }
}
