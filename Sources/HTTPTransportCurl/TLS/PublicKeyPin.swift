import HTTPCore
import HTTPHashing
import PortableFoundation

/// The SHA-256 hash of a certificate's SubjectPublicKeyInfo (RFC 7469 §2.4).
///
/// The pin outlives the certificate: a renewal that keeps the key keeps the pin.
public struct PublicKeyPin: Hashable, Sendable, LosslessStringConvertible {
    /// The 32 bytes of the hash.
    package let bytes: [UInt8]

    /// Creates a pin from `"sha256/…"` or, as in libcurl, `"sha256//…"`, with the hash in Base64.
    public init?(_ description: String) {
        guard description.hasPrefix("sha256/") else { return nil }
        var text = description.dropFirst(7)
        // The Base64 form of 32 bytes has 44 characters. One more is libcurl's second slash.
        if text.utf8.count == 45, text.hasPrefix("/") { text = text.dropFirst() }
        guard text.utf8.count == 44, let hash = Data(base64Encoded: String(text)), hash.count == 32
        else { return nil }
        bytes = Array(hash)
    }

    /// Creates the pin of a certificate in DER, or `nil` if it is not one.
    public init?(certificate: [UInt8]) {
        guard let key = DERReader.subjectPublicKeyInfo(of: certificate) else { return nil }
        bytes = SHA256.hash(Array(key))
    }

    var base64: String { Data(bytes).base64EncodedString() }

    public var description: String { "sha256/\(base64)" }
}

/// The hosts that a set of pins is for.
struct HostPattern: Hashable {
    private enum Reach { case exactly, oneLabelBelow, andBelow }

    private let reach: Reach
    private let host: String

    /// Creates a pattern from `example.com`, `*.example.com` or `**.example.com`.
    init?(_ text: String) {
        var rest = text.lowercased()[...]
        if rest.hasPrefix("**.") {
            reach = .andBelow
            rest = rest.dropFirst(3)
        } else if rest.hasPrefix("*.") {
            reach = .oneLabelBelow
            rest = rest.dropFirst(2)
        } else {
            reach = .exactly
        }
        if rest.last == "." { rest = rest.dropLast() }
        host = String(rest)
        // The host must be one that an origin accepts. An address is only matched exactly.
        guard let url = try? URL(strictly: "https://\(host)/"), let origin = try? HTTPOrigin(url),
            origin.host == host, origin.port == 443
        else { return nil }
        let isAddress = IPAddress(host) != nil
        if isAddress, reach != .exactly { return nil }
    }

    /// - Parameter name: The host of an origin.
    func matches(_ name: String) -> Bool {
        let name = name.last == "." ? name.dropLast() : name[...]
        switch reach {
        case .exactly: return name == host
        case .andBelow: return name == host || name.hasSuffix("." + host)
        case .oneLabelBelow:
            guard name.hasSuffix("." + host) else { return false }
            let label = name.dropLast(host.utf8.count + 1)
            return !label.isEmpty && !label.contains(".")
        }
    }
}

extension [String: Set<PublicKeyPin>] {
    /// Returns the pins of which one must match, or `nil` if the host is not pinned.
    func pins(for host: String) -> Set<PublicKeyPin>? {
        var all: Set<PublicKeyPin>?
        for (pattern, pins) in self where HostPattern(pattern)?.matches(host) == true {
            all = (all ?? []).union(pins)
        }
        return all
    }
}
