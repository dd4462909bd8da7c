import PortableLibc

/// The only owner of a nonblocking descriptor: a TCP socket, or one end of a pipe.
///
/// The descriptor is closed on exec, and never causes a SIGPIPE.
struct LoopbackSocket: ~Copyable {
    enum Received: Equatable { case bytes(Int), nothing, end, failure }
    enum Sent: Equatable { case bytes(Int), nothing, failure }
    enum Accepted: ~Copyable { case connection(LoopbackSocket), nothing, noDescriptors }

    /// The descriptor, or -1 once it is closed.
    private(set) var descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { Self.release(descriptor) }

    mutating func close() {
        Self.release(descriptor)
        descriptor = -1
    }

    private static func release(_ descriptor: Int32) {
        if descriptor >= 0 { systemClose(descriptor) }
    }

    // MARK: Creation

    /// Returns a socket that is bound to `host`, a literal address, and `port`, or to a free port
    /// if `port` is 0.
    ///
    /// On Linux, the port can be bound again while no socket listens on it (`SO_REUSEADDR`,
    /// socket(7)). The system never gives it out as a free port.
    static func bound(host: String, port: UInt16) throws(LoopbackError) -> LoopbackSocket {
        let socket = try made(for: host)
        set(socket.descriptor, SOL_SOCKET, SO_REUSEADDR)
        guard let bound = unsafe call(systemBind, socket.descriptor, host, port) else {
            throw .cannotListen(reason: "\(host) is not an IP address")

        }
        guard bound == 0 else { throw failure("bind to \(host) port \(port)") }
        return socket
    }

    /// Returns a socket that listens on `host`, a literal address, and `port`.
    static func listening(host: String, port: UInt16) throws(LoopbackError) -> LoopbackSocket {
        let socket = try bound(host: host, port: port)
        guard listen(socket.descriptor, max(1024, SOMAXCONN)) == 0 else { throw failure("listen") }
        return socket
    }

    /// Returns a socket that connects to `host`, a literal address, and `port`.
    ///
    /// The attempt is over when the socket is writable. ``connectError`` then has its result.
    static func connecting(host: String, port: UInt16) throws(LoopbackError) -> LoopbackSocket {
        let socket = try made(for: host)
        guard let connected = unsafe call(systemConnect, socket.descriptor, host, port) else {
            throw .cannotListen(reason: "\(host) is not an IP address")

        }
        guard connected == 0 || errno == EINPROGRESS else {
            throw failure("connect to \(host) port \(port)")
        }
        set(socket.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
        return socket
    }

    private static func made(for host: String) throws(LoopbackError) -> LoopbackSocket {
        let family = host.contains(":") ? AF_INET6 : AF_INET
        let socket = LoopbackSocket(systemSocket(family, streamType))
        guard socket.descriptor >= 0 else { throw failure("socket") }
        prepare(socket.descriptor)
        return socket
    }

    /// The type of bind(2) and connect(2).
    private typealias AddressCall = (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32

    /// Calls `function` with the address of `host`. Returns `nil` if `host` is not an address.
    private static func call(
        _ function: AddressCall, _ descriptor: Int32, _ host: String, _ port: UInt16
    ) -> Int32? {
        if host.contains(":") {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            guard unsafe inet_pton(AF_INET6, host, &address.sin6_addr) == 1 else { return nil }
            return unsafe call(function, descriptor, with: &address)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard unsafe inet_pton(AF_INET, host, &address.sin_addr) == 1 else { return nil }
        return unsafe call(function, descriptor, with: &address)
    }

    /// Returns a pair of connected sockets that serves as a pipe.
    ///
    /// Linux creates the pair close-on-exec in one step. For a real pipe, that needs a call that
    /// the C library declares for GNU sources only.
    static func pipe() throws(LoopbackError) -> Pipe {
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, streamType, 0, &ends) == 0 else {
            throw failure("socketpair")
        }
        for end in ends { prepare(end) }
        return Pipe(output: LoopbackSocket(ends[0]), input: LoopbackSocket(ends[1]))
    }

    struct Pipe: ~Copyable {
        var output: LoopbackSocket
        var input: LoopbackSocket
    }

    #if canImport(Glibc)
        private static let streamType = Int32(
            SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    #elseif canImport(Musl)
        private static let streamType = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK
    #else
        private static let streamType = SOCK_STREAM
    #endif

    /// Makes a descriptor nonblocking, closed on exec, and free of SIGPIPE.
    private static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        #if canImport(Darwin)
            set(descriptor, SOL_SOCKET, SO_NOSIGPIPE)
        #endif
    }

    /// Calls `function` with `address`, a `sockaddr_in` or `sockaddr_in6`.
    private static func call<Address>(
        _ function: AddressCall, _ descriptor: Int32, with address: inout Address
    ) -> Int32 {
        let size = socklen_t(MemoryLayout<Address>.size)
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe function(descriptor, $0, size)
            }
        }
    }

    private static func failure(_ call: String) -> LoopbackError {
        let number = errno
        return .cannotListen(reason: "\(call): \(unsafe String(cString: strerror(number)))")
    }

    // MARK: Use

    /// The local port.
    var port: UInt16 {
        // Both families have the port at the same offset, and the IPv6 address has room for either.
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let descriptor = descriptor
        _ = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &size)
            }
        }
        return UInt16(bigEndian: address.sin6_port)
    }

    /// The `errno` of the connection attempt, or 0 if it succeeded.
    var connectError: Int32 {
        var number: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        let result = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size)
        return result == 0 ? number : errno
    }

    borrowing func accept() -> Accepted {
        let accepted = systemAccept(descriptor)
        guard accepted >= 0 else {
            return errno == EMFILE || errno == ENFILE ? .noDescriptors : .nothing
        }
        Self.prepare(accepted)
        Self.set(accepted, Int32(IPPROTO_TCP), TCP_NODELAY)
        return .connection(LoopbackSocket(accepted))
    }

    /// Receives the bytes that are available into `buffer`.
    borrowing func receive(into buffer: inout [UInt8]) -> Received {
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
        }
        if count > 0 { return .bytes(count) }
        if count == 0 { return .end }
        return Self.isTransient(errno) ? .nothing : .failure
    }

    /// Sends the bytes of `bytes` in `range`, or as many of them as the system accepts now.
    borrowing func send(_ bytes: [UInt8], _ range: Range<Int>) -> Sent {
        let count = unsafe bytes[range].withUnsafeBytes { unsafe systemSend(descriptor, $0) }
        if count >= 0 { return .bytes(count) }
        return Self.isTransient(errno) ? .nothing : .failure
    }

    borrowing func shutDownSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Ends the socket at once, even if a child process has a copy of it for the moment between
    /// fork(2) and exec(2).
    borrowing func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Makes closing send a reset instead of the bytes that are still to be sent.
    borrowing func resetOnClose() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout.size(ofValue: linger))
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, size)
    }

    /// Writes one byte into a pipe. If the pipe is full, its reader wakes up anyway.
    static func wake(_ descriptor: Int32) {
        var byte: UInt8 = 0
        _ = unsafe write(descriptor, &byte, 1)
    }

    /// Empties a pipe.
    borrowing func drain() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while unsafe read(descriptor, &bytes, bytes.count) == bytes.count {}
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32) {
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout.size(ofValue: on))
        _ = unsafe setsockopt(descriptor, level, option, &on, size)
    }

    private static func isTransient(_ number: Int32) -> Bool {
        number == EAGAIN || number == EWOULDBLOCK || number == EINTR
    }
}

// Inside of the type, its methods would hide these functions of the system.
private let (systemBind, systemConnect) = unsafe (bind, connect)

private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }

private func systemSocket(_ family: Int32, _ type: Int32) -> Int32 { socket(family, type, 0) }

private func systemAccept(_ descriptor: Int32) -> Int32 { accept(descriptor, nil, nil) }

private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
        let flags: Int32 = 0
    #else
        let flags = Int32(MSG_NOSIGNAL)
    #endif
    return unsafe send(descriptor, bytes.baseAddress, bytes.count, flags)
}
