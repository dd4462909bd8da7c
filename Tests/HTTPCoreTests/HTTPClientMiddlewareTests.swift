import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPClientMiddlewareTests {
    private struct Tracing: HTTPClientMiddleware {
        var label: String
        var log: EventLog

        func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws -> HTTPResponse {
            log.note("\(label) down")
            defer { log.note("\(label) up") }
            return try await next.response(for: request)
        }
    }

    // MARK: Around a session

    @Test(.rows("S4-17"))
    func `the first middleware is outermost`() async throws {
        let log = EventLog()
        let mock = MockSession { request in
            log.note("session")
            return HTTPResponse(.ok, to: request)
        }
        let (a, b) = (Tracing(label: "a", log: log), Tracing(label: "b", log: log))
        for session in [mock.with(a, b), mock.with([a, b]), mock.with(b).with(a)] {
            let before = log.names.count
            _ = try await session.response(for: "https://h/")
            #expect(
                log.names.dropFirst(before) == ["a down", "b down", "session", "b up", "a up"])
        }
    }

    @Test(.rows("S4-17"))
    func `no middleware is the session itself`() async throws {
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        #expect(mock.with([]) as? MockSession === mock)
    }

    @Test func `a middleware may answer without asking`() async throws {
        struct Cached: HTTPClientMiddleware {
            func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws
                -> HTTPResponse
            {
                HTTPResponse(.notModified, to: request)
            }
        }
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        #expect(try await mock.with(Cached()).response(for: "https://h/").status == .notModified)
        #expect(mock.requests.isEmpty)
    }

    // MARK: Sending twice

    /// A middleware that sends twice for one response and retains the first one meanwhile.
    private struct SendTwice: HTTPClientMiddleware {
        var discards: Bool
        var first: KeptResponse

        func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws -> HTTPResponse {
            let response = try await next.response(for: request)
            first.set(response)
            if discards { await response.discard() }
            return try await next.response(for: request)
        }
    }

    @Test func `discarding before sending again frees the one connection`() async throws {
        let transport = OneSlotTransport()
        let first = KeptResponse()
        let session = transport.with(SendTwice(discards: true, first: first))
        #expect(try await session.response(for: "https://h/").text() == "2")
        #expect(!transport.isQueued.isOpen)
        #expect(transport.freeSlots == 1)
    }

    @Test func `sending again without discarding waits for the first response`() async throws {
        let transport = OneSlotTransport()
        let first = KeptResponse()
        let session = transport.with(SendTwice(discards: false, first: first))
        let hasAnswered = Gate()
        let call = Task {
            let text = try await session.response(for: "https://h/").text()
            hasAnswered.open()
            return text
        }
        try await transport.isQueued.wait()
        // The second request is in the queue until the first body ends.
        #expect(transport.freeSlots == 0 && !hasAnswered.isOpen)
        try #require(first.value).body.abandon()
        #expect(try await call.value == "2")
    }
}

/// A holder for the response that a middleware leaves for its test.
private final class KeptResponse: Sendable {
    private let state = Locked<HTTPResponse?>(nil)
    var value: HTTPResponse? { state.withLock { $0 } }
    func set(_ response: HTTPResponse) { state.withLock { $0 = response } }
}

/// A transport with a single connection, which is free again when a body has ended.
final class OneSlotTransport: HTTPSession {
    private struct State {
        var freeSlots = 1
        var sends = 0
        var queue: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())
    /// A gate that opens when a request first has to wait.
    let isQueued = Gate()

    var freeSlots: Int { state.withLock { $0.freeSlots } }

    func response(for request: HTTPRequest) async throws -> HTTPResponse {
        await takeSlot()
        let number = state.withLock { state in
            state.sends += 1
            return state.sends
        }
        let source = ScriptedBodySource([.piece(.init("\(number)".utf8))])
        let body = HTTPBody(source: source)
        body.whenEnded { [self] _ in freeSlot() }
        return HTTPResponse(.ok, body: body, to: request)
    }

    private func takeSlot() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.freeSlots == 0 else {
                    state.freeSlots = 0
                    return true
                }
                state.queue.append(continuation)
                return false
            }
            if isFree { continuation.resume() } else { isQueued.open() }
        }
    }

    private func freeSlot() {
        let next = state.withLock { state in
            guard !state.queue.isEmpty else {
                state.freeSlots = 1
                return nil as CheckedContinuation<Void, Never>?
            }
            return state.queue.removeFirst()
        }
        next?.resume()
    }
}
