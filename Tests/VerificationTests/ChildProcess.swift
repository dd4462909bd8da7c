import HTTPCore
import TestSupport
import PortableLibc

/// A program in a separate process, with pipes to its input and from its output.
///
/// Blocking calls run on a separate thread, never on the pool that the tests share.
final class ChildProcess: Sendable {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private let pid: pid_t
    private let input: Int32
    private let output: Int32
    private let isReaped = Locked(false)

    /// - Parameters:
    ///   - program: The name of a program that was built with these tests.
    ///   - environment: The variables to set in addition to those of the tests.
    convenience init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws {
        try self.init(path: Self.path(of: program), arguments, environment: environment)
    }

    /// Returns the path of a program that was built with these tests.
    static func path(of program: String) throws -> String { try folder() + "/" + program }

    init(path: String, _ arguments: [String], environment: [String: String]) throws {
        var inputEnds: [Int32] = [-1, -1]
        var outputEnds: [Int32] = [-1, -1]
        guard unsafe pipe(&inputEnds) == 0, unsafe pipe(&outputEnds) == 0 else {
            throw Failure(description: "no pipe: \(SystemError(errno))")
        }
        for end in inputEnds + outputEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }

        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = unsafe posix_spawn_file_actions_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, inputEnds[0], 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, outputEnds[1], 1)
        #if canImport(Glibc)
            // Otherwise the child would hold the connections of other tests open: URLSession's
            // sockets are not close-on-exec.
            unsafe actions.addCloseFrom(3)
        #endif
        var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var variables = unsafe Self.inherited(but: environment.keys)
        for (name, value) in environment { unsafe variables.append(strdup("\(name)=\(value)")) }
        unsafe variables.append(nil)
        defer { unsafe variables.forEach { unsafe free($0) } }
        var pid = pid_t()
        let error = unsafe posix_spawn(&pid, path, &actions, nil, &words, &variables)
        close(inputEnds[0])
        close(outputEnds[1])
        guard error == 0 else {
            close(inputEnds[1])
            close(outputEnds[0])
            throw Failure(description: "\(path) does not start: \(SystemError(error))")
        }
        self.pid = pid
        input = inputEnds[1]
        output = outputEnds[0]
    }

    /// Returns this process's environment, with these variables replaced.
    private static func inherited(
        but names: some Collection<String>
    ) -> [UnsafeMutablePointer<CChar>?] {
        var variables: [UnsafeMutablePointer<CChar>?] = unsafe []
        var index = 0
        while let variable = unsafe environ[index] {
            let text = unsafe String(cString: variable)
            if !names.contains(where: { text.hasPrefix("\($0)=") }) {
                unsafe variables.append(strdup(variable))
            }
            index += 1
        }
        return unsafe variables
    }

    deinit {
        if !isReaped.withLock({ $0 }) {
            kill(pid, SIGKILL)
            _ = reap()
        }
        close(input)
        close(output)
    }

    /// Waits for the end, and returns the exit code times 256, or the signal (`waitpid`).
    private func reap() -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
        isReaped.withLock { $0 = true }
        return status
    }

    /// The folder of the test bundle, which also contains SwiftPM's programs.
    private static func folder() throws -> String {
        var path = [CChar](repeating: 0, count: 4096)
        guard unsafe readlink("/proc/self/exe", &path, path.count - 1) > 0 else {
            throw Failure(description: "no /proc/self/exe")
        }
        let text = String(decoding: path.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
        return text.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
    }

    /// Returns the value of the next `key=value` line with this key, and drops the lines before it.
    func value(of key: String) async throws -> String {
        try await onThread {
            var line: [UInt8] = []
            while let byte = self.readByte() {
                guard byte == UInt8(ascii: "\n") else {
                    line.append(byte)
                    continue
                }
                let text = String(decoding: line, as: UTF8.self)
                if text.hasPrefix("\(key)=") { return String(text.dropFirst(key.count + 1)) }
                line = []
            }
            throw Failure(description: "the program ended without printing \(key)")
        }
    }

    private func readByte() -> UInt8? {
        var byte: UInt8 = 0
        return unsafe read(output, &byte, 1) == 1 ? byte : nil
    }

    /// The end of a program, with the output that was not read before.
    enum End {
        case exited(Int32, String)
        case signalled(Int32, String)
        /// The program did not end in time, and was killed.
        case overran(String)
    }

    /// Waits for the end, and kills the program if it has not ended after `limit`.
    func end(within limit: Duration) async throws -> End {
        let isOverdue = Locked(false)
        let watchdog = Task {
            try await Task.sleep(for: limit)
            if !isReaped.withLock({ $0 }) {
                isOverdue.withLock { $0 = true }
                kill(pid, SIGKILL)
            }
        }
        defer { watchdog.cancel() }
        return try await onThread {
            var text: [UInt8] = []
            var block = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = unsafe read(self.output, &block, block.count)
                guard count > 0 else { break }
                text += block[..<count]
            }
            let output = String(decoding: text, as: UTF8.self)
            let status = self.reap()
            let signal = status & 0x7F
            if signal == SIGKILL, isOverdue.withLock({ $0 }) { return .overran(output) }
            return signal == 0 ? .exited(status >> 8 & 0xFF, output) : .signalled(signal, output)
        }
    }

    /// Waits on the calling thread for a program that ends soon, and returns its wait status: the
    /// exit code times 256.
    func exitCode() -> Int32 { reap() }

    /// Waits for the end, and returns the printed `key=value` lines, the first of each key.
    ///
    /// - Throws: `Failure` if the program has not ended after `limit` and was killed, or if it did
    ///   not end with exit code 0.
    func results(within limit: Duration) async throws -> [String: String] {
        let end = try await end(within: limit)
        guard case .exited(0, let output) = end else {
            throw Failure(description: "the program ended badly: \(end)")
        }
        return Self.values(in: output)
    }

    /// Returns the values of the `key=value` lines, the first of each key.
    static func values(in output: String) -> [String: String] {
        var values: [String: String] = [:]
        for line in output.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 {
                values[String(parts[0])] = values[String(parts[0])] ?? String(parts[1])
            }
        }
        return values
    }

    /// Kills the program (SIGKILL), and waits until it is gone.
    ///
    /// - Returns: `true` if the signal ended it; `false` if it had ended before.
    func cutDown() async throws -> Bool {
        try await onThread {
            kill(self.pid, SIGKILL)
            return self.reap() & 0x7F == SIGKILL
        }
    }

    private func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.start { continuation.resume(with: Result { try body() }) }
        }
    }
}

/// A detached system thread.
private enum Thread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    static func start(_ run: @escaping @Sendable () -> Void) {
        let context = unsafe Unmanaged.passRetained(Body(run)).toOpaque()
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let error = unsafe pthread_create(
            &thread, nil,
            { context in
                #if canImport(Darwin)
                    unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                #else
                    if let context = unsafe context {
                        unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                    }
                #endif
                return nil
            }, context)
        if error == 0, let thread = Optional(thread) {
            pthread_detach(thread)
        } else {
            unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        }
    }
}
