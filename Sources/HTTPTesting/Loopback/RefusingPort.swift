import HTTPCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A port on 127.0.0.1 that refuses every connection for as long as this object exists.
///
/// The port is bound, but nothing listens on it, so no other program or test can get it. In
/// contrast, the port of a server that has stopped can be reused at once.
public final class RefusingPort: Sendable {
    private let descriptor: Int32
    /// The number of the port.
    public let number: UInt16

    /// `"http://127.0.0.1:PORT"`, without a slash at the end.
    public var url: String { "http://127.0.0.1:\(number)" }

    /// - Throws: `cannotListen` if the system has no port left.
    public init() throws(LoopbackError) {
        #if canImport(Glibc)
            let type = Int32(SOCK_STREAM.rawValue)
        #else
            let type = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, type, 0)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let error: Int32 = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard unsafe bind(descriptor, address, length) == 0,
                    unsafe getsockname(descriptor, address, &length) == 0
                else { return errno }
                return 0
            }
        }
        guard error == 0 else {
            close(descriptor)
            throw .cannotListen(reason: SystemError(error).description)
        }
        self.descriptor = descriptor
        number = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }
}
