import HTTPCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A listening socket with a full queue. A connection to it neither succeeds nor fails.
final class FullListener: Sendable {
    let port: UInt16
    private let descriptors: [Int32]

    init() throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let listener = try Self.makeSocket()
        var opened = [listener]
        _ = unsafe Self.with(&address) { unsafe bind(listener, $0, $1) }
        guard listen(listener, 0) == 0 else { throw SystemError(errno) }
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(listener, $0, &size)
            }
        }
        // More connections than the queue holds. None is accepted.
        for _ in 0..<4 {
            let client = try Self.makeSocket()
            opened.append(client)
            _ = unsafe Self.with(&address) { unsafe connect(client, $0, $1) }
        }
        port = UInt16(bigEndian: address.sin_port)
        descriptors = opened
    }

    func close() {
        for descriptor in descriptors { _ = closeDescriptor(descriptor) }
    }

    private static func makeSocket() throws -> Int32 {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { throw SystemError(errno) }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    private static func with(
        _ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }
