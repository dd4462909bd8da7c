import HTTPCore
import PortableLibc

/// A listening socket with a full queue. A connection to it neither succeeds nor fails.
final class FullListener: Sendable {
    /// The loopback address to listen on.
    enum Host: Equatable {
        case ipv4, ipv6
        /// 127.0.0.x
        case loopback(UInt8)

        /// `true` if this machine has the address.
        var exists: Bool {
            guard let listener = try? FullListener(self) else { return false }
            listener.close()
            return true
        }

        fileprivate var family: Int32 {
            if case .ipv6 = self { AF_INET6 } else { AF_INET }
        }

        fileprivate var last: UInt8 {
            if case .loopback(let last) = self { last } else { 1 }
        }
    }

    let port: UInt16
    private let descriptors: [Int32]

    /// - Parameter port: The port to listen on, or 0 for one that is free.
    init(_ host: Host = .ipv4, port: UInt16 = 0) throws {
        let family = host.family
        let last = host.last
        let listener = try Self.makeSocket(family)
        var opened = [listener]
        do {
            try Self.check(
                unsafe Self.withLoopback(family, last, port) { unsafe bind(listener, $0, $1) })
            try Self.check(listen(listener, 0))
            let bound = Self.port(of: listener)
            // More connections than the queue holds. None is accepted.
            for _ in 0..<4 {
                let client = try Self.makeSocket(family)
                opened.append(client)
                _ = unsafe Self.withLoopback(family, last, bound) { unsafe connect(client, $0, $1) }
            }
            self.port = bound
        } catch {
            for descriptor in opened { _ = closeDescriptor(descriptor) }
            throw error
        }
        descriptors = opened
    }

    func close() {
        for descriptor in descriptors { _ = closeDescriptor(descriptor) }
    }

    private static func check(_ result: Int32) throws {
        guard result == 0 else { throw SystemError(errno) }
    }

    private static func makeSocket(_ family: Int32) throws -> Int32 {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw SystemError(errno) }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    private static func port(of descriptor: Int32) -> UInt16 {
        // The port is at the same place in the addresses of both families.
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        _ = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &size)
            }
        }
        return UInt16(bigEndian: address.sin6_port)
    }

    private static func withLoopback(
        _ family: Int32, _ last: UInt8, _ port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        if family == AF_INET6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            return unsafe with(&address, body)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = (0x7F00_0000 + UInt32(last)).bigEndian
        return unsafe with(&address, body)
    }

    private static func with<Address>(
        _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}

private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }
