import HTTPCore
import PortableLibc

/// A resolver at port 53 of 127.0.0.1 that answers no query, for a network namespace of its own.
final class SilentResolver: Sendable {
    private let descriptor: Int32

    init() throws {
        #if canImport(Glibc)
            let kind = Int32(SOCK_DGRAM.rawValue)
        #else
            let kind = SOCK_DGRAM
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(53).bigEndian
        let descriptor = socket(AF_INET, kind, 0)
        let failed = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) != 0
            }
        }
        guard !failed else { throw SystemError(errno) }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Waits for the next query, without blocking a thread.
    func question() async throws {
        var bytes = [UInt8](repeating: 0, count: 512)
        while unsafe recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)) < 0 {
            try Task.checkCancellation()
            await Task.yield()
        }
        // A name is queried once for each kind of address.
        while unsafe recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)) >= 0 {}
    }
}
