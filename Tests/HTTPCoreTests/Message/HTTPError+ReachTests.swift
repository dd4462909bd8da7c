import Testing
@testable import HTTPCore
import PortableFoundation

@Suite struct HTTPErrorReachTests {
    private struct Foreign: Error {}

    private static let phases: [(HTTPError.Phase, Bool)] = [
        (.preparing, false), (.queued, false), (.resolving, false), (.connecting, false),
        (.securing, false), (.sending, true), (.waiting, true), (.receiving, true),
    ]

    @Test(arguments: phases)
    func `an error that does not say goes by its phase`(
        phase: HTTPError.Phase, hasReached: Bool
    ) {
        for code in [HTTPError.Code.timedOut, .connectionLost, .internalFailure] {
            let error = HTTPError(code, "", phase: phase)
            #expect(error.mayHaveReachedServer == hasReached && error.reachedNoServer != hasReached)
            let told = HTTPError(code, "", phase: phase, mayHaveReachedServer: !hasReached)
            #expect(told.mayHaveReachedServer != hasReached)
        }
        let onTheWay = [HTTPError.Phase.resolving, .connecting, .securing].contains(phase)
        #expect(HTTPError(.timedOut, "", phase: phase).endedOnTheWay == onTheWay)
    }

    @Test(
        arguments: [
            (.connectionLost, true), (.protocolViolation, true), (.headersTooLarge, true),
            (.bodyIncomplete, true), (.timedOut, true), (.cannotConnect, false),
            (.nameNotResolved, false), (.tlsFailed, false), (.serverNotTrusted, false),
            (.proxyFailed, false), (.queueFull, false), (.invalidRequest, false),
            (.sessionClosed, false),
        ] as [(HTTPError.Code, Bool)])
    func `without a phase, it goes by its code`(code: HTTPError.Code, hasReached: Bool) {
        #expect(HTTPError(code, "").mayHaveReachedServer == hasReached)
    }

    @Test func `a response has come from a server, and a limit of connecting has ended before one`()
        throws
    {
        let head = HTTPResponse.Head(status: .ok, url: try URL(strictly: "https://h/"))
        #expect(HTTPError(.cannotConnect, "", response: head).mayHaveReachedServer)
        #expect(
            !HTTPError(.proxyFailed, "", mayHaveReachedServer: false, response: head)
                .mayHaveReachedServer)
        for (name, hasReached) in [
            (.connect, false), (.tls, false), (.idle, true), (.responseHead, true), (.total, true),
            (.deadline, true),
        ] as [(HTTPError.Timer.Name, Bool)] {
            let error = HTTPError(.timedOut, "", timer: HTTPError.Timer(name, .seconds(1)))
            #expect(error.mayHaveReachedServer == hasReached, "\(name)")
            #expect(error.endedOnTheWay != hasReached, "\(name)")
        }
    }

    @Test func `other errors do not say, so they may have reached a server`() {
        #expect(!Foreign().reachedNoServer && !CancellationError().reachedNoServer)
        #expect(HTTPError(.cannotConnect, "").reachedNoServer)
    }

    @Test func `an error after a response says so, and nothing else changes`() {
        let error = HTTPError(.cannotConnect, "refused", phase: .connecting, isRetryable: true)
        let after = error.afterResponse as? HTTPError
        #expect(after?.mayHaveReachedServer == true)
        #expect(after?.code == error.code && after?.phase == error.phase)
        #expect(after?.message == error.message && after?.isRetryable == true)
        #expect(error.havingReachedServer(false).reachedNoServer)
        #expect(CancellationError().afterResponse is CancellationError)
    }
}
