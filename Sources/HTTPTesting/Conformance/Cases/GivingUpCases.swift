import HTTPCore
import PortableLibc

/// Cases about a body that one holder reads and another gives up: it never looks complete.
enum GivingUpCases {
    private typealias Case = TransportConformance.Case

    static let all: [TransportConformance.Case] = Leaving.allCases.flatMap { leaving in
        Reading.allCases.map { reading in
            Case(
                .delivery,
                "a body that is \(leaving.rawValue) looks cut to a reader that \(reading.rawValue)"
            ) { exam, server in
                try await check(exam, server, reading, leaving)
            }
        }
    }

    private enum Leaving: String, CaseIterable {
        case abandoned
        case discarded
        case abandonedTwice = "abandoned twice"
        case discardedTwice = "discarded twice"

        func leave(_ body: HTTPBody) async {
            switch self {
            case .abandoned: body.abandon()
            case .discarded: await body.discard()
            case .abandonedTwice:
                body.abandon()
                body.abandon()
            case .discardedTwice:
                async let other: Void = body.discard()
                await body.discard()
                await other
            }
        }
    }

    private enum Reading: String, CaseIterable {
        case waiting = "waits for a piece"
        case paused = "is between two pieces"
        case collecting = "collects it"
        case writing = "writes it to a file"
    }

    /// Runs one case. The rest of the body is short, so that a transport may read and drop it.
    private static func check(
        _ exam: ConformanceExam, _ server: LoopbackServer, _ reading: Reading, _ leaving: Leaving
    ) async throws {
        let gate = LoopbackGate()
        server.enqueue([
            .send("HTTP/1.1 200 OK\r\nContent-Length: 30000\r\n\r\n"), .generate(1000),
            .pause(until: gate), .generate(29_000, from: 1000),
        ])
        let response = try await exam.get(server)
        let body = response.body
        try await gate.reached()
        let hasRead = LoopbackGate()
        let mayGoOn = Gate()
        let reader = Task {
            switch reading {
            case .waiting: for try await _ in body { _ = hasRead.arrive {} }
            case .paused:
                for try await _ in body {
                    _ = hasRead.arrive {}
                    try await mayGoOn.wait()
                }
            case .collecting: _ = try await body.collect()
            case .writing:
                let descriptor = unsafe open("/dev/null", O_WRONLY)
                defer { close(descriptor) }
                _ = try await body.write(toDescriptor: descriptor)
            }
        }
        switch reading {
        case .waiting, .paused: try await hasRead.reached()
        // The body is claimed, and no more of it arrives for now.
        case .collecting, .writing: while body.canBeSent { await Task.yield() }
        }
        async let leaver: Void = leaving.leave(body)
        if reading == .paused {
            gate.open()
            await leaver
            mayGoOn.open()
        }
        // The reader fails at once, not when the rest has been read and dropped.
        try await exam.expectError(.bodyAlreadyRead) { try await reader.value }
        gate.open()
        await leaver
        try await exam.expectFine(server)
    }
}
