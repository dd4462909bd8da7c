import HTTPCore
import HTTPFormats
import PortableFoundation

/// Cases about the errors of requests that were on their way: whether the server may have part of
/// the request, and how far the exchange had come.
enum ReachCases {
    private typealias Case = TransportConformance.Case

    static let all: [TransportConformance.Case] = producers + files + closings

    // MARK: Producers

    private struct Failure: Error {}

    private enum Cause: String, CaseIterable {
        case other = "an error"
        case own = "an HTTPError"
        case foreign = "the HTTPError of another exchange"
        case cancellation = "a CancellationError"

        var error: any Error {
            switch self {
            case .other: Failure()
            case .own: HTTPError(.requestBodyFailed, "no more", mayHaveReachedServer: true)
            case .foreign:
                HTTPError(.timedOut, "too late", phase: .receiving, mayHaveReachedServer: true)
            case .cancellation: CancellationError()
            }
        }
    }

    private static let producers = Cause.allCases.flatMap { cause in
        [
            ("at once", 0), ("after 1,000 bytes", 1000), ("after 1 MiB", 1 << 20),
        ].map { moment, count in
            Case(
                .upload,
                "a producer that throws \(cause.rawValue) \(moment) fails the request, which says "
                    + "what the server may have"
            ) { exam in
                for length in [nil, Int64(2 << 20)] {
                    try await exam.expectUnsent(
                        HTTPBody(
                            CutSource(count: count, error: cause.error), length: length))
                }
            }
        }
    }

    /// The first bytes of the pattern, and then an error.
    private struct CutSource: AsyncSequence, AsyncIteratorProtocol, Sendable {
        let count: Int
        let error: any Error
        private var offset = 0

        init(count: Int, error: any Error) {
            self.count = count
            self.error = error
        }

        func makeAsyncIterator() -> Self { self }

        mutating func next() async throws -> Data? {
            guard offset < count else { throw error }
            let end = Swift.min(offset + 65_536, count)
            defer { offset = end }
            return Data(LoopbackPattern.copy(offset..<end))
        }
    }

    // MARK: Files

    private enum Change: String, CaseIterable {
        case gone = "is gone"
        case shorter = "has become shorter"

        func make(to url: URL) throws {
            switch self {
            case .gone: try FileManager.default.removeItem(at: url)
            case .shorter: try Data(count: 600_000).write(to: url)
            }
        }
    }

    private static let files = Change.allCases.flatMap { change in
        [
            Case(
                .upload,
                "a body whose file \(change.rawValue) fails the request, which says what the "
                    + "server may have"
            ) { exam in
                try await changingFile(change) {
                    try HTTPBody(file: $0)
                } check: { body in
                    try await exam.expectUnsent(body)
                }
            },
            Case(
                .upload,
                "a form after 1 MiB of which a file \(change.rawValue) fails the request, which "
                    + "says what the server may have"
            ) { exam in
                try await changingFile(change) { path in
                    var form = MultipartForm()
                    try form.add(Data(count: 1 << 20), name: "a")
                    try form.add(file: path, name: "b")
                    return try HTTPRequest(.post, "http://localhost/").multipart(form).body
                } check: { body in
                    try await exam.expectUnsent(body)
                }
            },
        ]
    }

    private static func changingFile(
        _ change: Change, _ makeBody: (String) throws -> HTTPBody,
        check: (HTTPBody) async throws -> Void
    ) async throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("conformance-\(UUID().uuidString)")
        try Data(count: 1 << 20).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let body = try makeBody(url.path)
        try change.make(to: url)
        try await check(body)
    }

    // MARK: Closing

    private static let closings = [
        closing(
            "whose body is being sent", .sending, [.awaitContent(1), .stopReading],
            sending: 16 << 20),
        closing("that waits for its head", .waiting, [.awaitContentEnd], sending: 1000),
        closing("whose body is arriving", .receiving, .half),
        closing(
            "whose body is arriving for a caller that wants it whole", .receiving, .half,
            sending: 1000, delivery: .buffered(upTo: 100)),
        closing(
            "whose body was sent and is not read", .receiving,
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n"), .generate(3_000_000)]),
    ]

    private static func closing(
        _ state: String, _ phase: HTTPError.Phase, _ script: LoopbackScript,
        sending count: Int = 0, delivery: HTTPDelivery = .streamed
    ) -> Case {
        Case(
            .faults,
            "closing ends an exchange \(state), which says that the server may have the request"
        ) { exam in
            guard let session = exam.session as? any HTTPClosableSession else {
                throw ConformanceExam.Unavailable(reason: "the session cannot be closed")
            }
            let gate = LoopbackGate()
            try await exam.serveEarly(script + [.pause(until: gate), .stall]) { server in
                let hasHead = HeadGate()
                var request = try HTTPRequest(
                    count > 0 ? .post : .get, server.url("/"), body: .pattern(count)
                ).beginningCall(observer: hasHead)
                request.delivery = delivery
                let sent = request
                let isClosed = Gate()
                let call = Task {
                    let response = try await session.response(for: sent)
                    // Nothing is read before the session is closed.
                    try await isClosed.wait()
                    _ = try await response.data()
                }
                if phase == .receiving {
                    try await hasHead.gate.wait()
                } else {
                    try await gate.reached()
                }
                await session.close(grace: .zero)
                isClosed.open()
                let error = try await exam.expectError(.sessionClosed) { try await call.value }
                try exam.expect(error.mayHaveReachedServer, "mayHaveReachedServer is false")
                try exam.expect(error.phase, is: phase, "the phase")
            }
        }
    }
}

/// Opens its gate when the head of a response has come.
private final class HeadGate: HTTPObserver {
    let gate = Gate()

    func observe(_ event: HTTPEvent) {
        if case .head = event.kind { gate.open() }
    }
}

extension ConformanceExam {
    /// Checks that a request with this body fails, and that its error says what the server may
    /// have.
    fileprivate func expectUnsent(_ body: HTTPBody) async throws {
        try await serve { server in
            let error = try await expectError(.requestBodyFailed) {
                _ = try await send(.post, to: server, body: body).data()
            }
            try await expectFine(server)
            let hasPart = server.log.contains { $0.request?.path != "/fine" }
            try expect(
                error.mayHaveReachedServer || !hasPart,
                "mayHaveReachedServer is false, but the server has part of the request")
            let isLate = [.sending, .waiting, .receiving].contains(error.phase)
            try expect(
                isLate, is: error.mayHaveReachedServer,
                "mayHaveReachedServer does not fit the phase "
                    + "\(error.phase.map { "\($0)" } ?? "nil"): a phase of sending or later")
            let isComplete = server.log.contains {
                $0.request?.path != "/fine" && $0.isRequestComplete
            }
            try expect(!isComplete, "the server got a complete request")
        }
    }
}
