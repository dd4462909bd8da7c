import Testing
import PortableFoundation
import PortableLibc

@Suite(.timeLimit(.minutes(5))) struct ServerProcessTests {
    @Test func `a server ends with the tests, however they end`() async throws {
        let file = "/tmp/http-curl-tests-\(UUID().uuidString)"
        defer { _ = unsafe unlink(file) }
        let result = await #expect(
            processExitsWith: .signal(SIGKILL)
        ) { [file = file as String] in
            alarm(300)
            let server = try ServerProcess("sleep", ["1000"])
            try "\(server.pid)".write(toFile: file, atomically: true, encoding: .utf8)
            kill(getpid(), SIGKILL)
        }
        try #require(result != nil)
        let pid = try #require(pid_t(try String(contentsOfFile: file, encoding: .utf8)))
        // The process that kills it runs beside this one, and reports nothing.
        let hasEnded = try await ServerProcess.onThread {
            (0..<60_000).contains { _ in
                guard Self.isRunning(pid) else { return true }
                usleep(1000)
                return false
            }
        }
        #expect(hasEnded)
    }

    @Test func `a server that is released has ended`() throws {
        var server: ServerProcess? = try ServerProcess("sleep", ["1000"])
        let pid = try #require(server?.pid)
        #expect(Self.isRunning(pid))
        server = nil
        #expect(!Self.isRunning(pid))
    }

    @Test func `a server has none of this process's descriptors`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        for end in ends { #expect(fcntl(end, F_GETFD) & FD_CLOEXEC == 0) }
        let server = try ServerProcess("sleep", ["1000"])
        #if canImport(Glibc)
            // Beside those that it opens itself, such as its libraries.
            let held = OwnProcess.descriptors(of: "\(server.pid)").map(\.end)
            let ours = OwnProcess.descriptors(of: "self")
                .filter { [String(ends[0]), String(ends[1])].contains($0.number) }.map(\.end)
            #expect(ours.count == 2)
            #expect(!held.isEmpty && Set(held).isDisjoint(with: ours), "\(held), \(ours)")
        #endif
    }

    /// Returns `true` if the process runs. One that has ended may still have its number.
    private static func isRunning(_ pid: pid_t) -> Bool {
        guard kill(pid, 0) == 0 else { return false }
        guard let status = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else {
            return false
        }
        return status.split(separator: ")").last?.hasPrefix(" Z") == false
    }
}
