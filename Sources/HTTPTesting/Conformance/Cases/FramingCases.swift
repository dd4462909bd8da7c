import HTTPCore
import HTTPFormats

/// Cases about the end of a response's content (RFC 9112 §6), and about invalid framing.
enum FramingCases {
    private typealias Case = TransportConformance.Case

    static let all: [TransportConformance.Case] =
        lengths + chunks + trailers + arrival + refusedLengths + refusedChunks + folded

    private static let head = "HTTP/1.1 200 OK\r\n"
    private static let chunkedHead = head + "Transfer-Encoding: chunked\r\n"

    private static func text(_ name: String, _ expected: String, _ script: LoopbackScript) -> Case {
        .answer(.framing, name, to: script) { exam, _, bytes in
            try exam.expect(String(decoding: bytes, as: UTF8.self), is: expected, "the body")
        }
    }

    private static func pattern(
        _ name: String, _ count: Int, _ framing: LoopbackResponse.Framing
    ) -> Case {
        let response = LoopbackResponse(content: .generated(count: count), framing: framing)
        return .answer(.framing, name, to: [.respond(response)]) { exam, response, bytes in
            try exam.expectPattern(bytes, count)
        }
    }

    // MARK: Lengths

    private static let lengths =
        [0, 1, 64 << 10, 4 << 20].map {
            pattern("a body of \($0) bytes with its length is read whole", $0, .contentLength)
        }
        + [0, 1, 64 << 10, 4 << 20].map {
            pattern("a body of \($0) bytes in chunks is read whole", $0, .chunked)
        } + [
            pattern("a body without a length ends with its connection", 300_000, .untilClose),
            pattern("an empty body without a length ends with its connection", 0, .untilClose),
            text(
                "the same length twice is one length", "hello",
                [.send(head + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello")]),
            text(
                "a list of one length is one length", "hello",
                [.send(head + "Content-Length: 5, 5\r\n\r\nhello")]),
            Case(.framing, "what follows the end of a response is not the next response") {
                exam, server in
                server.enqueue([
                    .send(
                        head + "Content-Length: 2\r\n\r\nok" + head
                            + "Content-Length: 4\r\n\r\nevil")
                ])
                let text = try await exam.get(server).text()
                try exam.expect(text, is: "ok", "the body")
                try await exam.expectFine(server)
            },
            Case(.framing, "the length is told before the body is read") { exam, server in
                server.enqueue(.bytes(count: 200_000))
                let response = try await exam.get(server)
                try exam.expect(response.body.length, is: 200_000, "the length")
                await response.discard()
            },
        ]

    // MARK: Chunks

    private static let chunks = [
        text(
            "chunks are joined", "abc0123456789",
            [.send(chunkedHead + "\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n")]),
        text(
            "chunk extensions are passed over", "abc",
            [.send(chunkedHead + "\r\n3;a=\"b\";c\r\nabc\r\n0;d\r\n\r\n")]),
        text(
            "sizes with zeros before them are taken", "abc",
            [.send(chunkedHead + "\r\n0003\r\nabc\r\n000\r\n\r\n")]),
        text(
            "chunks in single bytes are joined", "hello, world",
            [
                .send(chunkedHead + "\r\n"),
                .drip(
                    "5\r\nhello\r\n7\r\n, world\r\n0\r\n\r\n".utf8.map { [$0] },
                    every: .microseconds(200)),
            ]),
        Case(.framing, "a connection is kept after chunks") { exam, server in
            for _ in 0..<3 {
                server.enqueue([.send(chunkedHead + "\r\n2\r\nok\r\n0\r\n\r\n")])
                try exam.expect(try await exam.get(server).text(), is: "ok", "the body")
            }
            try exam.expect(server.connections.accepted, is: 1, "connections")
        },
    ]

    private static let trailers = [
        Case.answer(
            .framing, "trailers come with the end of the body",
            to: [
                .send(
                    chunkedHead
                        + "Trailer: X-Sum\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\nX-More: 2\r\n\r\n")
            ]
        ) { exam, response, bytes in
            try exam.expect(bytes, is: .init("ok".utf8), "the body")
            try exam.expect(response.trailers?["X-Sum"], is: "1", "the trailer X-Sum")
            try exam.expect(response.trailers?["X-More"], is: "2", "the trailer X-More")
            try exam.expect(response.headers["X-Sum"], is: nil, "X-Sum among the header fields")
        },
        Case(.framing, "there are no trailers before the end of the body") { exam, server in
            let gate = LoopbackGate()
            server.enqueue([
                .send(chunkedHead + "\r\n2\r\nok\r\n"), .pause(until: gate),
                .send("0\r\nX-Sum: 1\r\n\r\n"),
            ])
            let response = try await exam.get(server)
            var early: HTTPHeaders?
            for try await _ in response.body {
                early = response.trailers
                gate.open()
            }
            try exam.expect(early == nil, "trailers came before the end")
            try exam.expect(response.trailers?["X-Sum"], is: "1", "the trailer X-Sum")
        },
        Case.answer(
            .framing, "chunks without trailers have none",
            to: [.send(chunkedHead + "\r\n2\r\nok\r\n0\r\n\r\n")]
        ) { exam, response, _ in
            try exam.expect(response.trailers?.isEmpty ?? true, "the response has trailers")
        },
    ]

    // MARK: Arrival

    private static let arrival = [
        Case(.framing, "the answer comes with the head, before the body") { exam, server in
            let gate = LoopbackGate()
            server.enqueue([
                .send(head + "Content-Length: 5\r\n\r\n"), .pause(until: gate), .send("hello"),
            ])
            let response = try await exam.get(server)
            gate.open()
            try exam.expect(try await response.text(), is: "hello", "the body")
        },
        Case(.framing, "bytes come as they are sent, before the body's end") { exam, server in
            let gate = LoopbackGate()
            server.enqueue([
                .send(chunkedHead + "\r\n5\r\nfirst\r\n"), .pause(until: gate),
                .send("6\r\nsecond\r\n0\r\n\r\n"),
            ])
            var bytes: [UInt8] = []
            for try await piece in try await exam.get(server).body {
                bytes += piece
                if bytes.count == 5 { gate.open() }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            try exam.expect(text, is: "firstsecond", "the body")
        },
    ]

    // MARK: Invalid framing

    private static let refusedLengths =
        [
            ("two lengths that differ are refused", "Content-Length: 5\r\nContent-Length: 6\r\n"),
            ("a list of lengths that differ is refused", "Content-Length: 5, 6\r\n"),
            ("a length with a sign is refused", "Content-Length: +5\r\n"),
            ("a negative length is refused", "Content-Length: -1\r\n"),
            ("a length that is no number is refused", "Content-Length: 5x\r\n"),
            (
                "a length that no integer holds is refused",
                "Content-Length: 9223372036854775808\r\n"
            ),
        ].map { name, fields in
            Case.refusal(
                .framing, name, .protocolViolation,
                of: [.send("\(head)\(fields)\r\nhello!"), .close])
        } + [
            Case.refusal(
                .framing, "a length beside chunks is refused", .protocolViolation,
                of: [
                    .send(chunkedHead + "Content-Length: 5\r\n\r\n5\r\nhello\r\n0\r\n\r\n"), .close,
                ])
        ]
        + [
            ("chunks of chunks are refused", "Transfer-Encoding: chunked, chunked\r\n"),
            (
                "chunks of chunks in two fields are refused",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"
            ),
        ].map { name, fields in
            Case.refusal(
                .framing, name, .protocolViolation,
                of: [.send("\(head)\(fields)\r\n5\r\nhello\r\n0\r\n\r\n"), .close])
        }

    private static let folded = [
        Case(.framing, "a transfer coding on a folded line is honoured, or refused") {
            exam, server, delivery in
            server.enqueue([
                .send(head + "Transfer-Encoding:\r\n chunked\r\nConnection: close\r\n\r\n"),
                .send("2\r\nok\r\n0\r\n\r\n"), .close,
            ])
            do {
                let text = try await exam.get(server, delivery: delivery).text()
                try exam.expect(text, is: "ok", "the body")
            } catch let error as HTTPError {
                try exam.expect(error.code, is: .protocolViolation, "the error's code")
            }
            try await exam.expectFine(server)
        }
    ]

    private static let refusedChunks = [
        ("a chunk size of letters is refused", "x\r\nhello\r\n0\r\n\r\n"),
        ("a negative chunk size is refused", "-5\r\nhello\r\n0\r\n\r\n"),
        ("a chunk size that no integer holds is refused", "fffffffffffffffff\r\nhello"),
        ("a chunk that is longer than its size is refused", "5\r\nhelloX\r\n0\r\n\r\n"),
    ].map { name, content in
        Case.refusal(
            .framing, name, .protocolViolation, of: [.send("\(chunkedHead)\r\n\(content)"), .close])
    }
}
