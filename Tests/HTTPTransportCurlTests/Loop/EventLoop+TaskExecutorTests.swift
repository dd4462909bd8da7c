import HTTPCore
import HTTPFormats
import HTTPTesting
import Testing
@testable import HTTPTransportCurl
import PortableFoundation
@Suite(.timeLimit(.minutes(5))) struct EventLoopTaskExecutorTests {
    /// The name of the thread that runs this.
    private static func thread() -> String {
        let name = FileManager.default.contents(atPath: "/proc/thread-self/comm") ?? Data()
        return String(decoding: name, as: UTF8.self).filter { $0 != "\n" }
    }

    private static func origin(_ server: LoopbackServer) throws -> HTTPOrigin {
        try HTTPRequest(.get, server.url).checkedTarget().origin
    }

    #if os(Linux)
        @Test func `a task that prefers the loop stays on its thread`() async throws {
            let server = try LoopbackServer { .ok($0.target) }
            let session = CurlTransport()
            let executor = try session.taskExecutor(for: Self.origin(server))
            let threads = try await Task(executorPreference: executor) {
                var threads = [Self.thread()]
                for number in 0..<20 {
                    let response = try await session.response(for: server.url("/\(number)"))
                    threads.append(Self.thread())
                    #expect(try await response.text() == "/\(number)")
                }
                return threads
            }.value
            #expect(Set(threads) == ["http-curl"])
            #expect(Self.thread() != "http-curl")
        }
    #endif

    @Test func `many tasks on the loop all come to an end`() async throws {
        let server = try LoopbackServer { .ok($0.target) }
        let session = CurlTransport()
        let executor = try session.taskExecutor(for: Self.origin(server))
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<500 {
                group.addTask(executorPreference: executor) {
                    let text = try await session.response(for: server.url("/\(number)")).text()
                    return Int(text.dropFirst()) ?? 0
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(sum == 500 * 499 / 2)
    }

    @Test func `tasks that never wait do not starve the sockets`() async throws {
        let server = try LoopbackServer { _ in .ok("still here") }
        let session = CurlTransport()
        let executor = try session.taskExecutor(for: Self.origin(server))
        let isDone = Gate()
        let spinners = (0..<4).map { _ in
            Task(executorPreference: executor) {
                while !isDone.isOpen { await Task.yield() }
            }
        }
        #expect(try await session.response(for: server.url).text() == "still here")
        isDone.open()
        for spinner in spinners { await spinner.value }
    }

    @Test func `a task outlives the transport whose loop it prefers`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        var session: CurlTransport? = CurlTransport()
        let executor = try #require(try session?.taskExecutor(for: Self.origin(server)))
        let gate = Gate()
        let task = Task(executorPreference: executor) {
            await gate.waitIgnoringCancellation()
            return 42
        }
        await session?.close()
        session = nil
        gate.open()
        #expect(await task.value == 42)
        #expect(await Task(executorPreference: executor) { 43 }.value == 43)
    }

    @Test func `a closed transport has no loop to offer`() async throws {
        let session = CurlTransport()
        await session.close()
        let origin = try HTTPRequest(.get, "http://a.test/").checkedTarget().origin
        let error = #expect(throws: HTTPError.self) { try session.taskExecutor(for: origin) }
        #expect(error?.code == .sessionClosed)
    }

    // MARK: Several loops

    @Test func `origins are shared among the loops, and each keeps its own`() async throws {
        let servers = try (0..<8).map { number in try LoopbackServer { _ in .ok("\(number)") } }
        var configuration = CurlConfiguration()
        configuration.eventLoops = 4
        configuration.maximumConnectionsPerOrigin = 1
        let session = try CurlTransport(configuration)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for round in 0..<80 {
                group.addTask {
                    let text = try await session.response(for: servers[round % 8].url).text()
                    #expect(text == "\(round % 8)")
                }
            }
            try await group.waitForAll()
        }
        #expect(servers.allSatisfy { $0.connections.accepted == 1 })
        let origins = try servers.map(Self.origin)
        for origin in origins {
            let executors = try (0..<2).map { _ in try session.taskExecutor(for: origin) }
            #expect(executors[0] === executors[1])
        }
        await session.close()
        for server in servers { try await server.waitUntil { $0.connections.open == 0 } }
    }

    @Test(arguments: [(0, nil), (65, nil), (4, 3)] as [(Int, Int?)])
    func `a number of loops that cannot be is refused`(loops: Int, connections: Int?) {
        var configuration = CurlConfiguration()
        configuration.eventLoops = loops
        configuration.maximumConnections = connections
        let error = #expect(throws: HTTPError.self) { try CurlTransport(configuration) }
        #expect(error?.code == .invalidRequest)
    }
}
