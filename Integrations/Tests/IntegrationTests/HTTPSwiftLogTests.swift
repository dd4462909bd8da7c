import HTTPClientKit
import HTTPSwiftLog
import HTTPTesting
import InMemoryLogging
import Logging
import Testing

@Suite(.timeLimit(.minutes(5))) struct HTTPSwiftLogTests {
    private let handler = InMemoryLogHandler()

    private func logger(_ level: Logger.Level) -> Logger {
        var logger = Logger(label: "test") { [handler] _ in handler }
        logger.logLevel = level
        logger[metadataKey: "service"] = "tests"
        return logger
    }

    @Test func `an exchange is three records with metadata and without secrets`() async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        let client = HTTPClient { $0.logging = HTTPLogging(.headers, logger: logger(.debug)) }
        let response = try await client.get(server.url("/a?token=Hidden"))
            .header(.authorization, "Bearer Hidden").header("X-A", "1").response()
        #expect(try await response.text() == "fine")
        let entries = handler.entries
        #expect(entries.map(\.message) == ["HTTP request", "HTTP response", "HTTP ended"])
        #expect(entries.allSatisfy { $0.level == .debug })
        let request = try #require(entries.first?.metadata)
        #expect(request["url"] == "http://127.0.0.1:\(server.port)/a?…")
        #expect(request["header.authorization"] == "<redacted>")
        #expect(request["header.x-a"] == "1")
        #expect(request["service"] == "tests")
        let ended = try #require(entries.last?.metadata)
        #expect(ended["status"] == "200" && ended["body_bytes"] == "4")
        #expect(ended["body_end"] == "complete")
        #expect(!"\(entries)".contains("Hidden"))
        #expect(entries.allSatisfy { $0.metadata["call"] == entries[0].metadata["call"] })
    }

    @Test func `a failure is a warning, a status is not`() async throws {
        let server = try LoopbackServer(script: { request in
            request.target == "/cut" ? [.close] : [.respond(.status(404))]
        })
        let client = HTTPClient { $0.logging = HTTPLogging(logger: logger(.debug)) }
        _ = try? await client.get(server.url("/none")).response()
        #expect(handler.entries.allSatisfy { $0.level == .debug })
        _ = try? await client.post(server.url("/cut"), .text("x")).response()
        let failed = try #require(handler.entries.last)
        #expect(failed.level == .warning && failed.message == "HTTP failed")
        #expect(failed.metadata["error_type"] == "connectionLost")
    }

    @Test func `a logger of another level gets nothing`() async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        let client = HTTPClient { $0.logging = HTTPLogging(logger: logger(.error)) }
        _ = try await client.get(server.url("/")).text()
        #expect(handler.entries.isEmpty)
    }

    @Test func `repeated fields are an array`() async throws {
        let server = try LoopbackServer(script: { _ in
            [.send("HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a: 2\r\nContent-Length: 0\r\n\r\n")]
        })
        let client = HTTPClient { $0.logging = HTTPLogging(.headers, logger: logger(.debug)) }
        try await client.get(server.url("/")).response()
        let metadata = try #require(handler.entries.dropFirst().first?.metadata)
        #expect(metadata["header.x-a"] == .array(["1", "2"]))
    }
}
