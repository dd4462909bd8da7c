import Foundation
import RedisServers
import Testing

@testable import HTTPRedis

@Suite(.timeLimit(.minutes(2)), .serialized, .enabled(if: RedisServer.isExpected))
struct RedisConnectionTests {
    private let server: RedisServer

    init() throws { server = try RedisServer(#require(RedisServer.program)) }

    private func connection(
        _ change: (inout HTTPRedisConfiguration) -> Void = { _ in }
    ) throws -> RedisConnection {
        var configuration = HTTPRedisConfiguration(unixSocket: server.socket)
        configuration.timeout = .seconds(2)
        change(&configuration)
        return try RedisConnection(configuration)
    }

    private func words(_ words: String...) -> [Data] { words.map { Data($0.utf8) } }

    /// Repeats a command until it succeeds.
    private func retry(_ connection: RedisConnection) async throws {
        while (try? await connection.send(words("PING"))) == nil {
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    // MARK: Replies

    @Test func `replies of every kind are read`() async throws {
        let connection = try connection()
        #expect(try await connection.send(words("PING")) == .bytes(Data("PONG".utf8)))
        #expect(try await connection.send(words("GET", "missing")) == .null)
        #expect(try await connection.send(words("INCR", "n")) == .integer(1))
        let bytes = Data((0...255).map { UInt8($0) })
        _ = try await connection.send(words("SET", "b") + [bytes])
        #expect(try await connection.send(words("GET", "b")).bytes == bytes)
        _ = try await connection.send(words("SET", "empty") + [Data()])
        #expect(try await connection.send(words("GET", "empty")).bytes == Data())
        #expect(
            try await connection.send(words("MGET", "n", "missing"))
                == .array([.bytes(Data("1".utf8)), .null]))
    }

    @Test func `an error of the server is thrown, and the connection goes on`() async throws {
        let connection = try connection()
        let error = await #expect(throws: HTTPRedisError.self) {
            try await connection.send(words("NONSENSE"))
        }
        guard case .refused(let text)? = error else { throw CancellationError() }
        #expect(text.hasPrefix("ERR"))
        _ = try await connection.send(words("PING"))
    }

    @Test func `commands of many tasks are answered in order`() async throws {
        let connection = try connection { $0.timeout = .seconds(20) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<50 {
                group.addTask {
                    for round in 0..<40 {
                        let text = "\(task)-\(round)-" + String(repeating: "x", count: round * 50)
                        let reply = try await connection.send(words("ECHO", text))
                        #expect(reply.text == text)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `a large value is written and read in many pieces`() async throws {
        let connection = try connection { $0.timeout = .seconds(20) }
        let bytes = Data(count: 8 << 20)
        _ = try await connection.send(words("SET", "large") + [bytes])
        #expect(try await connection.send(words("GET", "large")).bytes == bytes)
    }

    // MARK: Beginning

    @Test func `the password and the database are sent first`() async throws {
        let server = try RedisServer(
            #require(RedisServer.program), arguments: ["--requirepass", "secret"])
        var configuration = HTTPRedisConfiguration(unixSocket: server.socket)
        configuration.database = 3
        let refused = try RedisConnection(configuration)
        await #expect(throws: HTTPRedisError.self) { try await refused.send(words("GET", "x")) }
        configuration.password = "secret"
        let connection = try RedisConnection(configuration)
        _ = try await connection.send(words("SET", "x", "1"))
        let info = try await connection.send(words("INFO", "keyspace")).text
        #expect(info?.contains("db3:keys=1") == true)
        #expect(!"\(configuration) \(String(reflecting: configuration))".contains("secret"))
    }

    @Test func `a server is reached by its host and port`() async throws {
        let program = try #require(RedisServer.program)
        // Redis chooses no port itself, and one may be taken.
        var found: (server: RedisServer, port: Int)?
        while found == nil {
            let port = Int.random(in: 20_000...60_000)
            if let server = try? RedisServer(program, arguments: ["--port", "\(port)"]) {
                found = (server, port)
            }
        }
        let (server, port) = try #require(found)
        for host in ["127.0.0.1", "localhost"] {
            let connection = try RedisConnection(HTTPRedisConfiguration(host: host, port: port))
            try await retry(connection)
            #expect(try await connection.send(words("ECHO", host)).text == host)
        }
        server.kill()
        let connection = try RedisConnection(HTTPRedisConfiguration(port: port))
        let error = await #expect(throws: HTTPRedisError.self) {
            try await connection.send(words("PING"))
        }
        guard case .notConnected? = error else { throw CancellationError() }
    }

    @Test func `a server that has lost its scripts is given them again`() async throws {
        let connection = try connection()
        func take() async throws -> Int64? {
            try await connection.run(
                .takeTokens, keys: [Data("k".utf8)], words("1000", "5", "1", "1", "0")
            ).array?.first?.integer
        }
        #expect(try await take() == 1)
        _ = try await connection.send(words("SCRIPT", "FLUSH"))
        #expect(try await take() == 1)
        #expect(try await take() == 1)
    }

    // MARK: A server that fails

    @Test func `without a server, a command fails in time`() async throws {
        let connection = try connection {
            $0.address = .unix(path: "/nonexistent/socket")
            $0.timeout = .milliseconds(100)
        }
        let start = ContinuousClock.now
        for _ in 0..<3 {
            await #expect(throws: HTTPRedisError.self) {
                try await connection.send(words("PING"))
            }
        }
        #expect(ContinuousClock.now - start < .seconds(5))
    }

    @Test func `a server that is killed fails what was sent, and is found again`() async throws {
        let connection = try connection()
        try await retry(connection)
        server.kill()
        await #expect(throws: HTTPRedisError.self) { try await connection.send(words("PING")) }
        try server.start()
        try await retry(connection)
    }

    @Test func `a server that hangs fails in time, and is used again when it goes on`() async throws
    {
        let connection = try connection { $0.timeout = .milliseconds(100) }
        try await retry(connection)
        server.stop(true)
        let start = ContinuousClock.now
        for _ in 0..<5 {
            let error = await #expect(throws: HTTPRedisError.self) {
                try await connection.send(words("PING"))
            }
            #expect(error == .timedOut)
        }
        #expect(ContinuousClock.now - start < .seconds(5))
        server.stop(false)
        try await retry(connection)
        // Late replies belong to no other command.
        #expect(try await connection.send(words("ECHO", "mine")).text == "mine")
    }

    @Test func `a connection that stays silent is made again`() async throws {
        let connection = try connection { $0.timeout = .milliseconds(100) }
        try await retry(connection)
        server.stop(true)
        let end = ContinuousClock.now + .seconds(3)
        while ContinuousClock.now < end { _ = try? await connection.send(words("PING")) }
        server.stop(false)
        try await retry(connection)
    }

    @Test func `too many commands are refused at once`() async throws {
        server.stop(true)
        let connection = try connection {
            $0.pendingLimit = 2
            $0.timeout = .milliseconds(300)
        }
        let errors = await withTaskGroup(of: HTTPRedisError?.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    do throws(HTTPRedisError) {
                        _ = try await connection.send(words("PING"))
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            // The first to end is the one that was refused; the others end with their time.
            return await group.reduce(into: [HTTPRedisError?]()) { $0.append($1) }
        }
        #expect(errors == [.overloaded, .timedOut, .timedOut])
        server.stop(false)
        try await retry(connection)
    }

    // MARK: Ending

    @Test func `closing fails what waits and what comes`() async throws {
        server.stop(true)
        let connection = try connection { $0.timeout = .seconds(60) }
        let waiting = Task { try await connection.send(words("PING")) }
        try await Task.sleep(for: .milliseconds(50))
        connection.close()
        await #expect(throws: HTTPRedisError.closed) { try await waiting.value }
        await #expect(throws: HTTPRedisError.closed) { try await connection.send(words("PING")) }
        server.stop(false)
    }

    @Test func `a connection that is released leaves no descriptor`() async throws {
        func descriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }
        let before = try descriptors()
        for _ in 0..<20 {
            let connection = try connection()
            _ = try await connection.send(words("PING"))
        }
        let end = ContinuousClock.now + .seconds(10)
        while try descriptors() > before, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(try descriptors() <= before)
    }
}
