import PortableLibc

/// A blocking TCP client that sends and shows bytes, and knows no HTTP.
///
/// Its calls block a thread for as long as the server under test takes. A receive gives up after
/// ten seconds.
struct RawClient: ~Copyable {
    struct Failure: Error { let call: String, number: Int32 }

    private let descriptor: Int32

    init(port: UInt16, isIPv6: Bool = false, receiveBuffer: Int32? = nil) throws {
        #if canImport(Glibc)
            let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        #else
            let type = SOCK_STREAM
        #endif
        self.descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, type, 0)
        guard descriptor >= 0 else { throw Failure(call: "socket", number: errno) }

        var limit = timeval(tv_sec: 10, tv_usec: 0)
        let limitSize = socklen_t(MemoryLayout<timeval>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, limitSize)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, limitSize)
        if var receiveBuffer {
            let size = socklen_t(MemoryLayout<Int32>.size)
            _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, size)
        }
        let result: Int32
        if isIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            _ = unsafe inet_pton(AF_INET6, "::1", &address.sin6_addr)
            result = Self.connect(descriptor, to: &address)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            _ = unsafe inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
            result = Self.connect(descriptor, to: &address)
        }
        guard result == 0 else { throw Failure(call: "connect", number: errno) }
    }

    deinit { _ = close(descriptor) }

    private static func connect<Address>(_ descriptor: Int32, to address: inout Address) -> Int32 {
        let size = socklen_t(MemoryLayout<Address>.size)
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                #if canImport(Glibc)
                    unsafe Glibc.connect(descriptor, $0, size)
                #elseif canImport(Musl)
                    unsafe Musl.connect(descriptor, $0, size)
                #else
                    unsafe Darwin.connect(descriptor, $0, size)
                #endif
            }
        }
    }

    borrowing func send(_ text: String) throws { try send(Array(text.utf8)) }

    borrowing func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count { sent += try sendSome(bytes[sent...]) }
    }

    /// Sends the bytes that the system accepts. Throws EAGAIN at once if there are none and
    /// `blocks` is `false`.
    @discardableResult
    borrowing func sendSome(_ bytes: ArraySlice<UInt8>, blocks: Bool = true) throws -> Int {
        #if canImport(Darwin)
            let flags: Int32 = blocks ? 0 : MSG_DONTWAIT
        #else
            let flags = Int32(MSG_NOSIGNAL) | (blocks ? 0 : Int32(MSG_DONTWAIT))
        #endif
        let count = unsafe bytes.withUnsafeBytes {
            #if canImport(Glibc)
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, flags)
            #elseif canImport(Musl)
                unsafe Musl.send(descriptor, $0.baseAddress, $0.count, flags)
            #else
                unsafe Darwin.send(descriptor, $0.baseAddress, $0.count, flags)
            #endif
        }
        guard count >= 0 else { throw Failure(call: "send", number: errno) }
        return count
    }

    /// Returns the bytes of one receive; none at the end of the stream.
    borrowing func receiveSome(limit: Int = 1 << 16) throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: limit)
        var count: Int
        repeat {
            count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        } while count < 0 && errno == EINTR
        guard count >= 0 else { throw Failure(call: "recv", number: errno) }
        return Array(buffer[..<count])
    }

    /// Receives up to the end of the stream.
    borrowing func receiveAll() throws -> [UInt8] {
        var received: [UInt8] = []
        while true {
            let bytes = try receiveSome()
            if bytes.isEmpty { return received }
            received += bytes
        }
    }

    /// Receives exactly `count` bytes, or fewer at the end of the stream.
    borrowing func receive(_ count: Int) throws -> [UInt8] {
        var received: [UInt8] = []
        while received.count < count {
            let bytes = try receiveSome(limit: count - received.count)
            if bytes.isEmpty { return received }
            received += bytes
        }
        return received
    }

    borrowing func receive(_ expected: String) throws -> String {
        String(decoding: try receive(expected.utf8.count), as: UTF8.self)
    }

    borrowing func receiveAllText() throws -> String {
        String(decoding: try receiveAll(), as: UTF8.self)
    }

    borrowing func halfClose() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Makes the end of this client a reset.
    borrowing func resetOnClose() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout.size(ofValue: linger))
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, size)
    }

    /// Closes the connection.
    consuming func disconnect() {}
}
