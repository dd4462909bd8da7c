import HTTPCore
import HTTPFormats

/// Cases about the body of a response: read, left, dropped, and ended exactly once.
enum DeliveryCases {
    private typealias Case = TransportConformance.Case

    static let all: [TransportConformance.Case] = ends + reading + leaving + buffering

    private enum Use: String, CaseIterable {
        case read = "read to its end", dropped = "dropped unread", left = "left in the middle"
        case discarded = "discarded", failed = "cut short"
    }

    private static let ends = Use.allCases.map { use in
        Case(.delivery, "a body that is \(use.rawValue) ends exactly once") { exam, server in
            let gate = LoopbackGate()
            server.enqueue(
                [
                    .send("HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n"),
                    .generate(1000), .pause(until: gate),
                ] + (use == .failed ? [.close] : [.generate(299_000, from: 1000)]))
            let ends = Locked<[HTTPBodyEnd]>([])
            let isOver = LoopbackGate()
            do {
                let response = try await exam.get(server)
                response.body.whenEnded { end in
                    ends.withLock { $0.append(end) }
                    _ = isOver.arrive {}
                }
                switch use {
                case .read, .failed:
                    gate.open()
                    _ = try? await response.body.collect()
                case .dropped: break
                case .left: for try await _ in response.body { break }
                case .discarded:
                    gate.open()
                    await response.discard()
                }
            }
            try await isOver.reached()
            gate.open()
            try await exam.expectFine(server)
            let all = ends.withLock { $0 }
            try exam.expect(all.count, is: 1, "ends")
            switch (use, all.first) {
            case (.read, .complete), (.failed, .failed), (.dropped, .abandoned),
                (.left, .abandoned), (.discarded, .abandoned):
                break
            default:
                throw ConformanceExam.Finding(
                    reason: "it ended as \(all.first.map { "\($0)" } ?? "nothing")")
            }
        }
    }

    private static let reading = [
        Case(.delivery, "a stream is read once") { exam, server in
            let gate = LoopbackGate()
            server.enqueue([
                .send("HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n"), .generate(1000),
                .pause(until: gate), .generate(299_000, from: 1000),
            ])
            let response = try await exam.get(server)
            gate.open()
            for try await _ in response.body {}
            try await exam.expectError(.bodyAlreadyRead) {
                for try await _ in response.body {}
            }
        },
        Case(.delivery, "a stream that has come with its head is read once, too") { exam, server in
            let response = try await exam.get(server)
            for try await _ in response.body {}
            try await exam.expectError(.bodyAlreadyRead) {
                for try await _ in response.body {}
            }
            try await exam.expectError(.bodyAlreadyRead) {
                _ = try await response.body.collect()
            }
        },
        Case(.delivery, "a collected body can be had again") { exam, server in
            let response = try await exam.get(server)
            for _ in 0..<2 {
                try exam.expect(try await response.text(), is: "fine", "the body")
            }
        },
        Case(.delivery, "a slow reader gets every byte") { exam, server in
            server.enqueue(.bytes(count: 2 << 20))
            var bytes: [UInt8] = []
            for try await piece in try await exam.get(server).body {
                for _ in 0..<20 { await Task.yield() }
                bytes += piece
            }
            try exam.expectPattern(bytes, 2 << 20)
        },
        Case(.delivery, "a reader that stops holds the server back") { exam, server in
            let total = 256 << 20
            server.enqueue(.bytes(count: total))
            let response = try await exam.get(server)
            // During other exchanges, a transport without flow control would fill its memory.
            try await exam.serve { other in
                for _ in 0..<300 { try await exam.expectFine(other) }
            }
            let sent = server.log.first?.bytesSent ?? 0
            try exam.expect(sent < total / 2, "\(sent) bytes were received without a reader")
            response.body.abandon()
        },
    ]

    private static let leaving = [
        Case(.delivery, "a short rest is read away, and its connection kept") { exam, server in
            for _ in 0..<5 {
                server.enqueue(.bytes(count: 40_000))
                await (try await exam.get(server)).discard()
            }
            try await exam.expectFine(server)
            try exam.expect(server.connections.accepted, is: 1, "connections")
        },
        Case(.delivery, "a rest that does not come is given up") { exam, server in
            server.enqueue([
                .send("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n"), .generate(1000),
                .stall,
            ])
            await (try await exam.get(server)).discard()
            try await exam.expectDeparture(server)
            try await exam.expectFine(server)
        },
        Case(.delivery, "a body that is dropped unread frees its connection") { exam, server in
            server.enqueue(.half + [.stall])
            _ = try await exam.get(server)
            try await exam.expectDeparture(server)
            try await exam.expectFine(server)
        },
        Case(.delivery, "a loop that is left frees its connection") { exam, server in
            server.enqueue(.half + [.stall])
            for try await _ in try await exam.get(server).body { break }
            try await exam.expectDeparture(server)
            try await exam.expectFine(server)
        },
        Case(.delivery, "abandoning a body during a read ends the read") { exam, server in
            server.enqueue(.half + [.stall])
            let response = try await exam.get(server)
            let isReading = LoopbackGate()
            let reader = Task {
                for try await _ in response.body { _ = isReading.arrive {} }
            }
            try await isReading.reached()
            response.body.abandon()
            switch await reader.result {
            case .success: throw ConformanceExam.Finding(reason: "the body seemed complete")
            case .failure: break
            }
            try await exam.expectDeparture(server)
        },
    ]

    private static let buffering = [
        Case(.delivery, "under buffered delivery the answer comes with all of the body") {
            exam, server in
            server.enqueue(.bytes(count: 100_000))
            let response = try await exam.get(server, delivery: .buffered(upTo: 100_000))
            try exam.expect(response.body.bytes?.count, is: 100_000, "bytes in memory")
            for _ in 0..<2 {
                let bytes = try await response.data(upTo: 100_000)
                try exam.expectPattern(Array(bytes), 100_000)
            }
        },
        tooLarge("a body whose length is beyond the limit is too large", .contentLength),
        tooLarge("chunks beyond the limit are too large", .chunked),
        Case(.delivery, "a body that is cut short fails the call, with its head") { exam, server in
            server.enqueue([.send("HTTP/1.1 207 x\r\nContent-Length: 10\r\n\r\nhalf"), .close])
            let error = try await exam.expectError(.bodyIncomplete) {
                _ = try await exam.get(server, delivery: .buffered(upTo: 100))
            }
            try exam.expect(error.response?.status.code, is: 207, "the status of the head")
            try await exam.expectFine(server)
        },
    ]

    private static func tooLarge(_ name: String, _ framing: LoopbackResponse.Framing) -> Case {
        Case(.delivery, name) { exam, server in
            server.enqueue(LoopbackResponse(content: .generated(count: 100_001), framing: framing))
            try await exam.expectError(.bodyTooLarge) {
                _ = try await exam.get(server, delivery: .buffered(upTo: 100_000))
            }
            try await exam.expectFine(server)
        }
    }
}
