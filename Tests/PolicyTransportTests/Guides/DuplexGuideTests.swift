import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// The code of Docs/Guides/Duplex.md, word for word.
@Suite(.timeLimit(.minutes(5))) struct DuplexGuideTests {
    struct Message: Codable, Equatable { var text: String }
    struct Reply: Codable { var text: String, isLast: Bool }

    private func talk(_ session: any HTTPSession, _ url: String) async throws -> [Reply] {
        let request = try HTTPRequest(.post, url, headers: ["Content-Type": "application/jsonl"])
        let replies = try await session.withDuplex(for: request) { duplex in
            try await duplex.writer.write(jsonLine: Message(text: "hello"))
            var replies: [Reply] = []
            for try await reply in try await duplex.response.body.jsonLines(of: Reply.self) {
                replies.append(reply)
                if reply.isLast {
                    try duplex.writer.finish()  // then the server ends the response
                } else {
                    try await duplex.writer.write(jsonLine: Message(text: "not \(reply.text)"))
                }
            }
            return replies
        }
        return replies
    }

    private func stream(
        _ session: any HTTPSession, _ request: HTTPRequest, _ samples: [Data]
    ) async throws -> Data {
        try await session.withDuplex(for: request) { duplex in
            async let sent: Void = {
                for sample in samples { try await duplex.writer.write(sample) }
                try duplex.writer.finish()
            }()
            var received = Data()
            for try await piece in try await duplex.response.body { received += piece }
            try await sent
            return received
        }
    }

    private func ship(
        _ session: any HTTPSession, _ request: HTTPRequest, _ lines: AsyncStream<String>
    ) async throws {
        try await session.withDuplex(for: request) { duplex in
            let shipping = Task {
                for await line in lines { try await duplex.writer.write(line + "\n") }
                try duplex.writer.finish()
            }
            defer { shipping.cancel() }
            for try await reply in try await duplex.response.body.lines { print(reply) }
        }
    }

    private func upload(_ session: any HTTPSession, _ url: String) async throws -> HTTPResponse {
        let (body, writer) = HTTPBody.makeWritable(length: 10)
        async let response = session.response(for: HTTPRequest(.put, url, body: body))
        try await writer.write("01234")
        try await writer.write("56789")
        try writer.finish()
        return try await response
    }

    private static func server(_ script: @escaping @Sendable () -> LoopbackScript) throws
        -> LoopbackServer
    {
        var options = LoopbackOptions()
        options.waitsForContent = false
        return try LoopbackServer(options, script: { _ in script() })
    }

    private static func chunk(_ text: String) -> LoopbackScript.Step {
        .send("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n")
    }

    private static let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    @Test func `the page's code is compiled`() throws {
        #expect(try GuidePage("Duplex").untested.isEmpty)
    }

    @Test func `each reply decides on the next message`() async throws {
        let messages = ["hello", "not 1", "not 2"].map {
            #"{"text":"\#($0)"}"# + "\n"
        }
        let server = try Self.server {
            var script: LoopbackScript = []
            for round in 1...3 {
                let count = messages.prefix(round).joined().utf8.count
                script.steps += [
                    .awaitContent(count),
                    .send(round == 1 ? Self.head : ""),
                    Self.chunk(#"{"text":"\#(round)","isLast":\#(round == 3)}"# + "\n"),
                ]
            }
            return script + [.awaitContentEnd, .send("0\r\n\r\n")]
        }
        let replies = try await talk(try Wire.curl.session(), server.url("/"))
        #expect(replies.map(\.text) == ["1", "2", "3"])
        let request = try await server.nextRequest()
        #expect(request.isComplete && request.text == messages.joined())
    }

    @Test func `both directions at once`() async throws {
        let server = try Self.server {
            [
                .send(Self.head), .generateChunks(2 << 20), .awaitContentEnd,
                .send("0\r\n\r\n"),
            ]
        }
        let samples = Array(repeating: Data(count: 50_000), count: 60)
        let request = try HTTPRequest(.post, server.url("/"))
        let bytes = try await stream(try Wire.curl.session(), request, samples)
        #expect(bytes.count == 2 << 20)
        #expect(try await server.nextRequest().contentCount == 3_000_000)
    }

    @Test func `the server ends first, and nothing waits for the next line`() async throws {
        let server = try Self.server {
            [.awaitContent(2), .send(Self.head), Self.chunk("enough\n"), .send("0\r\n\r\n")]
        }
        let (lines, producer) = AsyncStream<String>.makeStream()
        producer.yield("a")
        try await ship(
            try Wire.curl.session(), try HTTPRequest(.post, server.url("/")), lines)
        #expect(try await server.nextRequest().text.hasPrefix("a\n"))
        producer.finish()
    }

    @Test(arguments: Wire.allCases)
    func `a written upload goes over both transports, also URLSession`(wire: Wire) async throws {
        let server = try LoopbackServer { .ok($0.text) }
        let response = try await upload(try wire.session(), server.url("/"))
        #expect(try await response.text() == "0123456789")
    }
}
