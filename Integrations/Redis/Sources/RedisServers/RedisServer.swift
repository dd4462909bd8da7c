import Foundation
import Synchronization

/// A server of Redis or Valkey for tests, on a Unix socket in a folder of its own.
public final class RedisServer: Sendable {
    /// The path of the socket.
    public let socket: String
    private let folder: URL
    private let program: String
    private let arguments: [String]
    private let process = Mutex<Process?>(nil)

    /// The path of a server program: `redis-server` or `valkey-server` in the search path, or that
    /// of the environment variable `HTTP_REDIS_SERVER`. `nil` if there is none.
    public static var program: String? {
        let environment = ProcessInfo.processInfo.environment
        if let program = environment["HTTP_REDIS_SERVER"] { return program }
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        for name in ["redis-server", "valkey-server"] {
            for folder in folders
            where FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)") {
                return "\(folder)/\(name)"
            }
        }
        return nil
    }

    /// `true` if tests that need a server can run. With `HTTP_TEST_SERVERS_REQUIRED`, they must,
    /// and fail without one.
    public static var isExpected: Bool {
        program != nil || ProcessInfo.processInfo.environment["HTTP_TEST_SERVERS_REQUIRED"] != nil
    }

    /// Starts a server that keeps nothing on the disk.
    ///
    /// - Parameter arguments: Further arguments, such as `["--requirepass", "secret"]`.
    /// - Throws: an error if the server does not accept connections in time.
    public init(_ program: String, arguments: [String] = []) throws {
        self.program = program
        self.arguments = arguments
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("redis-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        socket = folder.appendingPathComponent("s").path
        try start()
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The id of the process.
    public var processID: Int32 { process.withLock { $0?.processIdentifier ?? 0 } }

    /// Starts the server again, empty, after ``kill()``.
    public func start() throws {
        try? FileManager.default.removeItem(atPath: socket)
        try process.withLock { running in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments =
                [
                    "--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no",
                    "--dir", folder.path, "--loglevel", "warning",
                ] + arguments
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            running = process
        }
        // The file of the socket is there before the server listens.
        for _ in 0..<1000 {
            if let descriptor = try? connected() {
                _ = close(descriptor)
                return
            }
            guard process.withLock({ $0?.isRunning == true }) else { break }
            Thread.sleep(forTimeInterval: 0.01)
        }
        throw CocoaError(.executableNotLoadable)
    }

    /// Ends the server with `SIGKILL`, and waits for its end.
    public func kill() {
        process.withLock { running in
            guard let process = running else { return }
            _ = Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            running = nil
        }
    }

    /// Stops the process, as a machine that hangs does, or lets it go on.
    public func stop(_ isStopped: Bool) {
        _ = Foundation.kill(processID, isStopped ? SIGSTOP : SIGCONT)
    }
}

extension RedisServer {
    /// Sends a command and waits for the first bytes of the reply.
    ///
    /// - Returns: The first line of the reply.
    @discardableResult
    public func command(_ words: String...) throws -> String {
        let descriptor = try connected()
        defer { _ = close(descriptor) }
        let text =
            "*\(words.count)\r\n" + words.map { "$\($0.utf8.count)\r\n\($0)\r\n" }.joined()
        let bytes = Array(text.utf8)
        guard unsafe write(descriptor, bytes, bytes.count) == bytes.count else {
            throw CocoaError(.fileWriteUnknown)
        }
        var reply = [UInt8](repeating: 0, count: 512)
        let count = unsafe read(descriptor, &reply, reply.count)
        let line = String(decoding: reply.prefix(max(0, count)), as: UTF8.self)
            .prefix { $0 != "\r\n" }
        guard !line.hasPrefix("-") else {
            throw CocoaError(
                .fileReadUnknown, userInfo: [NSLocalizedDescriptionKey: String(line)])
        }
        return String(line)
    }

    /// Returns the descriptor of a new connection.
    private func connected() throws -> Int32 {
        let descriptor = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { path in
            unsafe path.copyBytes(from: Array(socket.utf8.prefix(107)))
        }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, size)
            }
        }
        guard result == 0 else {
            _ = close(descriptor)
            throw CocoaError(.fileReadUnknown)
        }
        return descriptor
    }
}
