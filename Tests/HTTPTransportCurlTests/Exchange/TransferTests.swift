import CHTTPTransportCurl
import HTTPCore
import Testing
@testable import HTTPTransportCurl
import PortableFoundation
import PortableLibc

/// libcurl's events in orders that a server, a reader or a second thread can cause.
@Suite struct TransferTests {
    private static func send(
        connections: Int, bytes: Int, isIdempotent: Bool
    ) -> Resends.Send {
        Resends.Send(
            connections: connections, bytes: bytes, isIdempotent: isIdempotent, seesStreams: true)
    }

    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n"

    private static func begun(
        _ rig: TransferRig, _ change: (inout HTTPRequest) -> Void = { _ in }
    ) throws -> Transfer {
        var request = try HTTPRequest(.get, "http://localhost/")
        change(&request)
        return try begin(rig.transfer(request))
    }

    private static func begin(_ transfer: Transfer) throws -> Transfer {
        transfer.admit()
        transfer.easy = try CurlEasyHandle()
        return transfer
    }

    private static func receive(_ head: String, _ transfer: Transfer) -> Bool {
        transfer.beganHead()
        return transfer.received(head: Array(head.utf8).span)
    }

    private static func receive(body: Int, _ transfer: Transfer) -> Bool {
        let bytes = [UInt8](repeating: 0x61, count: body)
        return unsafe bytes.withUnsafeBytes { unsafe transfer.received(body: $0) }
    }

    /// The loop handles what is due until nothing is. A limit that nothing can settle would hold it
    /// up for ever.
    @Test func `only a connection that is known is examined for silence`() throws {
        let rig = try TransferRig()
        let transfer = try Self.begin(
            rig.transfer(HTTPRequest(.get, "https://localhost/"), over: .http3Alone))
        _ = transfer.machine.write(Self.send(connections: 1, bytes: 0, isIdempotent: true))
        transfer.times.written = 0
        rig.turn.now = 10_000_000_000
        #expect(!transfer.isSilenceDue)
        var kept = KeptConnections()
        kept.opened(7, isQUIC: true)
        let id = kept.identify(
            7, as: KeptConnections.Ends(address: "::1", remotePort: 1, localPort: 2), in: 0)
        transfer.connection.use = id.map { .identified($0) } ?? .none
        #expect(transfer.isSilenceDue)
        transfer.connection.watch = .suspected(at: rig.now)
        #expect(!transfer.isSilenceDue)
    }

    /// One local port may be that of several sockets, and libcurl does not say which one it uses.
    @Test(arguments: [
        ([], true), (["8.8.8.8"], true), (["8.8.8.8", "1.1.1.1"], true), (["10.0.0.1"], false),
        (["8.8.8.8", "10.0.0.1"], false), (["10.0.0.1", "8.8.8.8"], false),
        (["8.8.8.8", "1.1.1.1", "::1"], false),
    ])
    func `a policy permits a connection if it permits all that it may lead to`(
        others: [String], isPermitted: Bool
    ) throws {
        for ofLane in [nil, others.first, others.last] {
            for policy in [AddressPolicy.publicOnly, .any] {
                let rig = try TransferRig()
                rig.replaced = Connections.ReplacedAddresses(
                    candidates: others.compactMap { IPAddress($0) },
                    ofLane: ofLane.flatMap { IPAddress($0) })
                let transfer = try Self.begun(rig) { $0[AddressPolicy.self] = policy }
                #expect(
                    transfer.mayWrite(to: "9.9.9.9", port: 80, from: 9)
                        == (isPermitted || policy == .any))
            }
        }
    }

    private static let second: Int64 = 1_000_000_000

    /// A request that was written over HTTP/3 at the rig's time.
    private static func written(
        _ method: HTTPMethod, limit: Duration? = nil, _ rig: TransferRig
    ) throws -> Transfer {
        var request = try HTTPRequest(method, "https://localhost/")
        if let limit { request.timeouts.total = .after(limit) }
        let exchange = TransferRig.exchange(
            request, to: try rig.destination(of: request, over: .http3Alone), rig.settings)
        // The exchange's own clock is the machine's.
        rig.turn.now = exchange.submitted
        let transfer = try begin(rig.transfer(exchange))
        _ = transfer.machine.write(
            Self.send(connections: 1, bytes: 0, isIdempotent: method.isIdempotent))
        transfer.times.written = rig.now
        var kept = KeptConnections()
        kept.opened(7, isQUIC: true)
        let id = kept.identify(
            7, as: KeptConnections.Ends(address: "::1", remotePort: 1, localPort: 2), in: 0)
        transfer.connection.use = id.map { .identified($0) } ?? .none
        return transfer
    }

    /// Half of the time is left for another connection.
    @Test(
        arguments: [
            (nil, 1000, 3000), (.seconds(60), 1000, 3000), (.seconds(4), 667, 2000),
            (.seconds(2), 334, 1000), (.milliseconds(500), 334, 1000),
        ] as [(Duration?, Int64, Int64)])
    func `a request with little time finds out sooner that its connection is lost`(
        limit: Duration?, suspicion: Int64, check: Int64
    ) throws {
        let rig = try TransferRig()
        let transfer = try Self.written(.get, limit: limit, rig)
        let start = rig.now
        rig.turn.now = start + (suspicion - 1) * 1_000_000
        #expect(!transfer.isSilenceDue)
        rig.turn.now = start + suspicion * 1_000_000
        #expect(transfer.isSilenceDue)
        transfer.connection.watch = .suspected(at: rig.now)
        rig.turn.now = start + (check - 1) * 1_000_000
        #expect(!transfer.isSilenceDue)
        rig.turn.now = start + check * 1_000_000
        #expect(transfer.isSilenceDue)
    }

    @Test func `one that may not be sent twice waits on, but others learn from it`() throws {
        let rig = try TransferRig()
        let transfer = try Self.written(.post, rig)
        let start = rig.now
        transfer.connection.watch = .suspected(at: start)
        rig.turn.now = start + 3 * Self.second
        #expect(transfer.isSilenceDue)
        transfer.connection.watch = .givenUp(at: rig.now)
        rig.turn.now = start + 30 * Self.second - 1
        #expect(!transfer.isSilenceDue)
        rig.turn.now = start + 30 * Self.second
        #expect(transfer.isSilenceDue && transfer.unacknowledgedDue == rig.now)
    }

    // MARK: HTTP/3 that was announced

    /// Its service's connection has opened in no time, so that it is waited for 0.3 s, and a second
    /// as long as there is no socket.
    private static func announced(
        _ method: HTTPMethod = .get, limit: Duration? = nil, _ rig: TransferRig
    ) throws -> Transfer {
        var request = try HTTPRequest(method, "https://localhost/")
        if method == .post { request.body = HTTPBody("x") }
        if let limit { request.timeouts.total = .after(limit) }
        let exchange = TransferRig.exchange(
            request, to: try rig.destination(of: request, over: .http3Alone), rig.settings)
        rig.turn.now = exchange.submitted
        let transfer = rig.transfer(exchange)
        transfer.http3 = HTTP3Use(
            service: .init(host: "localhost", port: 443), home: transfer.lane,
            purpose: .exchange(patience: 300_000_000))
        return try begin(transfer)
    }

    @Test(
        arguments: [
            (nil, 1000, 300), (.seconds(60), 1000, 300), (.seconds(1), 500, 300),
            (.milliseconds(200), 100, 100),
        ] as [(Duration?, Int64, Int64)])
    func `half of the time of an exchange is left for HTTP 2`(
        limit: Duration?, withoutSocket: Int64, withSocket: Int64
    ) throws {
        let rig = try TransferRig()
        for opens in [false, true] {
            let transfer = try Self.announced(limit: limit, rig)
            if opens { transfer.opened(9, to: chttp_address()) }
            let start = rig.now
            let wait = (opens ? withSocket : withoutSocket) * 1_000_000
            rig.turn.now = start + wait - 1
            #expect(!transfer.isHTTP3Late)
            rig.turn.now = start + wait
            #expect(transfer.isHTTP3Late)
            let isHurried = limit.map { $0.nanoseconds == 2 * wait } ?? false
            #expect(transfer.isHurried == isHurried)
            let cause = transfer.http3Cause
            #expect(cause == (opens ? isHurried ? .doubt : .service : .here))
        }
    }

    @Test func `no time begins before the turn`() throws {
        let rig = try TransferRig()
        let request = try HTTPRequest(.get, "https://localhost/")
        let transfer = try rig.transfer(request, over: .http3Alone)
        transfer.http3 = HTTP3Use(
            service: .init(host: "elsewhere.test", port: 443), home: transfer.lane,
            purpose: .opening())
        #expect(!transfer.isHTTP3Late && transfer.http3Cause == .here)
        transfer.admit()
        // Its name could not be resolved.
        #expect(!transfer.isHTTP3Late && transfer.http3Cause == .service)
        transfer.connection.attempts.socketError = EMFILE
        #expect(transfer.http3Cause == .here)
        transfer.connection.attempts.socketError = 0
        transfer.connection.attempts.permission = .refused
        #expect(transfer.http3Cause == .policy)
    }

    /// libcurl tries another one if a kept connection has ended.
    @Test(arguments: [HTTPMethod.get, .post])
    func `a written request leaves HTTP 3 while its connection is made anew, if it may go twice`(
        method: HTTPMethod
    ) throws {
        let rig = try TransferRig()
        let transfer = try Self.announced(method, rig)
        _ = transfer.machine.write(
            Self.send(connections: 0, bytes: 0, isIdempotent: method.isIdempotent))
        transfer.http3?.wait.due = nil
        #expect(!transfer.mayLeaveHTTP3)
        #expect(transfer.http3Failure(CHTTP_E_COULDNT_CONNECT) == nil)
        transfer.opened(9, to: chttp_address())
        #expect(transfer.mayLeaveHTTP3 == (method == .get))
        #expect((transfer.http3Failure(CHTTP_E_COULDNT_CONNECT) != nil) == (method == .get))
        #expect(transfer.http3Failure(CHTTP_E_PEER_FAILED_VERIFICATION) == nil)
        rig.turn.now += 300_000_000
        #expect(transfer.isHTTP3Late == (method == .get))
        let lost = HTTPError(.cannotConnect, "no", phase: .connecting)
        #expect(transfer.isLostWithHTTP3(lost))
    }

    @Test func `a fallback waits for its turn from then on`() throws {
        var configuration = CurlConfiguration()
        configuration.queueTimeout = .milliseconds(100)
        let rig = try TransferRig(configuration)
        let transfer = try Self.announced(.get, rig)
        rig.turn.now += 500_000_000
        transfer.leaveHTTP3(because: "late", .http3Failed)
        #expect(transfer.checkLimits() == nil)
        rig.turn.now += 100_000_000
        #expect((transfer.checkLimits() as? HTTPError)?.code == .queueTimedOut)
    }

    @Test func `a look-up that is too slow ends HTTP 3, not the exchange`() throws {
        let rig = try TransferRig()
        let transfer = try Self.announced(.get, rig)
        transfer.http3?.wait.due = rig.now + 1_000_000_000
        let due = rig.now + 500_000_000
        transfer.times.lookup = .waiting(since: rig.now, due: due)
        #expect(!transfer.isHTTP3Late)
        rig.turn.now += 500_000_000
        #expect(transfer.isHTTP3Late && transfer.checkLimits() == nil)
        // The wait for the address of the service takes nothing from the other connection's time.
        transfer.times.lookup = .took(500_000_000)
        transfer.leaveHTTP3(because: "late", .http3Failed)
        #expect(transfer.times.lookup.time == 0)
        transfer.times.lookup = .waiting(since: rig.now, due: due)
        // Without another way, the same limit ends the exchange.
        #expect((transfer.checkLimits() as? HTTPError)?.timer?.name == .connect)
    }

    @Test func `nothing that comes after the end changes it`() throws {
        let rig = try TransferRig()
        let transfer = try Self.begun(rig)
        rig.finish(transfer, .failed(CancellationError()))
        let flushes = rig.flushes
        transfer.delivery.isDue = false
        let answers = [
            Self.receive(Self.head, transfer), Self.receive(body: 10, transfer),
            transfer.received(line: Array("X: y\r\n".utf8).span),
        ]
        // libcurl is not told to end what the loop has already taken away.
        #expect(answers == [true, true, true])
        transfer.resumeReceiving()
        transfer.resumeSending()
        transfer.endYield()
        transfer.endedUpload()
        #expect(!transfer.machine.hasHead && transfer.buffer.count == 0)
        #expect(rig.flushes == flushes && rig.finished.count == 1)
        guard case .failed(let error) = transfer.machine.end else {
            Issue.record("the transfer has not failed")
            return
        }
        #expect(error is CancellationError)
    }

    @Test func `a head that breaks a rule ends the transfer with that as the reason`() throws {
        let rig = try TransferRig()
        let transfer = try Self.begun(rig)
        let isTaken = Self.receive("HTTP/1.1 200 OK\r\nno field\r\n", transfer)
        #expect(!isTaken && !transfer.machine.hasHead)
        transfer.machine.fail(with: HTTPError(.connectionLost, "later", phase: .waiting))
        let error = transfer.error(curl: CHTTP_E_WRITE_ERROR)
        #expect(error.code == .protocolViolation)
    }

    @Test func `what a reader has not taken is limited, and then read on`() throws {
        var configuration = CurlConfiguration()
        configuration.highWater = 64 << 10
        configuration.lowWater = 16 << 10
        let rig = try TransferRig(configuration)
        let transfer = try Self.begun(rig)
        let isTaken = Self.receive("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n", transfer)
        #expect(isTaken)
        for _ in 0..<4 {
            let isTaken = Self.receive(body: 16 << 10, transfer)
            #expect(isTaken)
        }
        #expect(transfer.flow.isReceivingPaused)
        #expect(!transfer.leavesHandleClean, "libcurl was paused")
        transfer.resumeReceiving()
        #expect(!transfer.flow.isReceivingPaused)
    }

    @Test func `a reader that goes while the rest is small lets it come, and drops it`() throws {
        let rig = try TransferRig()
        let transfer = try Self.begun(rig)
        let isTaken = Self.receive(Self.head, transfer) && Self.receive(body: 4, transfer)
        #expect(isTaken && transfer.buffer.count == 4)
        transfer.abandon(nil)
        #expect(transfer.machine.isDraining && transfer.buffer.count == 0)
        let isTakenNow = Self.receive(body: 6, transfer)
        #expect(isTakenNow && transfer.buffer.count == 0 && transfer.received == 10)
        // A second holder that goes changes nothing.
        transfer.abandon(nil)
        #expect(rig.finished.isEmpty)
    }

    @Test func `only a stream that the server has not processed is refused`() throws {
        let rig = try TransferRig()
        for (hasEnded, error) in [(true, 0), (false, 0), (true, 7), (false, 8), (false, 7)] {
            let transfer = try Self.begun(rig)
            _ = transfer.machine.write(Self.send(connections: 1, bytes: 0, isIdempotent: false))
            transfer.connection.stream = TransferConnection.Stream()
            if hasEnded { transfer.endedStream(withData: true) }
            transfer.closedStream(error: UInt32(error))
            #expect(transfer.machine.isRefused == (!hasEnded && error == 7))
            #expect(transfer.connection.stream?.hasEnded == hasEnded)
        }
    }

    @Test func `a body above the limit of its delivery ends the transfer`() throws {
        let rig = try TransferRig()
        let transfer = try Self.begun(rig) { $0.delivery = .buffered(upTo: 8) }
        let isTaken = Self.receive("HTTP/1.1 200 OK\r\n", transfer)
        #expect(isTaken)
        let parts = [Self.receive(body: 8, transfer), Self.receive(body: 1, transfer)]
        #expect(parts == [true, false])
        #expect(transfer.error(curl: CHTTP_E_WRITE_ERROR).code == .bodyTooLarge)
    }

    @Test(arguments: [TaskPriority.medium, .high])
    func `a task of the usual priority is resumed with others, one of another priority at once`(
        priority: TaskPriority
    ) async throws {
        let rig = try TransferRig()
        let request = try HTTPRequest(.get, "http://localhost/")
        let (destination, settings) = (try rig.destination(of: request), rig.settings)
        let exchange = await Task.detached(priority: priority) {
            TransferRig.exchange(request, to: destination, settings)
        }.value
        let transfer = try Self.begin(rig.transfer(exchange))
        let isTaken = Self.receive(Self.head, transfer)
        #expect(isTaken)
        transfer.flush()
        let reading = Task.detached(priority: priority) { try await exchange.next()?.count }
        while !exchange.isAwaited { await Task.yield() }
        let isTakenNow = Self.receive(body: 4, transfer)
        #expect(isTakenNow)
        transfer.flush()
        #expect(rig.turn.resumptions.count == (priority == .medium ? 1 : 0))
        #expect(!exchange.isAwaited)
        for suspension in rig.turn.resumptions { suspension() }
        #expect(try await reading.value == 4)
    }
}
