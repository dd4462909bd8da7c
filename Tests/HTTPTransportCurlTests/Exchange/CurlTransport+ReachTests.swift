import HTTPCore
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

/// The errors of exchanges that something outside of them ends: how far they had come, and whether
/// the server may have the request. See `ReachCases` for what every transport has to say.
@Suite(.timeLimit(.minutes(5))) struct CurlTransportReachTests {
    enum Stage: String, CaseIterable, CustomTestStringConvertible {
        case queued, resolving, connecting
        var testDescription: String { rawValue }
        var phase: HTTPError.Phase? { HTTPError.Phase(rawValue: rawValue) }
    }

    @Test(arguments: Stage.allCases)
    func `closing before anything was sent says so`(stage: Stage) async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { _ -> LoopbackScript in [.pause(until: gate), .stall] }
        let full = try FullListener()
        defer { full.close() }
        var configuration = CurlConfiguration()
        configuration.timeouts.connect = .after(.seconds(120))
        configuration.maximumConnectionsPerOrigin = 1
        let hasAsked = Gate()
        if stage == .resolving {
            configuration.resolver = { _, _ in
                hasAsked.open()
                try await Task.sleep(for: .seconds(3600))
                return HostAddresses([])
            }
        }
        let session = try CurlTransport(configuration)
        let url =
            switch stage {
            case .queued: server.url("/")
            case .resolving: "http://service.test/"
            case .connecting: "http://127.0.0.1:\(full.port)/"
            }
        if stage == .queued {
            let first = Task { try await session.response(for: url) }
            defer { first.cancel() }
            try await gate.reached()
            try await check(session, url, stage) { $0.waiting == 1 }
        } else {
            try await check(session, url, stage) { $0.active == 1 }
        }
    }

    private func check(
        _ session: CurlTransport, _ url: String, _ stage: Stage,
        when isThere: (CurlStatistics.Counts) -> Bool
    ) async throws {
        let request = try HTTPRequest(.post, url, body: HTTPBody("hello"))
        let call = Task { try await session.response(for: request) }
        while !isThere(await session.statistics().total) { await Task.yield() }
        await session.close(grace: .zero)
        let error = await #expect(throws: HTTPError.self) { try await call.value }
        #expect(error?.code == .sessionClosed && error?.phase == stage.phase, "\(error as Any)")
        #expect(error?.mayHaveReachedServer == false)
    }

    // MARK: The law

    private static let errors: [HTTPError] = [
        HTTPError(.requestBodyFailed, "x", phase: .preparing),
        HTTPError(.requestBodyFailed, "x", phase: .receiving, mayHaveReachedServer: true),
        HTTPError(.versionNotSpoken, "x", phase: .securing), .addressBlocked,
        HTTPError.transportClosed,
        HTTPError(.queueTimedOut, "x", phase: .queued),
        HTTPError(.internalFailure, "x", mayHaveReachedServer: true),
    ]

    @Test(arguments: errors)
    func `the end of an exchange says whether the request was written`(error: HTTPError) throws {
        let request = try HTTPRequest(.post, "http://localhost/", body: HTTPBody("x"))
        for (isWritten, isRefused) in [(false, false), (true, false), (true, true)] {
            let transfer = try TransferRig().transfer(request)
            transfer.machine.admit()
            if isWritten {
                _ = transfer.machine.write(
                    Resends.Send(connections: 1, bytes: 0, isIdempotent: false, seesStreams: true))
            }
            if isRefused { transfer.machine.refuse() }
            transfer.end(.failed(error))
            guard case .failed(let end) = transfer.machine.end else {
                Issue.record("no failure")
                continue
            }
            let told = try #require(end as? HTTPError)
            #expect(told.code == error.code)
            #expect(told.mayHaveReachedServer == (isWritten && !isRefused))
            #expect(told.phase != nil)
        }
    }

    @Test func `an error from outside has the phase of the exchange`() throws {
        let request = try HTTPRequest(.post, "http://localhost/", body: HTTPBody("x"))
        let transfer = try TransferRig().transfer(request)
        func phase() throws -> HTTPError.Phase? {
            let error = try #require(transfer.reaching(HTTPError.transportClosed) as? HTTPError)
            #expect(
                error.mayHaveReachedServer
                    == [.sending, .waiting, .receiving].contains(error.phase))
            return error.phase
        }
        #expect(try phase() == .queued)
        transfer.machine.admit()
        #expect(try phase() == .connecting)
        _ = transfer.machine.write(
            Resends.Send(connections: 1, bytes: 0, isIdempotent: false, seesStreams: true))
        #expect(try phase() == .waiting)
        transfer.machine.receive()
        _ = transfer.machine.receive(head: .ok, mayBeHTTP1: true)
        #expect(try phase() == .receiving)
        #expect(transfer.reaching(CancellationError()) is CancellationError)
    }
}
