import CHTTPTransportCurl

/// The facts that the system has of a socket, and its shutdown.
protocol SocketCalls {
    /// Returns `true` if there is something to read, or the connection has ended.
    func isReadable(_ descriptor: Int32) -> Bool
    func shutDown(_ descriptor: Int32)
    /// The local port, or 0 if there is none.
    func localPort(of descriptor: Int32) -> Int32
    /// The number that the kernel gives a socket and no other one.
    func cookie(of descriptor: Int32) -> UInt64
    /// The time since something was last received, in nanoseconds; negative if it is not known. The
    /// kernel tells it in milliseconds, except for QUIC.
    func receiveAge(of descriptor: Int32, isQUIC: Bool) -> Int64
    /// The first bytes of the datagram that is read next, at most `count`.
    func peek(_ descriptor: Int32, _ count: Int) -> [UInt8]
    /// The time, in monotonic nanoseconds.
    var now: Int64 { get }
}

/// The system itself.
struct SystemSockets: SocketCalls {
    func isReadable(_ descriptor: Int32) -> Bool { chttp_is_readable(descriptor) != 0 }
    func shutDown(_ descriptor: Int32) { chttp_shutdown(descriptor) }
    func localPort(of descriptor: Int32) -> Int32 { chttp_local_port(descriptor) }
    func cookie(of descriptor: Int32) -> UInt64 { chttp_socket_cookie(descriptor) }

    func receiveAge(of descriptor: Int32, isQUIC: Bool) -> Int64 {
        guard !isQUIC else { return chttp_datagram_age_ns(descriptor) }
        let age = chttp_receive_age_ms(descriptor)
        return age < 0 ? -1 : age * 1_000_000
    }

    func peek(_ descriptor: Int32, _ count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { bytes, count in
            guard let base = bytes.baseAddress else { return }
            count = max(0, unsafe chttp_peek(descriptor, base, bytes.count))
        }
    }

    var now: Int64 { chttp_monotonic_ns() }
}
