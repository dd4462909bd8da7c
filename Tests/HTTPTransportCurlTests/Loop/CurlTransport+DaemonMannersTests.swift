import CHTTPTransportCurl
import HTTPCore
import HTTPFormats
import HTTPTesting
import Testing
@testable import HTTPTransportCurl
import PortableFoundation
import PortableLibc

/// The effects on a long-running process. Each test runs in a process of its own, since it inspects
/// the whole process.
@Suite(.timeLimit(.minutes(5))) struct CurlTransportDaemonMannersTests {
    @Test func `SIGPIPE never kills the process`() async {
        await #expect(processExitsWith: .success) {
            alarm(300)
            // The default action would kill.
            signal(SIGPIPE, SIG_DFL)
            let server = try LoopbackServer(scripts: [[.awaitHead, .reset]])
            let session = CurlTransport()
            for _ in 0..<20 {
                let body = HTTPBody(Data(count: 4 << 20))
                let request = try HTTPRequest(.put, server.url, body: body)
                _ = try? await session.response(for: request)
            }
            guard server.connections.accepted >= 20 else { exit(3) }
        }
    }

    @Test func `no signal handler is installed and no signal blocked`() async {
        await #expect(processExitsWith: .success) {
            alarm(300)
            let before = Signals.current()
            let server = try LoopbackServer { _ in .ok() }
            let session = CurlTransport()
            _ = try await session.response(for: server.url).text()
            _ = try? await session.response(for: "http://127.0.0.1:1/").text()
            await session.close()
            guard Signals.current() == before else { exit(3) }
        }
    }

    @Test func `the loop's thread takes no signal`() async {
        await #expect(processExitsWith: .success) {
            alarm(300)
            let server = try LoopbackServer { _ in .ok() }
            let session = CurlTransport()
            _ = try await session.response(for: server.url).text()
            guard let blocked = OwnProcess.blockedSignals(ofThread: "http-curl") else { exit(3) }
            // All but those that cannot be blocked, and the two that the C library keeps to itself.
            for number in 1...31 where number != SIGKILL && number != SIGSTOP {
                guard blocked & 1 << (UInt64(number) - 1) != 0 else { exit(4) }
            }
        }
    }

    @Test func `descriptors are close-on-exec`() async {
        await #expect(processExitsWith: .success) {
            alarm(300)
            let server = try LoopbackServer(script: { request in
                request.path == "/stall" ? [.stall] : [.respond(.ok())]
            })
            let before = Descriptors.inherited()
            let session = CurlTransport()
            _ = try await session.response(for: server.url).text()
            let url = server.url("/stall")
            let waiting = Task { try await session.response(for: url) }
            try await server.waitUntil { $0.requestCount == 2 }
            let added = Descriptors.inherited().subtracting(before)
            waiting.cancel()
            // libcurl's own wake-up pair, which we never use, is close-on-exec from 8.8 on.
            let own = try CurlLibrary.loaded.get().number < 0x08_08_00 ? 2 : 0
            guard added.count <= own else { exit(3) }
        }
    }

    @Test func `importing and making a session starts nothing`() async {
        await #expect(processExitsWith: .success) {
            alarm(300)
            let session = CurlTransport()
            guard CurlTransport.liveHandles == 0, !OwnProcess.threadNames().contains("http-curl")
            else {
                exit(3)
            }
            // The check can fail: a request starts the thread that it looks for.
            let server = try LoopbackServer { _ in .ok() }
            _ = try await session.response(for: server.url).text()
            guard OwnProcess.threadNames().contains("http-curl") else { exit(4) }
        }
    }

    @Test func `a forked child does not touch the loop`() async {
        await #expect(processExitsWith: .success) {
            alarm(300)
            let server = try LoopbackServer { _ in .ok("parent") }
            var session: CurlTransport? = CurlTransport()
            _ = try await session?.response(for: server.url).text()
            let loop = try EventLoop(
                LoopSettings(CurlConfiguration()), try CurlLibrary.loaded.get(),
                TLSContexts(own: TLSSettings()))
            // Its thread has begun, and is at rest.
            let statistics = Waiter<CurlStatistics>()
            _ = loop.post(.statistics(statistics))
            _ = await statistics.outcome()
            let child = Fork.run {
                // Posting must neither wake the parent's thread nor wait for a lock it holds.
                guard loop.post(.release)?.code == .sessionClosed else { return 3 }
                session = nil
                return 0
            }
            guard child == 0 else { exit(child) }
            // The parent's loops are as they were.
            guard try await session?.response(for: server.url).text() == "parent" else { exit(5) }
            guard loop.post(.release) == nil else { exit(6) }
            guard server.connections.accepted == 1 else { exit(7) }
        }
    }
}

private enum Signals {
    /// Every signal's handler as bytes, and the calling thread's mask. Not the flags: glibc leaves
    /// a trace of its own there when a library saves and restores an action.
    static func current() -> [[UInt8]] {
        var list: [[UInt8]] = []
        for number in 1..<32 {
            var action = sigaction()
            unsafe sigaction(Int32(number), nil, &action)
            unsafe list.append(
                withUnsafeBytes(of: &action.__sigaction_handler) { unsafe Array($0) })
        }
        var mask = sigset_t()
        unsafe pthread_sigmask(SIG_SETMASK, nil, &mask)
        unsafe list.append(withUnsafeBytes(of: &mask) { unsafe Array($0) })
        return list
    }
}

private enum Descriptors {
    /// Returns the descriptors that a child started by exec would inherit.
    static func inherited() -> Set<Int32> {
        Set(
            (0..<1024).filter { descriptor in
                let flags = fcntl(descriptor, F_GETFD)
                return flags >= 0 && flags & FD_CLOEXEC == 0
            })
    }
}

private enum Fork {
    /// Runs `body` in a forked child and returns its exit code, or 100 + the signal that killed it.
    ///
    /// Swift hides `fork`, since most of a Swift program does not survive it. `body` must not
    /// allocate tasks, and the child ends with `_exit`. A runtime lock that another thread holds
    /// during the fork is never released in the child. Under ThreadSanitizer, the runtime takes a
    /// lock for each access to something that it once made. A child that hangs is therefore ended,
    /// and another one is started.
    static func run(_ body: () -> Int32) -> Int32 {
        for _ in 0..<2 {
            let code = runOnce(body)
            if code != 100 + SIGALRM { return code }
        }
        return runOnce(body)
    }

    private static func runOnce(_ body: () -> Int32) -> Int32 {
        typealias Call = @convention(c) () -> pid_t
        guard let symbol = unsafe dlsym(nil, "fork") else { return 99 }
        let fork = unsafe unsafeBitCast(symbol, to: Call.self)
        let pid = fork()
        if pid == 0 {
            // Threads of Dispatch take no signals, and no other thread is left.
            var signals = sigset_t()
            unsafe sigemptyset(&signals)
            unsafe sigaddset(&signals, SIGALRM)
            unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            alarm(10)
            _exit(body())
        }
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 100 + status & 0x7F
    }
}
