import HTTPCore
import HTTPFormats
import HTTPRetry
import HTTPTesting
import HTTPValidation
import TestSupport
import Testing
import PortableFoundation

/// Every layer that sends twice, with one connection and one permit per origin. The first responses
/// have 2 MiB of unknown length: a layer that does not discard them first waits forever.
@Suite(.timeLimit(.minutes(5))) struct OneConnectionTests {
    enum Sender: String, CaseIterable, Sendable {
        case policy, verdict, replacingVerdict, failedByValidator
        case alternative, task, altRequest, altTask, hedging
    }

    private let clock = HTTPTestClock()

    private static let large = LoopbackResponse(
        content: .generated(count: 2 << 20), framing: .chunked)

    private static func large(_ status: Int) -> LoopbackResponse {
        var response = large
        response.status = status
        return response
    }

    private func layers(
        _ sender: Sender, _ other: HTTPRequest
    ) -> [any HTTPClientMiddleware] {
        let busy: @Sendable (HTTPResponse) -> Bool = { $0.status.code >= 400 }
        switch sender {
        case .policy:
            return [Retry(.standard)]
        case .verdict:
            return [Validation([ClosureValidator { r, _ in busy(r) ? .retry(.immediate) : .next }])]
        case .replacingVerdict:
            return [
                Validation([
                    ClosureValidator { response, _ in
                        guard busy(response) else { return .next }
                        var response = response
                        response.body = HTTPBody("replaced")
                        return .nextWithResponse(response)
                    }, ClosureValidator { r, _ in busy(r) ? .retry(.immediate) : .next },
                ])
            ]
        case .failedByValidator:
            return [Retry(.deciding(delay: .zero) { _ in .retry }), Validation()]
        case .alternative:
            return [
                Validation([
                    ClosureValidator { r, _ in
                        busy(r) ? .retry(.after(other) { _, _ in }) : .next
                    }
                ])
            ]
        case .task:
            return [
                Validation([
                    ClosureValidator { r, _ in busy(r) ? .retry(.afterTask { _ in }) : .next }
                ])
            ]
        case .altRequest:
            return [
                Validation([
                    HTTPAltRequestValidator(
                        statusCodes: [.serviceUnavailable],
                        onProvideAltRequest: { _, _ in other })
                ])
            ]
        case .altTask:
            return [Validation([HTTPAltTaskValidator(statusCodes: [.serviceUnavailable]) {}])]
        case .hedging:
            return [Retry(.standard, hedging: .after(.seconds(1)))]
        }
    }

    // MARK: One connection and one permit

    @Test(.rows("S0-19", "S0-21", "S0-35"), arguments: Wire.allCases, Sender.allCases)
    func `a layer that sends twice discards the first response before it sends again`(
        wire: Wire, sender: Sender
    ) async throws {
        let server = try LoopbackServer { request in
            request.path == "/other" ? Self.large : .ok("good")
        }
        server.enqueue(Self.large(503))
        let other = try HTTPRequest(.get, server.url("/other"))
        let session = try wire.session(connections: 1).with(
            layers(sender, other) + [OnePermit()])
        var request = try HTTPRequest(.get, server.url("/"))
        request.maxRetries = 1
        let begun = try request.beginningCall(clock: clock)
        let response = try await withoutWaiting(clock) { try await session.response(for: begun) }
        #expect(try await response.text() == "good")
        let isWithOther = sender == .alternative || sender == .altRequest
        #expect(server.snapshot.requestCount == (isWithOther ? 3 : 2))
    }

    @Test(arguments: Wire.allCases)
    func `what is not accepted holds neither`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in Self.large(404) }
        let session = try wire.session(connections: 1).with(Validation(), OnePermit())
        for _ in 0..<3 {
            let error = await #expect(throws: HTTPError.self) {
                try await session.response(for: server.url("/"))
            }
            #expect(error?.bodyPrefix?.count == 64 << 10)
        }
        #expect(server.snapshot.requestCount == 3)
    }
}
