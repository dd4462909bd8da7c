import HTTPCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A port of this machine that is bound but has no listener.
final class ClosedPort {
    let number: UInt16
    private let descriptor: Int32

    init() throws(SystemError) {
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        let descriptor = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, length) == 0
                    ? unsafe getsockname(descriptor, pointer, &length) : -1
            }
        }
        let error = SystemError(errno)
        self.descriptor = descriptor
        self.number = UInt16(bigEndian: address.sin_port)
        if result != 0 { throw error }
    }

    deinit { _ = close(descriptor) }
}
