import Dispatch
import HTTPCore
import HTTPTesting
import Testing
@testable import HTTPTransportCurl
import PortableFoundation
import PortableLibc

/// The work of one turn of the loop, which the tests block meanwhile.
@Suite(.timeLimit(.minutes(5))) struct LoopCoreTests {
    /// Stops the loop's thread in the middle of a turn, when the head of a call's response is in.
    private final class Brake: HTTPObserver {
        let stopped = Gate()
        private let semaphore = DispatchSemaphore(value: 0)

        func observe(_ event: HTTPEvent) {
            guard case .head = event.kind else { return }
            stopped.open()
            semaphore.wait()
        }

        func release() { semaphore.signal() }
    }

    private struct Rig {
        let loop: EventLoop
        let server: LoopbackServer

        init(_ script: @escaping @Sendable (LoopbackRequest) -> LoopbackScript) throws {
            server = try LoopbackServer(script: script)
            loop = try EventLoop(
                LoopSettings(CurlConfiguration()), CurlLibrary.loaded.get(),
                TLSContexts(own: TLSSettings()))
        }

        func exchange(_ target: String, _ observer: (any HTTPObserver)? = nil) throws -> Exchange {
            let request = try HTTPRequest(.get, server.url(target))
                .beginningCall(observer: observer)
            return Exchange(
                request,
                to: Destination(
                    try request.checkedTarget(),
                    ConnectionRoute(origin: try HTTPOrigin(request.url), tls: nil), on: loop),
                limits: TimeLimits(request, session: HTTPTimeouts()),
                settings: loop.settings)
        }

        /// Runs `body` while the loop stands still; it sees what was posted in one turn.
        func inOneTurn(_ body: () throws -> Void) async throws {
            let brake = Brake()
            let blocker = try exchange("/blocker", brake)
            let arrival = Task { try await blocker.arrival() }
            await brake.stopped.waitIgnoringCancellation()
            try body()
            brake.release()
            _ = try await arrival.value
        }
    }

    private static let slow: @Sendable (LoopbackRequest) -> LoopbackScript = { request in
        switch request.target {
        case "/held": [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"), .stall]
        case "/chunks":
            [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n")]
        default: LoopbackResponse.ok("fine").script(answering: request)
        }
    }

    /// libcurl reads on for as long as a body comes faster than it is taken.
    @Test func `a body that never pauses leaves turns to others`() async throws {
        let length = 1 << 27
        let server = try LoopbackServer { _ in .bytes(count: length) }
        let session = CurlTransport()
        var request = try HTTPRequest(.get, server.url("/"))
        request.delivery = .buffered(upTo: length)
        // The server is always ahead.
        request[ReceivingProgress.self] = { _ in
            let end = HTTPSystemClock().now + .microseconds(50)
            while HTTPSystemClock().now < end {}
        }
        #expect(try await session.response(for: request).data().count == length)
        // Two calls of libcurl in a turn, of at most 13 MiB.
        #expect(await session.statistics().turns > 7)
    }

    /// A reader that is cancelled and then gone posts two commands; the second must not reach the
    /// exchange that has got the number of the first one meanwhile.
    @Test(arguments: [true, false])
    func `a late command does not reach the exchange that has its number now`(
        fails: Bool
    ) async throws {
        let rig = try Rig(Self.slow)
        let first = try rig.exchange("/held")
        _ = try await first.arrival()
        let second = try rig.exchange("/chunks")
        try await rig.inOneTurn {
            #expect(rig.loop.post(.fail(first, CancellationError())) == nil)
            #expect(rig.loop.post(.submit(second)) == nil)
            let late: LoopCommand =
                fails ? .fail(first, CancellationError()) : .abandon(first)
            #expect(rig.loop.post(late) == nil)
        }
        #expect(try await second.next() == Data("ok".utf8))
        #expect(try await second.next() == nil)
        #expect(rig.loop.post(.release) == nil)
    }

    @Test func `a discard that comes late is answered`() async throws {
        let rig = try Rig(Self.slow)
        let first = try rig.exchange("/held")
        _ = try await first.arrival()
        let second = try rig.exchange("/chunks")
        let waiting = Gate()
        var discard: Task<Void, Never>?
        try await rig.inOneTurn {
            #expect(rig.loop.post(.fail(first, CancellationError())) == nil)
            #expect(rig.loop.post(.submit(second)) == nil)
            discard = Task {
                waiting.open()
                await first.discard()
            }
        }
        await discard?.value
        #expect(try await second.next() == Data("ok".utf8))
        #expect(rig.loop.post(.release) == nil)
    }

    @Test func `a cancellation in the turn of its submission sends nothing`() async throws {
        let rig = try Rig(Self.slow)
        let exchange = try rig.exchange("/x")
        try await rig.inOneTurn {
            #expect(rig.loop.post(.submit(exchange)) == nil)
            #expect(rig.loop.post(.fail(exchange, CancellationError())) == nil)
        }
        await #expect(throws: CancellationError.self) { try await exchange.next() }
        #expect(rig.server.log.compactMap(\.request?.target) == ["/blocker"])
        #expect(rig.loop.post(.release) == nil)
    }

    #if os(Linux)
        /// ThreadSanitizer takes it for a race that the poller's number leads elsewhere meanwhile.
        @Test(.disabled(if: sanitizer == "ThreadSanitizer", "it would report what the test does"))
        func `what cannot be watched fails with all of its pool, and the next request is answered`()
            async throws
        {
            let rig = try Rig(Self.slow)
            let held = try rig.exchange("/held")
            _ = try await held.arrival()
            let poller = fcntl(rig.loop.mailbox.poller, F_DUPFD_CLOEXEC, 0)
            defer { close(poller) }
            let null = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
            defer { close(null) }
            #expect(dup2(null, rig.loop.mailbox.poller) == rig.loop.mailbox.poller)
            let second = try rig.exchange("/x")
            let errors = await [
                #expect(throws: HTTPError.self) { try await second.arrival() },
                #expect(throws: HTTPError.self) { try await held.next() },
            ]
            #expect(dup2(poller, rig.loop.mailbox.poller) == rig.loop.mailbox.poller)
            _ = fcntl(rig.loop.mailbox.poller, F_SETFD, FD_CLOEXEC)
            for error in errors {
                #expect(error?.code == .internalFailure && error?.isRetryable == true)
            }
            let third = try rig.exchange("/y")
            #expect(try await third.arrival().status == .ok)
            #expect(try await third.next() == Data("fine".utf8))
            #expect(rig.loop.post(.release) == nil)
        }

        private static let sanitizer = ProcessInfo.processInfo.environment["HTTP_TEST_SANITIZER"]
    #endif

    @Test func `a loop that was released and has nothing to do refuses what comes`() async throws {
        let rig = try Rig(Self.slow)
        #expect(rig.loop.post(.close(.zero)) == nil)
        await rig.loop.ended()
        let exchange = try rig.exchange("/x")
        let error = await #expect(throws: HTTPError.self) { try await exchange.arrival() }
        #expect(error?.code == .sessionClosed)
    }
}
