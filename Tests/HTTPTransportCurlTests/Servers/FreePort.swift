import HTTPCore
import PortableFoundation
import PortableLibc

/// A port of 127.0.0.1 for a server that does not accept port 0, free for TCP and for UDP.
///
/// It lies below the ports that the system gives to clients. A client that was given one of those
/// would keep the server from it, and over QUIC each connection of a client has a UDP port.
enum FreePort {
    /// The first of the ports that the system gives to clients.
    static let firstOfClients: UInt16 = {
        let text = try? String(
            contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8)
        return text?.split(whereSeparator: \.isWhitespace).first.flatMap { UInt16($0) } ?? 32_768
    }()

    static func find() throws -> UInt16 {
        let range = 10_000..<max(firstOfClients, 11_000)
        for _ in 0..<1000 {
            let port = UInt16.random(in: range)
            if isFree(port) { return port }
        }
        throw ServerProcess.Failure(description: "no port of \(range) is free")
    }

    /// Returns `true` if no other socket is bound to the port at this moment.
    static func isFree(_ port: UInt16) -> Bool {
        #if canImport(Glibc)
            let kinds = [Int32(SOCK_STREAM.rawValue), Int32(SOCK_DGRAM.rawValue)]
        #else
            let kinds = [SOCK_STREAM, SOCK_DGRAM]
        #endif
        return kinds.allSatisfy { canBind($0, port) }
    }

    private static func canBind(_ kind: Int32, _ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        } == 0
    }
}
