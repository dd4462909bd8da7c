import HTTPTesting
import TestSupport
import Testing
@testable import HTTPClientKit
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPTaskProgressTests {
    private let request: HTTPRequest

    init() throws { request = try HTTPRequest(.get, "https://h/") }

    /// Responds with three pieces of 100 bytes, each sent when its gate opens.
    private func downloading(
        _ gates: [Gate], length: Int64? = 300
    ) -> MockSession {
        MockSession { request in
            let pieces = gates.map { ($0 as Gate?, Data(repeating: 1, count: 100)) }
            return HTTPResponse(
                .ok, body: HTTPBody(source: HeldBody(pieces), length: length), to: request)
        }
    }

    @Test(.rows("S1-32", "S1-33", "S1-41"))
    func `a download's progress goes up to 1 and ends before the result`() async throws {
        let gates = [Gate(), Gate(), Gate()]
        let told = Record<String>()
        let task = request.run(Data.self, in: downloading(gates))
            .onResult { _ in told.add("result") }
            .onProgress { told.add("\($0.bytes) of \($0.length ?? -1)") }
        for (index, gate) in gates.enumerated() {
            gate.open()
            try await told.wait(for: index + 1)
        }
        #expect(try await task.value.count == 300)
        try await told.wait(for: 4)
        #expect(told.entries == ["100 of 300", "200 of 300", "300 of 300", "result"])
        #expect(task.currentProgress?.fraction == 1)
    }

    @Test(.rows("S1-41"), arguments: ClientWire.allCases)
    func `over a transport a body that is read into memory reports its bytes`(wire: ClientWire)
        async throws
    {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { _ in
            [
                .send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf"), .pause(until: gate),
                .send("done"),
            ]
        })
        let request = HTTPRequest(.get, try #require(URL(string: server.url("/"))))
        let told = Record<HTTPTransferProgress>()
        let task = request.run(String.self, in: try wire.transport()).onProgress { told.add($0) }
        try await told.wait(for: 1)
        #expect(told.entries.allSatisfy { $0.bytes <= 4 && $0.length == 8 })
        gate.open()
        #expect(try await task.value == "halfdone")
        try await told.wait { $0.last?.fraction == 1 }
        #expect(told.entries.last == HTTPTransferProgress(.download, bytes: 8, length: 8))
    }

    @Test(.rows("S1-41"))
    func `an unknown length has no fraction until the end`() async throws {
        let gates = [Gate(), Gate(), Gate()]
        let fractions = Record<Double?>()
        let task = request.run(Data.self, in: downloading(gates, length: nil))
            .onProgress { fractions.add($0.fraction) }
        gates[0].open()
        try await fractions.wait(for: 1)
        #expect(fractions.entries == [nil])
        gates[1].open()
        try await fractions.wait(for: 2)
        gates[2].open()
        _ = try await task.value
        #expect(task.currentProgress == HTTPTransferProgress(.download, bytes: 300, length: 300))
    }

    @Test(.rows("S1-34"))
    func `any number of readers follow the progress, each to its end`() async throws {
        let gates = [Gate(), Gate(), Gate()]
        let task = HTTPTask(Data.self, for: request, in: downloading(gates))
        let seen = Record<Int64>()
        let readers = (0..<4).map { _ in
            Task {
                var last: HTTPTransferProgress?
                for await progress in task.progress {
                    #expect(progress.bytes > last?.bytes ?? 0)
                    last = progress
                    seen.add(progress.bytes)
                }
                return last
            }
        }
        task.run()
        gates[0].open()
        try await seen.wait(for: 4)
        #expect(seen.entries == [100, 100, 100, 100])
        gates[1].open()
        gates[2].open()
        for reader in readers { #expect(await reader.value?.fraction == 1) }
        // A late reader sees the newest progress and the end.
        var late: [HTTPTransferProgress] = []
        for await progress in task.progress { late.append(progress) }
        #expect(late == [HTTPTransferProgress(.download, bytes: 300, length: 300)])
    }

    @Test(.rows("S1-34"))
    func `progress ends with a task that is cancelled, and for a reader that is`()
        async throws
    {
        let gates = [Gate(), Gate()]
        let task = request.run(Data.self, in: downloading(gates))
        let seen = Record<Int64>()
        let reader = Task {
            for await progress in task.progress { seen.add(progress.bytes) }
        }
        let other = Task {
            for await progress in task.progress { seen.add(progress.bytes) }
        }
        gates[0].open()
        try await seen.wait(for: 2)
        other.cancel()
        await other.value
        #expect(task.state == .executing)
        task.cancel()
        await reader.value
        #expect(seen.entries == [100, 100])
    }

    @Test(.rows("S1-40", "S1-41"))
    func `an upload that is long enough to watch reports its bytes`() async throws {
        let body = Data(repeating: 7, count: 200 << 10)
        let session = MockSession { request in
            let received = try await request.body.collect()
            #expect(received == body)
            return HTTPResponse(.noContent, to: request)
        }
        // Not run yet: a reader that begins at the end sees only the end.
        let task = HTTPTask(for: request.method(.post).data(body), in: session)
        let kinds = Record<HTTPTransferProgress>()
        task.onProgress { kinds.add($0) }
        _ = try await task.value
        task.onResult { _ in kinds.add(HTTPTransferProgress(.download, bytes: -1, length: nil)) }
        try await kinds.wait { $0.last?.bytes == -1 }
        let uploads = kinds.entries.filter { $0.kind == .upload }
        #expect(uploads.last?.fraction == 1)
        #expect(uploads.last?.length == 200 << 10)
    }

    @Test(.rows("S1-41"))
    func `a short body stays in memory for layers to see, and is reported when it is sent`()
        async throws
    {
        let session = MockSession { request in
            #expect(request.body.bytes == Data("hello".utf8))
            return HTTPResponse(.noContent, to: request)
        }
        let task = HTTPTask(for: request.method(.post).text("hello"), in: session)
        let progress = Record<HTTPTransferProgress>()
        task.onProgress { progress.add($0) }
        _ = try await task.value
        try await progress.wait(for: 2)
        #expect(
            progress.entries == [
                HTTPTransferProgress(.upload, bytes: 5, length: 5),
                HTTPTransferProgress(.download, bytes: 0, length: 0),
            ])
    }

    @Test(.rows("S1-41"))
    func `an attempt that is sent again does not set the progress back`() async throws {
        let count = Locked(0)
        let session = MockSession { request in
            let attempt = count.withLock { count in
                count += 1
                return count
            }
            let first = [(nil as Gate?, Data(count: 50)), (nil, Data(count: 30))]
            let source = attempt == 1 ? HeldBody(first) : HeldBody([(nil, Data(count: 100))])
            // The first body ends before its declared length.
            return HTTPResponse(
                .ok, body: HTTPBody(source: source, length: 100), to: request)
        }
        let seen = Record<Int64>()
        let policy = RetryPolicy(
            methods: [.get], statuses: [], errorCodes: [.bodyIncomplete], maxRetries: 1,
            backoff: .constant(.zero))
        let task = HTTPTask(
            Data.self, for: request,
            in: MockSession { try await session.response(for: $0).checkedLength() }
                .with(Retry(policy)))
        task.onProgress { seen.add($0.bytes) }
        #expect(try await task.value.count == 100)
        task.onResult { _ in seen.add(-1) }
        try await seen.wait { $0.last == -1 }
        let steps = seen.entries.dropLast()
        #expect(Array(steps) == steps.sorted())
        #expect(steps.last == 100)
        #expect(count.withLock { $0 } == 2)
    }
}

extension HTTPResponse {
    /// Reads the body as a transport would.
    fileprivate func checkedLength() throws -> HTTPResponse {
        guard body.bytes?.count == 100 else {
            throw HTTPError(.bodyIncomplete, "too short", mayHaveReachedServer: true)
        }
        return self
    }
}
