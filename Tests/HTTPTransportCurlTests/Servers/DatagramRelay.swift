import HTTPCore
import PortableLibc

/// A UDP port whose datagrams go to another port of this machine and back, or nowhere.
final class DatagramRelay: Sendable {
    private struct State {
        var drops = false
        var isClosed = false
        /// `true` once the port is closed.
        var isGone = false
        /// The number of datagrams from clients, dropped ones included.
        var received = 0
    }

    /// The part that the thread keeps.
    private final class Shared: Sendable {
        private let state = Locked(State())

        func withLock<Result>(_ body: (inout State) -> Result) -> Result { state.withLock(body) }
    }

    let port: UInt16
    /// The number of its address: 2 is 127.0.0.2.
    private let host: UInt8
    private let state = Shared()

    /// - Parameter target: The port that datagrams go to; `nil` to drop them all.
    init(to target: UInt16? = nil, port: UInt16 = 0, host: UInt8 = 1) throws {
        self.host = host
        let descriptor = try Self.bound(to: port, host)
        self.port = Self.port(of: descriptor)
        let state = state
        RawListener.detach {
            Self.run(descriptor, target, state)
            _ = closeDescriptor(descriptor)
            state.withLock { $0.isGone = true }
        }
    }

    deinit { close() }

    /// `true` to drop all datagrams from now on, as a firewall does.
    var drops: Bool {
        get { state.withLock { $0.drops } }
        set { state.withLock { $0.drops = newValue } }
    }

    /// The number of datagrams from clients so far.
    var received: Int { state.withLock { $0.received } }

    /// Refuses all datagrams from now on: the port is closed.
    func close() {
        state.withLock { $0.isClosed = true }
        while !state.withLock({ $0.isGone }) {
            // Any datagram wakes the thread.
            if let poke = try? Self.connected(to: port, host) {
                _ = unsafe send(poke, [0], 1, 0)
                _ = closeDescriptor(poke)
            }
            usleep(1000)
        }
    }

    /// One socket for each client, so that the server tells them apart.
    private static func run(_ descriptor: Int32, _ target: UInt16?, _ state: Shared) {
        var clients: [(address: sockaddr_in, upstream: Int32)] = []
        defer { for client in clients { _ = closeDescriptor(client.upstream) } }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while !state.withLock({ $0.isClosed }) {
            var waiting = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
            waiting += clients.map { pollfd(fd: $0.upstream, events: Int16(POLLIN), revents: 0) }
            guard unsafe poll(&waiting, nfds_t(waiting.count), 100) > 0 else { continue }
            if waiting[0].revents != 0 {
                var from = sockaddr_in()
                var length = socklen_t(MemoryLayout<sockaddr_in>.size)
                let count = unsafe withUnsafeMutablePointer(to: &from) { pointer in
                    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        unsafe recvfrom(
                            descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT), $0,
                            &length)
                    }
                }
                let drops = state.withLock { state in
                    state.received += count >= 0 ? 1 : 0
                    return state.drops
                }
                // The last datagram is that of ``close()``.
                if count >= 0, !drops, !state.withLock({ $0.isClosed }) {
                    let known = clients.first {
                        $0.address.sin_port == from.sin_port
                            && $0.address.sin_addr.s_addr == from.sin_addr.s_addr
                    }
                    if let target, let upstream = known?.upstream ?? (try? connected(to: target)) {
                        if known == nil { clients.append((from, upstream)) }
                        _ = unsafe send(upstream, bytes, count, 0)
                    }
                }
            }
            for (number, client) in clients.enumerated()
            where waiting.indices.contains(number + 1) && waiting[number + 1].revents != 0 {
                let count = unsafe recv(
                    client.upstream, &bytes, bytes.count, Int32(MSG_DONTWAIT))
                guard count >= 0, !state.withLock({ $0.drops }) else { continue }
                var to = client.address
                _ = unsafe withUnsafePointer(to: &to) { pointer in
                    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        unsafe sendto(
                            descriptor, bytes, count, 0, $0,
                            socklen_t(MemoryLayout<sockaddr_in>.size))
                    }
                }
            }
        }
    }

    // MARK: Sockets

    private static func address(_ port: UInt16, _ host: UInt8) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = (0x7F00_0000 | UInt32(host)).bigEndian
        return address
    }

    private static func make(
        _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ port: UInt16,
        _ host: UInt8
    ) throws -> Int32 {
        let descriptor = socket(
            AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError(errno) }
        var place = address(port, host)
        let result = unsafe withUnsafePointer(to: &place) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe use(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let error = SystemError(errno)
            _ = closeDescriptor(descriptor)
            throw error
        }
        return descriptor
    }

    private static func bound(to port: UInt16, _ host: UInt8) throws -> Int32 {
        try unsafe make({ unsafe bind($0, $1, $2) }, port, host)
    }

    private static func connected(to port: UInt16, _ host: UInt8 = 1) throws -> Int32 {
        try unsafe make({ unsafe connect($0, $1, $2) }, port, host)
    }

    private static func port(of descriptor: Int32) -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }
}

private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }
