import HTTPCore
import PortableFoundation
import PortableLibc

/// Accepts connections on the loopback interface or at a path, and gives each to a closure on a
/// thread of its own, which may block. Ends when it is released.
final class RawListener: Sendable {
    typealias Serve = @Sendable (RawConnection) -> Void

    let port: UInt16
    private let descriptor: Int32
    private let path: String?

    /// A socket that listens on 127.0.0.1, at a free port. Its owner closes it.
    struct Socket {
        let descriptor: Int32
        let port: UInt16

        init() throws {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let descriptor = try RawConnection.makeSocket(AF_INET)
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let failed = unsafe withUnsafeMutablePointer(to: &address) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(descriptor, $0, size) != 0 || listen(descriptor, 511) != 0
                        || getsockname(descriptor, $0, &size) != 0
                }
            }
            guard !failed else { throw SystemError(errno) }
            self.descriptor = descriptor
            port = UInt16(bigEndian: address.sin_port)
        }

        func close() { _ = closeDescriptor(descriptor) }
    }

    /// Listens on 127.0.0.1, at a free port.
    init(serve: @escaping Serve) throws {
        let socket = try Socket()
        descriptor = socket.descriptor
        port = socket.port
        path = nil
        Self.accept(descriptor, serve)
    }

    /// Listens at a path. On Linux, a path that begins with `@` is an abstract name.
    init(path: String, serve: @escaping Serve) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8).map { $0 == UInt8(ascii: "@") ? 0 : $0 }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        descriptor = try RawConnection.makeSocket(AF_UNIX)
        self.path = path.hasPrefix("@") ? nil : path
        let descriptor = descriptor
        // An abstract name ends with its length, not with a NUL.
        let size = socklen_t(
            path.hasPrefix("@")
                ? MemoryLayout<sa_family_t>.size + bytes.count : MemoryLayout<sockaddr_un>.size)
        let failed = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, size) != 0 || listen(descriptor, 64) != 0
            }
        }
        guard !failed else { throw SystemError(errno) }
        port = 0
        Self.accept(descriptor, serve)
    }

    deinit {
        // Wakes the thread in `accept`, which closes the descriptor.
        shutdown(descriptor, Int32(SHUT_RDWR))
        if let path { _ = unsafe unlink(path) }
    }

    private static func accept(_ descriptor: Int32, _ serve: @escaping Serve) {
        detach {
            while true {
                #if canImport(Glibc)
                    let client = Glibc.accept(descriptor, nil, nil)
                #elseif canImport(Musl)
                    let client = Musl.accept(descriptor, nil, nil)
                #else
                    let client = Darwin.accept(descriptor, nil, nil)
                #endif
                guard client >= 0 else { break }
                let connection = RawConnection(client)
                detach { serve(connection) }
            }
            close(descriptor)
        }
    }

    private final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    static func detach(_ body: @escaping @Sendable () -> Void) {
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let work = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
        unsafe pthread_create(
            &thread, nil,
            { context in
                #if !canImport(Darwin)
                    guard let context = unsafe context else { return nil }
                #endif
                unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, work)
        #if canImport(Darwin)
            if let thread { unsafe pthread_detach(thread) }
        #else
            pthread_detach(thread)
        #endif
    }
}

private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }

/// One connection, read and written by calls that block. Closed when it is released.
final class RawConnection: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    fileprivate static func makeSocket(_ family: Int32) throws -> Int32 {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw SystemError(errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    /// Connects to a port of 127.0.0.1.
    convenience init?(port: UInt16) {
        guard let descriptor = try? Self.makeSocket(AF_INET) else { return nil }
        self.init(descriptor)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result != 0 { return nil }
    }

    /// The other end's IPv4 address.
    var peer: String {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getpeername(descriptor, $0, &size)
            }
        }
        let value = UInt32(bigEndian: address.sin_addr.s_addr)
        return [24, 16, 8, 0].map { "\(value >> $0 & 0xFF)" }.joined(separator: ".")
    }

    /// Reads at most `count` bytes. Returns none at the end.
    func read(upTo count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let length = unsafe recv(descriptor, &bytes, count, 0)
        return Array(bytes.prefix(max(0, length)))
    }

    /// Exactly so many, or fewer at the end.
    func read(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let piece = read(upTo: count - bytes.count)
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }

    /// Up to and with `end`, byte by byte.
    func read(until end: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        while !bytes.suffix(end.count).elementsEqual(end), let byte = read(1).first {
            bytes.append(byte)
        }
        return bytes
    }

    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { bytes in
                #if canImport(Darwin)
                    unsafe send(descriptor, bytes.baseAddress, bytes.count, 0)
                #else
                    unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                #endif
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    func write(_ text: String) { write(Array(text.utf8)) }

    /// Passes bytes on in both directions until both have ended.
    func join(_ other: RawConnection) {
        RawListener.detach { Self.copy(from: other, to: self) }
        Self.copy(from: self, to: other)
    }

    private static func copy(from source: RawConnection, to sink: RawConnection) {
        while case let bytes = source.read(upTo: 64 << 10), !bytes.isEmpty { sink.write(bytes) }
        shutdown(sink.descriptor, Int32(SHUT_WR))
    }
}
