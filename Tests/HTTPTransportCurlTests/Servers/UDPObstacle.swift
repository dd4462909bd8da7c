import TestSupport
import PortableFoundation

/// Something that keeps datagrams from a server.
///
/// The rules of the firewall apply to all programs of a network, so those cases need a network of
/// the tests' own: `unshare --net`, with the variable `HTTP_TEST_OWN_NETWORK`.
enum UDPObstacle: String, CaseIterable, CustomStringConvertible {
    case silentRelay = "a relay that drops all"
    case closedPort = "a closed port"
    case droppingFirewall = "a firewall that drops"
    case rejectingFirewall = "a firewall that rejects"

    static let available = allCases.filter { !$0.isFirewall || hasOwnNetwork }

    private static let hasOwnNetwork =
        ProcessInfo.processInfo.environment["HTTP_TEST_OWN_NETWORK"] != nil
        && ServerProcess.has("nft")

    var description: String { rawValue }
    var isFirewall: Bool { self == .droppingFirewall || self == .rejectingFirewall }
    /// `true` if the sender is not told.
    var isSilent: Bool { self == .silentRelay || self == .droppingFirewall }

    /// Puts the firewall before a port.
    func block(_ port: UInt16) async throws {
        let verdict = self == .droppingFirewall ? "drop" : "reject"
        let rules = [
            "add table inet tests",
            "add chain inet tests input { type filter hook input priority 0; }",
            "add rule inet tests input udp dport \(port) \(verdict)",
        ]
        try await ServerProcess.onThread {
            for rule in rules { try ServerProcess.run("nft", [rule]) }
        }
    }
}
