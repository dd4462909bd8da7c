/// Another host, port and protocol at which an origin can be reached (RFC 7838 §3).
package struct AlternativeService: Hashable, Sendable, CustomStringConvertible {
    /// The name of the protocol in TLS (ALPN), such as `h3`.
    package let protocolID: String
    /// The host in the form of ``HTTPOrigin/host``; `nil` for the origin's own host.
    package let host: String?
    /// The port, from 1 to 65535.
    package let port: Int
    /// The time for which the service may be used, counted from when the response was generated; a
    /// day unless the server says otherwise.
    package let maxAge: Duration
    /// `true` if the service remains valid when the client's network changes.
    package let isPersistent: Bool

    private static var defaultMaxAge: Duration { .seconds(86_400) }
    private static let protocolBytes = ByteSet(
        (0..<0x80).filter { $0.isTokenCharacter && $0 != UInt8(ascii: "%") })

    fileprivate init?(_ scanner: inout FieldScanner) {
        guard let name = scanner.token(), scanner.take("="), let authority = scanner.quotedString(),
            let parameters = scanner.parameters(),
            let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":")),
            // An explicit host must be a valid host. Without one, a placeholder takes its place.
            let reference = try? URIReference(
                "https://" + (colon == authority.startIndex ? "h" + authority : authority)),
            reference.path.isEmpty, reference.query == nil, reference.fragment == nil,
            reference.authority?.userInfo == nil, reference.authority?.port?.isEmpty == false,
            let place = try? HTTPOrigin(reference)
        else { return nil }
        protocolID =
            String(validating: Array(name.utf8).percentDecoded(), as: UTF8.self) ?? name
        host = colon == authority.startIndex ? nil : place.host
        port = place.port
        func value(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
        maxAge = value("ma")?.deltaSeconds ?? Self.defaultMaxAge
        isPersistent = value("persist") == "1"
    }

    package var description: String {
        var text = ""
        text.appendPercentEncoded(protocolID, allowed: Self.protocolBytes)
        text += "=\"\(host ?? ""):\(port)\""
        if maxAge != Self.defaultMaxAge { text += "; ma=\(maxAge.deltaSeconds)" }
        return text + (isPersistent ? "; persist=1" : "")
    }
}

/// The alternative services that `Alt-Svc` names for an origin (RFC 7838 §3).
package enum AlternativeServices: Hashable, Sendable, CustomStringConvertible {
    /// All known services are invalid.
    case clear
    /// The services in the server's order of preference. They replace all known ones.
    case services([AlternativeService])

    /// Creates a value from the field's text. Members that are not services are left out, and so is
    /// `clear` in a list with others.
    package init(_ text: String) {
        if text.trimmingBlanks == "clear" {
            self = .clear
        } else {
            self = .services(FieldScanner.members(text) { AlternativeService(&$0) })
        }
    }

    package var description: String {
        switch self {
        case .clear: "clear"
        case .services(let services): services.map(\.description).joined(separator: ", ")
        }
    }
}
