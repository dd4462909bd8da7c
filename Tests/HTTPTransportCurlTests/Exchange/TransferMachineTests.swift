import CHTTPTransportCurl
import HTTPCore
import Testing
@testable import HTTPTransportCurl
import PortableFoundation
import PortableLibc

@Suite struct TransferMachineTests {
    private static func machine(
        hasContent: Bool = false, asksFirst: Bool = false, written: Bool = true
    ) -> TransferMachine {
        var machine = TransferMachine(hasContent: hasContent, asksFirst: asksFirst)
        machine.admit()
        if written {
            _ = machine.write(send(connections: 1, bytes: 0, isIdempotent: !hasContent))
        }
        return machine
    }

    private static func early(_ code: Int, closes: Bool = false) throws -> EarlyResponse {
        EarlyResponse(
            status: try #require(HTTPStatus(code: code)), version: .http1_1,
            headers: closes ? [.connection: "close"] : [:], isFramed: true)
    }

    private static func send(
        connections: Int, bytes: Int, isIdempotent: Bool
    ) -> Resends.Send {
        Resends.Send(
            connections: connections, bytes: bytes, isIdempotent: isIdempotent, seesStreams: true)
    }

    // MARK: Stages

    @Test func `each event moves the exchange on, and the phase of an error follows`() {
        var machine = TransferMachine(hasContent: true, asksFirst: false)
        #expect(machine.phase == .queued)
        machine.admit()
        #expect(machine.phase == .connecting)
        let writing = machine.write(
            Self.send(connections: 1, bytes: 0, isIdempotent: false))
        #expect(writing == .first)
        #expect(machine.phase == .sending)
        let isFirst = machine.take()
        #expect(isFirst)
        #expect(machine.phase == .waiting)
        machine.receive()
        #expect(machine.hasReceived)
        #expect(machine.phase == .waiting)
        let action = machine.receive(head: .ok, mayBeHTTP1: true)
        #expect(action == .none)
        #expect(machine.phase == .receiving)
        machine.end(.complete(trailers: nil))
        #expect(machine.isOver)
    }

    @Test func `the last byte is taken once and reported as written once, even if sent again`() {
        var machine = Self.machine(hasContent: true)
        #expect(!machine.awaitsWritten)
        let isFirst = machine.take()
        #expect(isFirst)
        let isFirst2 = machine.take()
        #expect(!isFirst2)
        #expect(machine.awaitsWritten)
        machine.reportWritten()
        #expect(!machine.awaitsWritten)
        machine.restart(.refused, taken: 100)
        let isFirst3 = machine.take()
        #expect(isFirst3)
        #expect(!machine.awaitsWritten)
    }

    @Test func `the first error counts`() {
        var machine = Self.machine()
        machine.fail(with: .addressBlocked)
        machine.fail(with: .bodyTooLarge(limit: 1))
        #expect(machine.failure?.code == .addressBlocked)
    }

    // MARK: Sending again

    @Test func `libcurl may write again over another connection what is idempotent`() {
        var machine = Self.machine()
        let writing = machine.write(
            Self.send(connections: 1, bytes: 100, isIdempotent: true))
        #expect(writing == .again)
        #expect(!machine.sends.isVetoed)
        #expect(machine.sends.repeatCount == 1)
    }

    @Test func `what is not idempotent is not written again over a kept connection`() {
        var machine = TransferMachine(hasContent: true, asksFirst: false)
        machine.admit()
        _ = machine.write(
            Self.send(connections: 0, bytes: 0, isIdempotent: false))
        let writing = machine.write(
            Self.send(connections: 1, bytes: 100, isIdempotent: false))
        #expect(writing == .refused)
        #expect(machine.sends.isVetoed)
        #expect(machine.sends.repeatCount == 0)
        #expect(!machine.isRefused)
    }

    @Test func `an exchange whose last send was refused is refused until something comes`() {
        var machine = Self.machine()
        machine.refuse()
        #expect(machine.isRefused)
        #expect(!machine.mayHaveReachedServer)
        machine.receive()
        #expect(!machine.isRefused)
        #expect(machine.mayHaveReachedServer)
    }

    @Test func `a stale connection is a reason to start again, once`() {
        var machine = Self.machine(written: false)
        machine.foundStale()
        let reason = machine.freshStart(after: CHTTP_E_ABORTED_BY_CALLBACK, socketError: 0)
        #expect(reason == .staleConnection)
        machine.restart(.staleConnection, taken: 0)
        #expect(machine.stage == .connecting)
        machine.foundStale()
        let reason2 = machine.freshStart(after: CHTTP_E_ABORTED_BY_CALLBACK, socketError: 0)
        #expect(reason2 == nil)
    }

    @Test func `interim responses that come too early are a reason to start again, twenty times`() {
        var machine = Self.machine(written: false)
        for _ in 0..<20 {
            machine.foundEarlyInterim()
            let reason = machine.freshStart(after: CHTTP_E_PROXY, socketError: 0)
            #expect(reason == .earlyInterim)
            machine.restart(.earlyInterim, taken: 0)
        }
        machine.foundEarlyInterim()
        let last = machine.freshStart(after: CHTTP_E_PROXY, socketError: 0)
        #expect(last == nil)
        // The other reasons are left.
        machine.foundStale()
        let stale = machine.freshStart(after: CHTTP_E_PROXY, socketError: 0)
        #expect(stale == .staleConnection)
    }

    @Test func `a lack of descriptors is a reason only before the request was written`() {
        var machine = Self.machine(written: false)
        let reason = machine.freshStart(after: CHTTP_E_COULDNT_CONNECT, socketError: EMFILE)
        #expect(reason == .noDescriptors)
        var written = Self.machine()
        let reason2 = written.freshStart(after: CHTTP_E_COULDNT_CONNECT, socketError: EMFILE)
        #expect(reason2 == nil)
        var refused = Self.machine(written: false)
        let reason3 = refused.freshStart(
            after: CHTTP_E_COULDNT_CONNECT, socketError: ECONNREFUSED)
        #expect(reason3 == nil)
    }

    @Test func `an exchange does not start again after success or its own error`() {
        var complete = Self.machine()
        complete.foundStale()
        let reason = complete.freshStart(after: CHTTP_E_OK, socketError: 0)
        #expect(reason == nil)
        var failed = Self.machine()
        failed.foundStale()
        failed.fail(with: .addressBlocked)
        let reason2 = failed.freshStart(after: CHTTP_E_ABORTED_BY_CALLBACK, socketError: 0)
        #expect(reason2 == nil)
    }

    @Test func `what was refused waits again, as often as that happens, if it can be sent again`() {
        var bytes = Self.machine(hasContent: true)
        for refusals in 1...10 {
            let waitsAgain = bytes.startsAgain(after: .refused)
            #expect(waitsAgain && bytes.starts?.refusals == refusals)
        }
        var unread = Self.machine(hasContent: true)
        let waitsAgain = unread.startsAgain(after: .refused)
        #expect(waitsAgain)
        var produced = Self.machine(hasContent: true)
        _ = produced.produce()
        let waitsAgain2 = produced.startsAgain(after: .refused)
        #expect(!waitsAgain2)
    }

    @Test
    func `a refusal ends in another turn, whether libcurl repeats the request or gives it up`() {
        var repeated = Self.machine()
        repeated.refuse()
        let waits = repeated.waitsAfterRefusal()
        #expect(waits)
        let reason = repeated.freshStart(
            after: CHTTP_E_ABORTED_BY_CALLBACK, socketError: 0)
        #expect(reason == .refused)
        repeated.restart(.refused, taken: 100)
        #expect(repeated.stage == .queued && !repeated.mayHaveReachedServer)
        var givenUp = Self.machine()
        givenUp.refuse()
        let reason2 = givenUp.freshStart(after: CHTTP_E_RECV_ERROR, socketError: 0)
        #expect(reason2 == .refused)
        var produced = Self.machine(hasContent: true)
        _ = produced.produce()
        produced.refuse()
        let waits2 = produced.waitsAfterRefusal()
        let reason3 = produced.freshStart(
            after: CHTTP_E_ABORTED_BY_CALLBACK, socketError: 0)
        #expect(waits2 && reason3 == nil && !produced.mayHaveReachedServer)
    }

    @Test func `a send whose fate is unknown counts for the whole exchange`() {
        var machine = Self.machine()
        let writing = machine.write(Self.send(connections: 1, bytes: 100, isIdempotent: true))
        #expect(writing == .again)
        machine.refuse()
        #expect(machine.isRefused && machine.mayHaveReachedServer)
        machine.restart(.refused, taken: 200)
        #expect(machine.mayHaveReachedServer)
    }

    // MARK: Asking first

    @Test func `a 417 sends the request again without the question, once`() {
        var machine = Self.machine(hasContent: true, asksFirst: true)
        machine.receive()
        let action = machine.receive(head: .expectationFailed, mayBeHTTP1: true)
        #expect(action == .startAgain)
        let reason = machine.freshStart(after: CHTTP_E_WRITE_ERROR, socketError: 0)
        #expect(reason == .expectationRefused)
        machine.restart(.expectationRefused, taken: 0)
        #expect(machine.expectation == .none)
        #expect(!machine.hasHead && !machine.hasReceived && machine.status == nil)
        let second = machine.receive(head: .expectationFailed, mayBeHTTP1: true)
        #expect(second == .none)
    }

    @Test(arguments: [true, false])
    func `a 417 after a 100, or to a body that cannot be sent again, is the response`(
        isAccepted: Bool
    ) throws {
        var machine = Self.machine(hasContent: true, asksFirst: true)
        if isAccepted {
            machine.receive(interim: try #require(HTTPStatus(code: 100)))
        } else {
            _ = machine.produce()
        }
        let action = machine.receive(head: .expectationFailed, mayBeHTTP1: true)
        #expect(action == .closeAfterwards)
        #expect(machine.isFinalRefusal)
        // libcurl wants to repeat it.
        let isKept = machine.keepsRefusal()
        #expect(isKept)
        #expect(machine.expectation == .refused)
        machine.end(.complete(trailers: nil))
        #expect(!machine.leavesHandleClean)
    }

    @Test func `a response to the question ends the connection unless the body was sent`() {
        var unsent = Self.machine(hasContent: true, asksFirst: true)
        let first = unsent.receive(head: .ok, mayBeHTTP1: true)
        #expect(first == .closeAfterwards)
        var sent = Self.machine(hasContent: true, asksFirst: true)
        _ = sent.take()
        let second = sent.receive(head: .ok, mayBeHTTP1: true)
        #expect(second == .none)
        var http2 = Self.machine(hasContent: true, asksFirst: true)
        let third = http2.receive(head: .ok, mayBeHTTP1: false)
        #expect(third == .none)
    }

    // MARK: Early responses

    @Test func `an early refusal cuts the body, and stops libcurl if the connection closes`() throws
    {
        var kept = Self.machine(hasContent: true)
        let action = try kept.receive(early: Self.early(400))
        #expect(action == .cut)
        #expect(kept.isContentCut)
        let isFirst2 = kept.take()
        #expect(!isFirst2)
        var closing = Self.machine(hasContent: true)
        let action3 = try closing.receive(early: Self.early(200, closes: true))
        #expect(action3 == .cutNow)
        var late = Self.machine(hasContent: true)
        _ = late.take()
        let action4 = try late.receive(early: Self.early(400))
        #expect(action4 == .none)
    }

    @Test func `a response that ends early leaves the body to be sent, then the exchange ends`()
        throws
    {
        var machine = Self.machine(hasContent: true)
        _ = machine.receive(head: .ok, mayBeHTTP1: true)
        let action = try machine.receive(early: Self.early(200))
        #expect(action == .none)
        let goesOn2 = machine.endResponse(.complete(trailers: nil))
        #expect(goesOn2)
        #expect(machine.hasResponseEnded && !machine.isOver && machine.phase == .sending)
        let goesOn3 = machine.endResponse(.complete(trailers: nil))
        #expect(!goesOn3)
        // The reader has everything.
        let abandonment4 = machine.abandon(left: 0)
        #expect(abandonment4 == .nothing)
        machine.end(.complete(trailers: nil))
        #expect(machine.isOver)
    }

    @Test func `a response that refuses the body ends the exchange`() throws {
        var machine = Self.machine(hasContent: true)
        _ = machine.receive(head: .badRequest, mayBeHTTP1: true)
        _ = machine.receive(early: try Self.early(400))
        let goesOn = machine.endResponse(.complete(trailers: nil))
        #expect(!goesOn)
    }

    // MARK: A reader that has gone

    @Test(
        arguments: [
            (0, 200, .drain), (1 << 20, 200, .drain), (1 << 20 + 1, 200, .finish),
            (nil, 200, .finish), (64 << 10, 302, .drain), (64 << 10 + 1, 302, .finish),
        ] as [(Int64?, Int, TransferMachine.Abandonment)])
    func `a short rest is read to keep the connection, a long one is not`(
        left: Int64?, code: Int, action: TransferMachine.Abandonment
    ) {
        var machine = Self.machine()
        _ = machine.receive(
            head: HTTPStatus(code: code), mayBeHTTP1: true)
        let abandonment = machine.abandon(left: left)
        #expect(abandonment == action)
        #expect(machine.isDraining == (action == .drain))
        #expect(machine.reader != .attached)
    }

    @Test func `a reader that goes while the body is sent ends the exchange, unless it is wanted`()
        throws
    {
        var unwanted = Self.machine(hasContent: true)
        _ = unwanted.receive(head: .ok, mayBeHTTP1: true)
        let abandonment = unwanted.abandon(left: 0)
        #expect(abandonment == .finish)
        var wanted = Self.machine(hasContent: true)
        _ = wanted.receive(head: .ok, mayBeHTTP1: true)
        _ = wanted.receive(early: try Self.early(200))
        let abandonment2 = wanted.abandon(left: 0)
        #expect(abandonment2 == .drain)
        var queued = TransferMachine(hasContent: false, asksFirst: false)
        let abandonment3 = queued.abandon(left: 0)
        #expect(abandonment3 == .finish)
    }

    // MARK: The end

    @Test func `a sink that fails after the end of the response ends the exchange with its error`()
    {
        var over = Self.machine()
        over.end(.complete(trailers: nil))
        over.endAgain(with: .addressBlocked)
        guard case .failed = over.end else {
            Issue.record("the end is not an error")
            return
        }
        var running = Self.machine()
        running.endAgain(with: .addressBlocked)
        #expect(running.end == nil && !running.isOver)
    }

    @Test func `only a transfer that ran once and to its end leaves its handle clean`() {
        var clean = Self.machine()
        #expect(!clean.leavesHandleClean)
        clean.end(.complete(trailers: nil))
        #expect(clean.leavesHandleClean)

        var failed = Self.machine()
        failed.end(.failed(HTTPError.addressBlocked))
        #expect(!failed.leavesHandleClean)

        var resent = Self.machine()
        _ = resent.write(Self.send(connections: 1, bytes: 100, isIdempotent: true))
        resent.end(.complete(trailers: nil))
        #expect(!resent.leavesHandleClean)

        var unsent = Self.machine(hasContent: true)
        unsent.end(.complete(trailers: nil))
        #expect(!unsent.leavesHandleClean)

        var restarted = Self.machine(written: false)
        restarted.foundStale()
        _ = restarted.freshStart(after: CHTTP_E_ABORTED_BY_CALLBACK, socketError: 0)
        restarted.restart(.staleConnection, taken: 0)
        _ = restarted.write(Self.send(connections: 1, bytes: 0, isIdempotent: true))
        restarted.end(.complete(trailers: nil))
        #expect(!restarted.leavesHandleClean)
    }
}
