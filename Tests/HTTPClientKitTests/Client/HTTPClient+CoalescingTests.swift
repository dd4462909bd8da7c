import HTTPClientKit
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPClientCoalescingTests {
    private func until(_ condition: () -> Bool) async throws {
        while !condition() {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    @Test(.rows("S3-7"))
    func `duplicates are recognised by the message to be sent, another user's is none`()
        async throws
    {
        let gate = AsyncStream<Void>.makeStream()
        let mock = MockSession { request in
            for await _ in gate.stream { break }
            return HTTPResponse(.ok, body: HTTPBody("one"), to: request)
        }
        let clock = HTTPTestClock()
        let client = HTTPClient(transport: mock, headers: ["X-User": "a"]) {
            $0.clock = clock
        }
        let shared = client.get("https://h/").with { $0.coalescing(.useCurrentIfPossible) }
        let first = Task { try await shared.text() }
        try await until { !mock.requests.isEmpty }
        let dropped = await #expect(throws: HTTPError.self) {
            try await client.get("https://h/").with { $0.coalescing(.dropIfDuplicated) }.text()
        }
        #expect(dropped?.code == .droppedAsDuplicate)
        // Another user's request is a different request.
        client.update { $0.headers["X-User"] = "b" }
        let other = Task { try await shared.text() }
        try await until { mock.requests.count == 2 }
        gate.continuation.yield()
        gate.continuation.yield()
        gate.continuation.finish()
        #expect(try await first.value == "one")
        #expect(try await other.value == "one")
        #expect(mock.requests.map { $0.headers[values: "X-User"] } == [["a"], ["b"]])
    }

    @Test(.rows("S3-6"), arguments: [HTTPMethod.get, .head, .post, .put])
    func `a client joins the same requests unasked as the layer alone`(
        method: HTTPMethod
    ) async throws {
        for isClient in [false, true] {
            let (gate, isFirst) = (Gate(), Gate())
            let mock = MockSession { request in
                if request.headers.contains("X-Last") { return HTTPResponse(.ok, to: request) }
                isFirst.open()
                try await gate.wait()
                return HTTPResponse(.ok, to: request)
            }
            let coalescing = Coalescing()
            let session: any HTTPSession =
                isClient
                ? HTTPClient(transport: mock) { $0.coalescing = coalescing.mode }
                : mock.with(coalescing)
            let request = try HTTPRequest(method, "https://h/").delivery(.buffered(upTo: 99))
            let first = Task { try await session.response(for: request) }
            try await isFirst.wait()
            let second = Task {
                try await session.response(for: request.coalescing(.dropIfDuplicated))
            }
            if method == .get || method == .head {
                let error = await #expect(throws: HTTPError.self) { try await second.value }
                #expect(error?.code == .droppedAsDuplicate, "\(isClient)")
            } else {
                try await until { mock.requests.count == 2 }
                // That request has asked for coalescing, and so the next one that asks finds it.
                let error = await #expect(throws: HTTPError.self) {
                    try await session.response(for: request.coalescing(.dropIfDuplicated))
                }
                #expect(error?.code == .droppedAsDuplicate, "\(isClient)")
            }
            gate.open()
            _ = try await first.value
            _ = try? await second.value
            // A request that cannot be joined is refused in the same way.
            let streamed = request.delivery(.streamed).coalescing(.useCurrentIfPossible)
            let error = await #expect(throws: HTTPError.self) {
                try await session.response(for: streamed)
            }
            #expect(error?.code == .unsupportedOption, "\(isClient)")
        }
    }

    private enum Colour: HTTPRequestOption {
        static var defaultValue: String { "" }
    }

    @Test(.rows("S3-6"))
    func `each duplicate has its own original request, as the client was given it`()
        async throws
    {
        let (gate, isFirst) = (Gate(), Gate())
        let mock = MockSession { request in
            isFirst.open()
            try await gate.wait()
            return HTTPResponse(.ok, to: request)
        }
        let client = HTTPClient(transport: mock, headers: ["X-Team": "a"])
        func request(_ colour: String) throws -> HTTPRequest {
            var request = try HTTPRequest(.post, "https://h/").text("x")
                .delivery(.buffered(upTo: 99)).coalescing(.useCurrentIfPossible)
            request[Colour.self] = colour
            return request
        }
        let (red, blue) = (try request("red"), try request("blue"))
        let first = Task { try await client.response(for: red) }
        try await isFirst.wait()
        let second = Task { try await client.response(for: blue) }
        // Time to join. A request that is late is sent by itself, and has no other original request
        // either.
        for _ in 0..<100 { await Task.yield() }
        gate.open()
        for (request, task) in [(red, first), (blue, second)] {
            let original = try await task.value.originalRequest
            #expect(original.id == request.id)
            #expect(original[Colour.self] == request[Colour.self])
            #expect(original.coalescing == .useCurrentIfPossible)
            #expect(original.headers["X-Team"] == "a")
            #expect("\(original.options)".contains("Unprepared") == false)
        }
    }
}
