import Foundation
import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing

@testable import HTTPTransportURLSession

@Suite(.timeLimit(.minutes(5))) struct URLSessionTransportUploadTests {
    enum Kind: String, CaseIterable, Sendable {
        case bytes, file, restartable, oneShot, oneShotOfKnownLength
    }

    // Not inlined: the optimizer of Swift 6.3.1 crashes on its errors in an asynchronous caller.
    @inline(never)
    private func body(_ kind: Kind, count: Int, file: TemporaryFile) throws -> HTTPBody {
        let bytes = Pattern.bytes(count)
        let stream: @Sendable () -> AsyncStream<Data> = {
            AsyncStream { continuation in
                var rest = bytes
                while !rest.isEmpty {
                    continuation.yield(rest.prefix(50_000))
                    rest = rest.dropFirst(50_000)
                }
                continuation.finish()
            }
        }
        switch kind {
        case .bytes: return HTTPBody(bytes)
        case .file:
            try bytes.write(to: file.url)
            return try HTTPBody(file: file.url.path)
        case .restartable: return HTTPBody(length: nil, restarting: stream)
        case .oneShot: return HTTPBody(stream())
        case .oneShotOfKnownLength: return HTTPBody(stream(), length: Int64(count))
        }
    }

    @Test(arguments: Kind.allCases, [0, 5, 1_000_000])
    func `every kind of body arrives whole, framed by its length`(kind: Kind, count: Int)
        async throws
    {
        let server = try LoopbackServer { .echo($0) }
        let file = TemporaryFile()
        let body = try body(kind, count: count, file: file)
        let request = try HTTPRequest(.post, server.url("/"), body: body)
        let response = try await URLSessionTransport().response(for: request)
        let echo = try await response.data()
        #expect(echo.count == count)
        #expect(Pattern.matches(echo))
        let seen = try await server.nextRequest()
        #expect(seen["Content-Length"] == "\(count)")
        #expect(seen["Transfer-Encoding"] == nil)
        #expect(seen["Expect"] == nil)
        #expect(response.timeline.exchanges.first?.requestBodyBytes == Int64(count))
    }

    @Test func `64 MiB are sent from a stream`() async throws {
        var options = LoopbackOptions()
        options.contentLimit = 0
        options.loggedContentLimit = 0
        let server = try LoopbackServer(options) { _ -> LoopbackScript in
            [
                .awaitContentEnd,
                .choose { LoopbackResponse.ok("\($0.contentCount)").script(answering: $0) },
            ]
        }
        let body = HTTPBody(length: 64 << 20) { PatternSource(count: 64 << 20) }
        let request = try HTTPRequest(.put, server.url("/"), body: body)
        let response = try await URLSessionTransport().response(for: request)
        #expect(try await response.text() == "\(64 << 20)")
    }

    @Test(arguments: [3, 7])
    func `a body of another length than it claims fails, and nothing is sent`(count: Int)
        async throws
    {
        let server = try LoopbackServer { _ in .ok() }
        let transport = URLSessionTransport()
        let stream = AsyncStream<Data> {
            $0.yield(Data(count: count))
            $0.finish()
        }
        let request = try HTTPRequest(
            .post, server.url("/?secret"), body: HTTPBody(stream, length: 5))
        let error = await #expect(throws: HTTPError.self) {
            try await transport.response(for: request)
        }
        #expect(error?.code == .requestBodyFailed)
        #expect(error?.url == server.url("/?…"))
        await transport.close()
        #expect(server.connections.accepted == 0)
    }

    @Test func `a producer's error is the cause of the call's`() async throws {
        struct Failure: Error {}
        let server = try LoopbackServer { _ in .ok() }
        let stream = AsyncThrowingStream<Data, any Error> {
            $0.yield(Data(count: 5))
            $0.finish(throwing: Failure())
        }
        let request = try HTTPRequest(.post, server.url("/"), body: HTTPBody(stream))
        let error = await #expect(throws: HTTPError.self) {
            try await URLSessionTransport().response(for: request)
        }
        #expect(error?.code == .requestBodyFailed)
        #expect(error?.underlyingError is Failure)
        #expect(server.connections.accepted == 0)
    }

    @Test func `an early response to an upload is a response`() async throws {
        var options = LoopbackOptions()
        options.waitsForContent = false
        let server = try LoopbackServer(options) { _ -> LoopbackScript in
            [
                .send("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno"),
                .close,
            ]
        }
        let request = try HTTPRequest(
            .post, server.url("/"), body: HTTPBody(Data(count: 8 << 20)))
        let response = try await URLSessionTransport().response(for: request)
        #expect(response.status.code == 413)
        #expect(try await response.text() == "no")
    }

    @Test func `an idempotent request is sent anew on a dead connection, whole, and counted`()
        async throws
    {
        let server = try deadConnectionServer()
        let transport = URLSessionTransport()
        await (try transport.response(for: server.url("/"))).discard()
        let request = try HTTPRequest(.put, server.url("/"), body: HTTPBody("hello"))
        let response = try await transport.response(for: request)
        #expect(try await response.text() == "two")
        #expect(response.timeline.exchanges.last?.silentResends == 1)
        #expect(server.log.compactMap(\.request?.text) == ["", "hello", "hello"])
    }

    @Test func `a POST is not sent anew on a dead connection`() async throws {
        let server = try deadConnectionServer()
        let transport = URLSessionTransport()
        await (try transport.response(for: server.url("/"))).discard()
        let request = try HTTPRequest(.post, server.url("/"), body: HTTPBody("hello"))
        let error = await #expect(throws: HTTPError.self) {
            try await transport.response(for: request)
        }
        #expect(error?.code == .connectionLost)
        #expect(error?.isRetryable == true)
        #expect(error?.mayHaveReachedServer == true)
        #expect(error?.timeline?.exchanges.last?.silentResends == 0)
        await transport.close()
        #expect(
            server.log.filter { $0.request?.method == "POST" && $0.isRequestComplete }.count == 1)
    }

    /// Responds once, then closes the connection after the second request on it.
    private func deadConnectionServer() throws -> LoopbackServer {
        try LoopbackServer(scripts: [
            [
                .awaitHead, .awaitContentEnd,
                .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none"),
                .awaitHead, .awaitContentEnd, .close,
            ],
            [
                .awaitHead, .awaitContentEnd,
                .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\ntwo"), .stall,
            ],
        ])
    }
}

/// A file that is deleted with its value.
private final class TemporaryFile: Sendable {
    let url = URL(fileURLWithPath: NSTemporaryDirectory() + "/\(UUID().uuidString)")
    deinit { try? FileManager.default.removeItem(at: url) }
}

/// `count` bytes in pieces of 64 KiB.
private final class PatternSource: HTTPBodySource {
    private let rest: Locked<Int>
    init(count: Int) { rest = Locked(count) }

    func next() async throws -> Data? {
        let count = rest.withLock { rest in
            let count = min(rest, 64 << 10)
            rest -= count
            return count
        }
        return count > 0 ? Data(count: count) : nil
    }
    func abandon() { rest.withLock { $0 = 0 } }
}
