import HTTPCore
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPBodyProgressTests {
    private final class Reports: Sendable {
        let list = Locked([HTTPBodyProgress]())
        var bytes: [Int64] { list.withLock { $0.map(\.bytes) } }
        func add(_ progress: HTTPBodyProgress) { list.withLock { $0.append(progress) } }
    }

    @Test func `each piece of a stream is told, with trailers, end and state passed on`()
        async throws
    {
        let reports = Reports()
        let source = ScriptedBodySource(["a", "bcd"], trailers: ["t": "1"])
        let original = HTTPBody(source: source, length: 4)
        let body = original.reportingProgress { reports.add($0) }
        let ends = BodyEnds(original)
        #expect(body.replay == .once && body.length == 4 && body.canBeSent)
        #expect(try await body.collect() == Data("abcd".utf8))
        #expect(
            reports.bytes == [1, 4] && reports.list.withLock { $0.map(\.fraction) } == [0.25, 1])
        #expect(body.trailers == ["t": "1"] && ends.list == ["complete t: 1"])
        #expect(!body.canBeSent)
    }

    @Test func `a replayable body counts anew each time`() async throws {
        let reports = Reports()
        let body = HTTPBody(length: nil) { ScriptedBodySource(["a", "b"]) }
            .reportingProgress { reports.add($0) }
        #expect(body.replay == .always && body.length == nil)
        for _ in 0..<2 { for try await _ in body {} }
        #expect(reports.bytes == [1, 2, 2, 1, 2, 2])
        #expect(reports.list.withLock { $0.map(\.fraction) } == [nil, nil, 1, nil, nil, 1])
        let memory = HTTPBody("abc").reportingProgress { reports.add($0) }
        #expect(try await memory.collect() == Data("abc".utf8) && reports.bytes.last == 3)
    }

    @Test(arguments: [HTTPBody.Replay.always, .once])
    func `an unknown length is reported only when the body is complete`(
        replay: HTTPBody.Replay
    ) async throws {
        for (steps, fractions) in [
            ([], [1]), (["a", "b"], [nil, nil, 1]), (["a", .fail], [nil]),
        ] as [([ScriptedBodySource.Step], [Double?])] {
            let reports = Reports()
            let body =
                replay == .once
                ? HTTPBody(source: ScriptedBodySource(steps))
                : HTTPBody(length: nil) { ScriptedBodySource(steps) }
            _ = try? await body.reportingProgress { reports.add($0) }.collect()
            #expect(reports.list.withLock { $0.map(\.fraction) } == fractions)
        }
    }

    @Test func `a body in memory goes in steps, like a file`() async throws {
        let whole = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) })
        for body in [HTTPBody(whole), HTTPBody(length: nil, restarting: { [whole].stream })] {
            let reports = Reports()
            var seen = Data()
            for try await piece in body.reportingProgress({ reports.add($0) }) {
                #expect(piece.startIndex == 0 && piece.count <= 64 << 10)
                seen += piece
            }
            #expect(seen == whole)
            let steps = (1...15).map { Int64($0) * 65_536 } + [1_000_000]
            #expect(Array(reports.bytes.prefix(16)) == steps)
        }
    }

    @Test func `giving up and failing go through`() async throws {
        let source = ScriptedBodySource(["a", "b"])
        let original = HTTPBody(source: source)
        let ends = BodyEnds(original)
        for try await _ in original.reportingProgress({ _ in }) { break }
        #expect(ends.list == ["abandoned"] && source.abandons >= 1)

        let discarded = ScriptedBodySource(["a"])
        await HTTPBody(source: discarded).reportingProgress { _ in }.discard()
        #expect(discarded.discards == 1)

        let failing = HTTPBody(source: ScriptedBodySource(["a", .fail]))
        await #expect(throws: ScriptedBodySource.Failure.self) {
            try await failing.reportingProgress { _ in }.collect()
        }
    }

    @Test func `abandoning the source of a reading ends its wait for bytes`() async throws {
        let reached = Gate()
        let gone = Gate()
        let inner = HTTPBody(
            length: nil,
            restarting: {
                AsyncStream<Data> {
                    reached.open()
                    try? await Gate().wait()
                    gone.open()
                    return nil
                }
            })
        let body = HTTPBody(inner.reportingProgress { _ in })
        let reader = Task { try await body.collect() }
        try await reached.wait()
        body.abandon()
        try await gone.wait()
        let error = await #expect(throws: HTTPError.self) { try await reader.value }
        #expect(error?.code == .bodyAlreadyRead)
    }

    @Test func `abandoning a stream goes through while its reader waits`() async throws {
        let reached = Gate()
        let until = Gate()
        let source = ScriptedBodySource([.stall(reached: reached, until: until), "a"])
        let body = HTTPBody(source: source).reportingProgress { _ in }
        let reader = Task { try await body.collect() }
        try await reached.wait()
        body.abandon()
        #expect(source.abandons >= 1)
        until.open()
        let error = await #expect(throws: HTTPError.self) { try await reader.value }
        #expect(error?.code == .bodyAlreadyRead)
    }

    @Test func `a closure receives the bytes so far and the length`() async throws {
        let counts = Locked([[Int64?]]())
        let body = HTTPBody(source: ScriptedBodySource(["ab", "c"]), length: 3)
            .reportingProgress { bytes, length in counts.withLock { $0.append([bytes, length]) } }
        _ = try await body.collect()
        #expect(counts.withLock { $0 } == [[2, 3], [3, 3]])
    }

    @Test func `a buffered body reports its progress to the request's closure`() async throws {
        let counts = Locked([HTTPBodyProgress]())
        var request = try HTTPRequest(.get, "https://h/")
        request.delivery = .buffered(upTo: 100)
        request[ReceivingProgress.self] = { progress in
            counts.withLock { $0.append(progress) }
        }
        let body = HTTPBody(source: ScriptedBodySource(["ab", "c"]), length: 3)
        let response = try await HTTPResponse(.ok, body: body, to: request).buffered()
        #expect(response.body.bytes == Data("abc".utf8))
        #expect(
            counts.withLock { $0 } == [
                HTTPBodyProgress(bytes: 2, length: 3), HTTPBodyProgress(bytes: 3, length: 3),
            ])
    }

    @Test func `an empty body is all there`() {
        #expect(HTTPBodyProgress(bytes: 0, length: 0).fraction == 1)
        #expect(HTTPBodyProgress(bytes: 9, length: 3).fraction == 1)
    }
}

extension [Data] {
    fileprivate var stream: AsyncStream<Data> {
        AsyncStream { continuation in
            for piece in self { continuation.yield(piece) }
            continuation.finish()
        }
    }
}
