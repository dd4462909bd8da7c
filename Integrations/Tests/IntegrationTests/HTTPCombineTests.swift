import HTTPClientKit
import HTTPCombine
import HTTPTesting
import Synchronization
import Testing

#if canImport(Combine)
    import Combine
#else
    import OpenCombine
#endif

/// A subscriber that demands by hand. Unchecked: the values are under the lock.
private final class Reader<Input: Sendable>: Subscriber, @unchecked Sendable {
    typealias Failure = any Error
    private struct State: @unchecked Sendable {
        var values: [Input] = []
        var completion: Subscribers.Completion<any Error>?
        var subscription: (any Subscription)?
    }

    private let state = Mutex(State())
    private let first: Subscribers.Demand

    init(demanding first: Subscribers.Demand = .none) { self.first = first }

    var values: [Input] { state.withLock { $0.values } }
    var isFinished: Bool {
        if case .finished = state.withLock({ $0.completion }) { true } else { false }
    }
    var error: (any Error)? {
        if case .failure(let error) = state.withLock({ $0.completion }) { error } else { nil }
    }

    func receive(subscription: any Subscription) {
        state.withLock { $0.subscription = subscription }
        if first > .none { subscription.request(first) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        state.withLock { $0.values.append(input) }
        return .none
    }

    func receive(completion: Subscribers.Completion<any Error>) {
        state.withLock { $0.completion = completion }
    }

    func request(_ count: Int) { state.withLock { $0.subscription }?.request(.max(count)) }
    func cancel() { state.withLock { $0.subscription.take() }?.cancel() }

    func wait(_ isThere: (Reader) -> Bool) async throws {
        while !isThere(self) { try await Task.sleep(for: .milliseconds(1)) }
    }
}

@Suite(.timeLimit(.minutes(5))) struct HTTPCombineTests {
    @Test func `nothing is sent before there is demand`() async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        let reader = Reader<String>()
        HTTPPublisher { try await HTTPClient.shared.get(server.url("/")).text() }
            .subscribe(reader)
        await #expect(throws: LoopbackError.timedOut) {
            try await server.waitUntil(within: .milliseconds(50)) { $0.requestCount > 0 }
        }
        reader.request(1)
        try await reader.wait { $0.isFinished }
        #expect(reader.values == ["fine"])
        reader.request(5)
        #expect(server.log.count == 1)
    }

    @Test func `a failure is the completion, and operators compose`() async throws {
        let server = try LoopbackServer { _ in .status(503) }
        let reader = Reader<Int>(demanding: .unlimited)
        HTTPPublisher { try await HTTPClient.shared.get(server.url("/")).text() }
            .retry(2).map(\.count).subscribe(reader)
        try await reader.wait { $0.error != nil }
        #expect((reader.error as? HTTPError)?.code == .unexpectedStatus)
        #expect(reader.values.isEmpty && !reader.isFinished)
        #expect(server.log.count == 3)
    }

    @Test func `cancelling cancels the call, once or twice`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { _ in [.pause(until: gate), .respond(.ok())] })
        let reader = Reader<String>(demanding: .unlimited)
        let ended = Mutex(false)
        HTTPPublisher {
            defer { ended.withLock { $0 = true } }
            return try await HTTPClient.shared.get(server.url("/")).text()
        }.subscribe(reader)
        try await gate.reached()
        reader.cancel()
        reader.cancel()
        while !ended.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
        #expect(reader.values.isEmpty && reader.error == nil && !reader.isFinished)
        gate.open()
    }

    @Test func `a sequence delivers as much as is demanded`() async throws {
        let server = try LoopbackServer { _ in .ok("1\n2\n3\n4\n5\n") }
        let reader = Reader<String>()
        HTTPPublisher(HTTPClient.shared.get(server.url("/")).lines).subscribe(reader)
        reader.request(2)
        try await reader.wait { $0.values.count == 2 }
        for _ in 0..<100 { await Task.yield() }
        #expect(reader.values == ["1", "2"])
        reader.request(2)
        try await reader.wait { $0.values.count == 4 }
        #expect(!reader.isFinished)
        reader.request(10)
        try await reader.wait { $0.isFinished }
        #expect(reader.values == ["1", "2", "3", "4", "5"])
    }

    @Test func `a sequence that is cancelled while it waits delivers nothing more`() async throws {
        let server = try LoopbackServer { _ in .ok("1\n2\n") }
        let reader = Reader<String>(demanding: .max(1))
        HTTPPublisher(HTTPClient.shared.get(server.url("/")).lines).subscribe(reader)
        try await reader.wait { $0.values.count == 1 }
        reader.cancel()
        reader.request(1)
        for _ in 0..<100 { await Task.yield() }
        #expect(reader.values == ["1"] && !reader.isFinished)
    }

    @Test func `a task goes on without its subscription, and has one value for all`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { _ in [.pause(until: gate), .respond(.ok("x"))] })
        let task = HTTPTask(for: try HTTPRequest(server.url("/")))
        let readers = (0..<3).map { _ in Reader<HTTPResponse>(demanding: .unlimited) }
        for reader in readers { task.publisher.subscribe(reader) }
        try await gate.reached()
        readers[0].cancel()
        gate.open()
        for reader in readers.dropFirst() { try await reader.wait { $0.isFinished } }
        #expect(readers.map(\.values.count) == [0, 1, 1])
        #expect(try await task.value.status == .ok)
        #expect(server.log.count == 1)
    }

    @Test func `a pipeline runs for each subscription`() async throws {
        let server = try LoopbackServer { _ in .ok("x") }
        let pipeline = try HTTPClient.shared.pipeline(for: HTTPRequest(server.url("/")))
        for _ in 0..<2 {
            let reader = Reader<String>(demanding: .max(1))
            pipeline.map { String(decoding: $0.data, as: UTF8.self) }.publisher.subscribe(reader)
            try await reader.wait { $0.isFinished }
            #expect(reader.values == ["x"])
        }
        #expect(server.log.count == 2)
    }
}
