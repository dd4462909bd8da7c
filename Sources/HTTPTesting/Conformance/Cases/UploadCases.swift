import HTTPCore
import HTTPFormats
import PortableFoundation

/// Cases about the content of a request: all of it, framed, and not more than once.
enum UploadCases {
    private typealias Case = TransportConformance.Case

    static let all: [TransportConformance.Case] = whole + broken + early

    private static let whole =
        [0, 1, 64 << 10, 4 << 20].map { count in
            Case(.upload, "a body of \(count) bytes arrives whole, with its length") { exam in
                let body = HTTPBody.pattern(count)
                let seen = try await exam.received(.put, body: body)
                try exam.expectPattern(seen, count)
                try exam.expect(seen["Content-Length"], is: "\(count)", "Content-Length")
                try exam.expect(seen["Transfer-Encoding"], is: nil, "Transfer-Encoding")
            }
        } + [
            Case(.upload, "a stream of known length arrives whole, with its length") { exam in
                let body = HTTPBody(PacedSource(300_000), length: 300_000)
                let seen = try await exam.received(.post, body: body)
                try exam.expectPattern(seen, 300_000)
                try exam.expect(seen["Content-Length"], is: "300000", "Content-Length")
            },
            Case(.upload, "a stream of unknown length arrives whole") { exam in
                let body = HTTPBody(PacedSource(300_000))
                try exam.expectPattern(try await exam.received(.post, body: body), 300_000)
            },
            Case(.upload, "an empty stream of unknown length arrives") { exam in
                let body = HTTPBody(PacedSource(0))
                try exam.expectPattern(try await exam.received(.post, body: body), 0)
            },
            Case(.upload, "a restartable body is sent from its start each time") { exam in
                let body = HTTPBody(length: nil, restarting: { PacedSource(100_000) })
                try await exam.serve { server in
                    for _ in 0..<2 {
                        _ = try await exam.send(.put, to: server, body: body).data()
                        try exam.expectPattern(try await server.nextRequest(), 100_000)
                    }
                }
            },
            Case(.upload, "a one-shot body is sent once, and then refused") { exam, server in
                let body = HTTPBody(PacedSource(1000), length: 1000)
                _ = try await exam.send(.post, to: server, body: body).data()
                try await exam.expectError(.bodyAlreadyRead) {
                    _ = try await exam.send(.post, to: server, body: body)
                }
                try exam.expect(server.snapshot.requestCount, is: 1, "requests")
            },
            Case(.upload, "bytes of a stream leave before it ends") { exam in
                let gate = LoopbackGate()
                try await exam.serveEarly([
                    .awaitContent(1000), .pause(until: gate), .awaitContentEnd,
                    .choose { LoopbackResponse.ok("\($0.contentCount)").script(answering: $0) },
                ]) { server in
                    let body = HTTPBody(
                        PacedSource(2000, piece: 1000) { _ in
                            try await gate.reached()
                            gate.open()
                        })
                    let text = try await exam.send(.post, to: server, body: body).text()
                    try exam.expect(text, is: "2000", "the bytes that the server has counted")
                }
            },
            Case(.upload, "fifty uploads at once arrive whole") { exam in
                try await exam.serve(by: { request in
                    let content = request.content ?? []
                    let isWhole = LoopbackPattern.firstMismatch(in: content) == nil
                    return LoopbackResponse.ok("\(content.count) \(isWhole)").script(
                        answering: request)
                }) { server in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for number in 0..<50 {
                            group.addTask {
                                let count = number * 1009
                                let body = HTTPBody.pattern(count)
                                let text = try await exam.send(.put, to: server, body: body).text()
                                try exam.expect(text, is: "\(count) true", "upload \(number)")
                            }
                        }
                        try await group.waitForAll()
                    }
                }
            },
        ]

    private static let broken = [
        failing("a body that ends before its length fails", length: 2000),
        failing("a body that goes on beyond its length fails", length: 500),
        Case(.upload, "what a producer throws is the cause of the failure") { exam, server in
            let body = HTTPBody(PacedSource(1000, piece: 500) { _ in throw Failure() })
            let error = try await exam.expectError(.requestBodyFailed) {
                _ = try await exam.send(.post, to: server, body: body)
            }
            try exam.expect(error.underlyingError is Failure, "the cause is not in the error")
            let wasComplete = server.log.contains { $0.isRequestComplete }
            try exam.expect(!wasComplete, "the server got a complete request")
            try await exam.expectFine(server)
        },
    ]

    private static func failing(_ name: String, length: Int64) -> Case {
        Case(.upload, name) { exam, server in
            let body = HTTPBody(PacedSource(1000), length: length)
            try await exam.expectError(.requestBodyFailed) {
                _ = try await exam.send(.post, to: server, body: body)
            }
            try await exam.expectFine(server)
        }
    }

    private static let early = [
        Case(.upload, "an answer that comes before a large body is sent is the answer") { exam in
            try await exam.serveEarly([
                .send("HTTP/1.1 413 x\r\nContent-Length: 5\r\nConnection: close\r\n\r\nearly"),
                .close,
            ]) { server in
                let body = HTTPBody.pattern(4 << 20)
                let response = try await exam.send(.post, to: server, body: body)
                try exam.expect(response.status.code, is: 413, "the status")
                try exam.expect(try await response.text(), is: "early", "the body")
                try await exam.expectFine(server)
            }
        },
        Case(.upload, "an early refusal lets an endless producer go") { exam in
            try await exam.serveEarly([
                .awaitContent(1), .send("HTTP/1.1 413 x\r\nContent-Length: 5\r\n\r\nearly"),
                .stopReading, .stall,
            ]) { server in
                let isGivenUp = LoopbackGate()
                // Practically endless, without filling the memory of a transport that reads ahead.
                let body = HTTPBody(
                    PacedSource(1 << 30, piece: 65_536) { offset in
                        guard offset < 64 << 20 else { throw Failure() }
                        await Task.yield()
                    })
                body.whenEnded { _ in _ = isGivenUp.arrive {} }
                let response = try await exam.send(.post, to: server, body: body)
                try exam.expect(response.status.code, is: 413, "the status")
                try exam.expect(try await response.text(), is: "early", "the body")
                try await isGivenUp.reached()
            }
        },
        Case(.upload, "an interim response before the body is passed over") { exam in
            try await exam.serveEarly([
                .send("HTTP/1.1 100 Continue\r\n\r\n"), .awaitContentEnd,
                .choose { LoopbackResponse.echo($0).script(answering: $0) },
            ]) { server in
                let text = try await exam.send(.post, to: server, body: HTTPBody("hello")).text()
                try exam.expect(text, is: "hello", "the response")
            }
        },
    ]

    private struct Failure: Error {}
}

extension ConformanceExam {
    fileprivate func expectPattern(_ request: LoopbackRequest, _ count: Int) throws(Finding) {
        try expectPattern(try some(request.content, "the content"), count)
    }
}

/// A one-shot sequence of the pattern's bytes that may wait before each piece but the first.
struct PacedSource: AsyncSequence, Sendable {
    private let count: Int
    private let piece: Int
    private let pause: @Sendable (Int) async throws -> Void

    /// - Parameter pause: called before each piece but the first, with its offset.
    init(
        _ count: Int, piece: Int = 7001,
        pause: @escaping @Sendable (Int) async throws -> Void = { _ in }
    ) {
        self.count = count
        self.piece = piece
        self.pause = pause
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: self) }

    struct AsyncIterator: AsyncIteratorProtocol {
        let source: PacedSource
        var offset = 0

        mutating func next() async throws -> Data? {
            guard offset < source.count else { return nil }
            if offset > 0 { try await source.pause(offset) }
            let end = Swift.min(offset + source.piece, source.count)
            defer { offset = end }
            return Data(LoopbackPattern.copy(offset..<end))
        }
    }
}
