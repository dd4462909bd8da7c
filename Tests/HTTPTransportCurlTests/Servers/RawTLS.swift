import HTTPCore
import PortableLibc

/// A connection's two directions, read and written by calls that block.
protocol RawChannel: Sendable {
    /// Reads at most `count` bytes. Returns none at the end.
    func read(upTo count: Int) -> [UInt8]
    func write(_ bytes: [UInt8])
}

extension RawConnection: RawChannel {}

extension RawChannel {
    /// Up to and with `end`, or to the end of the connection.
    func read(through end: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        while !bytes.suffix(end.count).elementsEqual(end), let byte = read(upTo: 1).first {
            bytes.append(byte)
        }
        return bytes
    }
}

/// The server's side of TLS in the tests' own process, so that a script decides when a record is
/// sent.
///
/// OpenSSL is looked up by name: the tests do not link it, libcurl does.
@safe final class RawTLS: Sendable {
    private typealias Pointer = UnsafeMutableRawPointer

    @safe private struct Functions: @unchecked Sendable {
        // Functions of C, which stay where they are for the life of the process.
        let make: @convention(c) (Pointer?) -> Pointer?
        let setDescriptor: @convention(c) (Pointer?, Int32) -> Int32
        let accept: @convention(c) (Pointer?) -> Int32
        let read: @convention(c) (Pointer?, Pointer?, Int32) -> Int32
        let write: @convention(c) (Pointer?, UnsafeRawPointer?, Int32) -> Int32
        let free: @convention(c) (Pointer?) -> Void
        let freeContext: @convention(c) (Pointer?) -> Void
    }

    /// One connection, used by one thread at a time.
    @safe private final class Channel: RawChannel {
        nonisolated(unsafe) private let ssl: Pointer
        private let functions: Functions
        private let connection: RawConnection

        init(_ ssl: Pointer, _ functions: Functions, _ connection: RawConnection) {
            unsafe self.ssl = unsafe ssl
            self.functions = functions
            self.connection = connection
        }

        deinit { unsafe functions.free(ssl) }

        func read(upTo count: Int) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            let length = unsafe functions.read(ssl, &bytes, Int32(count))
            return Array(bytes.prefix(max(0, Int(length))))
        }

        func write(_ bytes: [UInt8]) { _ = unsafe functions.write(ssl, bytes, Int32(bytes.count)) }
    }

    nonisolated(unsafe) private let context: Pointer
    private let functions: Functions

    /// A protocol that a server selects (RFC 7301).
    enum ApplicationProtocol {
        case http1, http2
    }

    /// For servers that show `certificate`.
    ///
    /// - Parameter selected: The protocol that a client gets if it offers it. `nil` for a server
    ///   that selects none.
    init(
        _ certificate: TestAuthority.Certificate, selects selected: ApplicationProtocol? = nil
    ) throws {
        guard let library = unsafe dlopen("libssl.so.3", RTLD_NOW) else {
            throw ServerProcess.Failure(description: "no OpenSSL 3")
        }
        func function<Function>(_ name: String) throws -> Function {
            guard let symbol = unsafe dlsym(library, name) else {
                throw ServerProcess.Failure(description: "no \(name)")
            }
            return unsafe unsafeBitCast(symbol, to: Function.self)
        }
        functions = try unsafe Functions(
            make: function("SSL_new"), setDescriptor: function("SSL_set_fd"),
            accept: function("SSL_accept"), read: function("SSL_read"),
            write: function("SSL_write"), free: function("SSL_free"),
            freeContext: function("SSL_CTX_free"))
        let method: @convention(c) () -> Pointer? = try unsafe function("TLS_server_method")
        let makeContext: @convention(c) (Pointer?) -> Pointer? = try unsafe function("SSL_CTX_new")
        typealias Load = @convention(c) (Pointer?, UnsafePointer<CChar>?, Int32) -> Int32
        let useCertificate: Load = try unsafe function("SSL_CTX_use_certificate_file")
        let useKey: Load = try unsafe function("SSL_CTX_use_PrivateKey_file")
        guard let context = unsafe makeContext(method()),
            unsafe useCertificate(context, certificate.certificate, 1) == 1,
            unsafe useKey(context, certificate.key, 1) == 1
        else { throw ServerProcess.Failure(description: "OpenSSL takes no certificate") }
        if let selected {
            typealias Select =
                @convention(c) (
                    Pointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
                    UnsafeMutablePointer<UInt8>?, UnsafePointer<UInt8>?, UInt32, Pointer?
                ) -> Int32
            let select: @convention(c) (Pointer?, Select?, Pointer?) -> Void =
                try unsafe function("SSL_CTX_set_alpn_select_cb")
            unsafe select(
                context,
                { _, name, length, offered, count, isHTTP1 in
                    let selected = unsafe isHTTP1 == nil ? "h2" : "http/1.1"
                    // Each name follows its length. The name that is selected is one of them.
                    var rest = unsafe UnsafeBufferPointer(start: offered, count: Int(count))[...]
                    while let size = unsafe rest.popFirst(), unsafe rest.count >= size {
                        if unsafe rest.prefix(Int(size)).elementsEqual(selected.utf8) {
                            unsafe name?.pointee = unsafe offered.map {
                                unsafe $0 + rest.startIndex
                            }
                            unsafe length?.pointee = size
                            return 0
                        }
                        unsafe rest = unsafe rest.dropFirst(Int(size))
                    }
                    return 3  // SSL_TLSEXT_ERR_NOACK: as if there were no such extension
                }, selected == .http1 ? Pointer(bitPattern: 1) : nil)
        }
        unsafe self.context = unsafe context
    }

    /// Connections have a reference of their own to it.
    deinit { unsafe functions.freeContext(context) }

    /// Answers a handshake, or returns `nil` if that fails. Keeps `SIGPIPE` from the calling
    /// thread.
    func accept(_ connection: RawConnection) -> (any RawChannel)? {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        guard let ssl = unsafe functions.make(context) else { return nil }
        let channel = unsafe Channel(ssl, functions, connection)
        guard unsafe functions.setDescriptor(ssl, connection.descriptor) == 1,
            unsafe functions.accept(ssl) == 1
        else { return nil }
        return channel
    }
}
