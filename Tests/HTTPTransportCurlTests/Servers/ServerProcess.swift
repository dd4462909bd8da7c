import HTTPCore
import TestSupport
import PortableFoundation
import PortableLibc

/// A program of the machine that a test needs beside it: started in a process of its own, without
/// input, its output read here. It is killed by its number when it is released, and by
/// ``ProcessKeeper`` when this process ends before.
///
/// Nothing here waits longer than ``patience``.
final class ServerProcess: Sendable {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The time that a program has to write something, to listen or to end.
    private static let patience = Duration.seconds(60)

    let pid: pid_t
    private let output: Int32
    private let isReaped = Locked(false)

    /// Returns the path of `program`, or `nil` if the machine does not have it. `HTTP_TEST_SERVERS`
    /// may name a folder to search first.
    static func path(of program: String) -> String? {
        let environment = ProcessInfo.processInfo.environment
        let folders =
            [environment["HTTP_TEST_SERVERS"]].compactMap(\.self)
            + (environment["PATH"] ?? "").split(separator: ":").map(String.init)
            + ["/usr/sbin", "/sbin"]
        return folders.lazy.map { "\($0)/\(program)" }.first { unsafe access($0, X_OK) == 0 }
    }

    /// Returns `true` if tests may start `program`. With `HTTP_TEST_SERVERS_REQUIRED`, tests that
    /// do not find it fail rather than being skipped.
    static func has(_ program: String) -> Bool {
        ProcessInfo.processInfo.environment["HTTP_TEST_SERVERS_REQUIRED"] != nil
            || path(of: program) != nil
    }

    /// - Parameter connection: The input and output of the program. If `nil`, it has no input, and
    ///   its output is read here.
    init(
        _ program: String, _ arguments: [String], joinedTo connection: RawConnection? = nil
    ) throws {
        guard let path = Self.path(of: program) else {
            throw Failure(description: "\(program) is not installed")
        }
        let ends = try Self.makePipe()
        defer { close(ends.write) }
        do {
            pid = try Self.spawn(
                path, arguments, input: connection?.descriptor,
                output: connection?.descriptor ?? ends.write, errors: ends.write)
        } catch {
            close(ends.read)
            throw error
        }
        output = ends.read
        ProcessKeeper.shared?.keep(pid)
    }

    deinit {
        if !isReaped.withLock({ $0 }) {
            kill(pid, SIGKILL)
            _ = reap()
        }
        close(output)
    }

    /// Ends the process and waits for its end.
    func stop(_ signal: Int32 = SIGKILL) {
        kill(pid, signal)
        _ = reap()
    }

    fileprivate static func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else {
            throw Failure(description: "no pipe: \(SystemError(errno))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Starts a program that has three descriptors and no others: a connection of a test that a
    /// server held too would not end when the test closes it, nor a pipe.
    fileprivate static func spawn(
        _ path: String, _ arguments: [String], input: Int32?, output: Int32?, errors: Int32?
    ) throws -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = unsafe posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        for (number, descriptor) in [input, output, errors].enumerated() {
            let number = Int32(number)
            if let descriptor {
                unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, number)
            } else {
                let mode = number == 0 ? O_RDONLY : O_WRONLY
                unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", mode, 0)
            }
        }
        #if canImport(Glibc)
            unsafe actions.addCloseFrom(3)
        #elseif canImport(Darwin)
            unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_CLOEXEC_DEFAULT))
        #endif
        var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var pid = pid_t()
        let error = unsafe posix_spawn(&pid, path, &actions, &attributes, &words, environ)
        guard error == 0 else {
            throw Failure(description: "\(path) does not start: \(SystemError(error))")
        }
        return pid
    }

    /// The status of the process if it has ended.
    private func statusIfEnded() -> Int32? {
        isReaped.withLock { isReaped in
            var status: Int32 = 0
            guard !isReaped, unsafe waitpid(pid, &status, WNOHANG) == pid else { return nil }
            isReaped = true
            ProcessKeeper.shared?.release(pid)
            return status
        }
    }

    /// Waits for the end of the process, which is certain: it was killed, or has closed its output.
    private func reap() -> Int32? {
        let deadline = ContinuousClock.now + Self.patience
        while ContinuousClock.now < deadline {
            if let status = statusIfEnded() { return status }
            usleep(1000)
        }
        return nil
    }

    /// Its output up to the first line that `matches`, which comes last, or to its end.
    func lines(until matches: (String) -> Bool = { _ in false }) throws -> [String] {
        var lines: [String] = []
        var line: [UInt8] = []
        let deadline = ContinuousClock.now + Self.patience
        while ContinuousClock.now < deadline {
            var byte: UInt8 = 0
            var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&waiting, 1, 1000) != 0 else { continue }
            guard unsafe read(output, &byte, 1) == 1 else { return lines }
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            lines.append(String(decoding: line, as: UTF8.self))
            line = []
            if let last = lines.last, matches(last) { return lines }
        }
        throw Failure(description: "no answer; so far: \(lines)")
    }

    /// Runs what blocks on a thread of its own, not on the pool that the tests share.
    static func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            RawListener.detach { continuation.resume(with: Result { try body() }) }
        }
    }

    /// Runs a program to its end.
    @discardableResult
    static func run(_ program: String, _ arguments: [String]) throws -> [String] {
        let process = try ServerProcess(program, arguments)
        let lines = try process.lines()
        guard process.reap() == 0 else {
            throw Failure(description: "\(program) \(arguments): \(lines)")
        }
        return lines
    }

    /// The first TCP port on which the process listens.
    func listeningPort() throws -> UInt16 {
        try boundPort(in: ["/proc/net/tcp", "/proc/net/tcp6"]) { _ in true }
    }

    /// Waits until the process has bound a UDP port.
    func waitUntilBound(toUDP port: UInt16) throws {
        _ = try boundPort(in: ["/proc/net/udp", "/proc/net/udp6"]) { $0 == port }
    }

    private func boundPort(
        in tables: [String], where isWanted: (UInt16) -> Bool
    ) throws -> UInt16 {
        // Its sockets' inodes, looked up among those that are bound.
        let deadline = ContinuousClock.now + Self.patience
        while ContinuousClock.now < deadline {
            if statusIfEnded() != nil {
                throw Failure(description: "it has ended: \(try lines())")
            }
            let ends = OwnProcess.descriptors(of: "\(pid)").map(\.end)
            let inodes = Set(
                ends.filter { $0.hasPrefix("socket:[") }.map { $0.dropFirst(8).dropLast() })
            for table in tables {
                for columns in Self.bound(in: table) where inodes.contains(columns[9]) {
                    if let digits = columns[1].split(separator: ":").last,
                        let port = UInt16(digits, radix: 16), isWanted(port)
                    {
                        return port
                    }
                }
            }
            // The process does not report that it listens, so this polls.
            usleep(5000)
        }
        throw Failure(description: "it listens on no port")
    }

    /// Waits until a Unix socket at `path` listens.
    func waitUntilListening(on path: String) throws {
        let deadline = ContinuousClock.now + Self.patience
        while ContinuousClock.now < deadline {
            if statusIfEnded() != nil {
                throw Failure(description: "it has ended: \(try lines())")
            }
            let table = try String(contentsOfFile: "/proc/net/unix", encoding: .utf8)
            // The flag is `__SO_ACCEPTCON`.
            if table.split(separator: "\n").contains(where: {
                $0.hasSuffix(" \(path)") && $0.contains(" 00010000 ")
            }) {
                return
            }
            usleep(5000)
        }
        throw Failure(description: "nothing listens on \(path)")
    }

    /// Returns the columns of a table's sockets that wait for peers: those of TCP that listen, and
    /// those of UDP that are not connected. In the tables of TCP they come first, and the rest is
    /// not read: it may list tens of thousands of ended connections, which the system goes through
    /// one by one.
    private static func bound(in table: String) -> [[Substring]] {
        let isUDP = table.contains("udp")
        let descriptor = unsafe open(table, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var found: [[Substring]] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe read(descriptor, &piece, piece.count)
            guard count > 0 else { return found }
            text += piece[..<count]
            while let end = text.firstIndex(of: UInt8(ascii: "\n")) {
                let columns = String(decoding: text[..<end], as: UTF8.self).split(separator: " ")
                text.removeSubrange(...end)
                guard columns.count > 9, columns[0] != "sl" else { continue }
                if columns[3] == (isUDP ? "07" : "0A") {
                    found.append(columns)
                } else if !isUDP {
                    return found
                }
            }
        }
    }

    /// Starts a program that does not accept port 0. Because another program may take the port that
    /// was found, this tries several times.
    ///
    /// - Parameter speaksQUIC: `true` if the program uses the UDP port of the same number as well.
    static func onFreePort(
        speaksQUIC: Bool = false, _ start: (UInt16) throws -> ServerProcess
    ) throws -> (ServerProcess, UInt16) {
        for _ in 1..<10 {
            if let started = try? onFoundPort(speaksQUIC, start) { return started }
        }
        return try onFoundPort(speaksQUIC, start)
    }

    private static func onFoundPort(
        _ speaksQUIC: Bool, _ start: (UInt16) throws -> ServerProcess
    ) throws -> (ServerProcess, UInt16) {
        let process = try start(try FreePort.find())
        let port = try process.listeningPort()
        if speaksQUIC { try process.waitUntilBound(toUDP: port) }
        return (process, port)
    }
}

/// Kills what this process has started and not reaped when it ends, however it ends: a shell that
/// reads their numbers from a pipe, up to its end.
private final class ProcessKeeper: Sendable {
    static let shared = try? ProcessKeeper()

    private let pipe: Int32

    private init() throws {
        let ends = try ServerProcess.makePipe()
        defer { close(ends.read) }
        _ = try ServerProcess.spawn(
            "/bin/sh", ["-c", Self.script], input: ends.read, output: nil, errors: nil)
        pipe = ends.write
    }

    // A signal that ends the tests must not end this first: the servers end through the pipe.
    private static let script = """
        trap '' HUP INT TERM
        kept=' '
        while read -r sign pid; do
            case $sign in
            +) kept="$kept$pid " ;;
            -) kept="${kept%% $pid *} ${kept#* $pid }" ;;
            esac
        done
        [ "$kept" = ' ' ] || kill -9 $kept
        """

    func keep(_ pid: pid_t) { say("+ \(pid)\n") }
    func release(_ pid: pid_t) { say("- \(pid)\n") }

    /// Shorter than what a pipe takes at once.
    private func say(_ line: String) {
        let bytes = Array(line.utf8)
        _ = unsafe write(pipe, bytes, bytes.count)
    }
}
