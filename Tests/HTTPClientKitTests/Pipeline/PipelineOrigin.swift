import HTTPTesting

@testable import HTTPClientKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A session that answers what it is told, one after the other and then the last for ever, on a clock
/// that a test moves.
struct PipelineOrigin: CallBeginning {
    enum Answer: Sendable {
        case status(HTTPStatus, String = "", HTTPHeaders = [:])
        case failure(HTTPError.Code)
    }

    let mock: MockSession
    let clock = HTTPTestClock()
    let retryDecisions = Rulings()

    init(_ answers: Answer...) {
        let count = Locked(0)
        mock = MockSession { request in
            let index = count.withLock { count in
                count += 1
                return min(count, answers.count) - 1
            }
            switch answers[index] {
            case .status(let status, let text, let headers):
                return HTTPResponse(
                    status, headers: headers, body: HTTPBody(text), to: request)
            case .failure(let code):
                throw HTTPError(code, "as the test says", mayHaveReachedServer: true)
            }
        }
    }

    /// How often it was asked.
    var sends: Int { mock.requests.count }

    func response(
        for request: HTTPRequest, through layers: [any HTTPClientMiddleware]
    ) async throws -> HTTPResponse {
        let request = try request.beginningCall(observer: retryDecisions, clock: clock)
        return try await with(layers).response(for: request)
    }

    func response(for request: HTTPRequest) async throws -> HTTPResponse {
        try await mock.response(for: request)
    }

    /// What `body` returns, while time passes for whoever sleeps.
    func onTestTime<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let time = Task {
            while true {
                try await clock.waitForSleepers(1)
                if let next = clock.nextDeadline { clock.advance(to: next) }
            }
        }
        defer { time.cancel() }
        return try await body()
    }

    /// What a pipeline fails with.
    func failure<Output>(of pipeline: HTTPPipeline<Output>) async throws -> HTTPPipelineFailure? {
        switch try await onTestTime({ try await pipeline.outcome() }) {
        case .success: nil
        case .failure(let failure): failure
        }
    }

    final class Rulings: HTTPObserver {
        private let kept = Locked([HTTPRetryDecision]())
        var all: [HTTPRetryDecision] { kept.withLock { $0 } }

        func observe(_ event: HTTPEvent) {
            if case .retry(let ruling) = event.kind { kept.withLock { $0.append(ruling) } }
        }
    }
}

struct PipelineMistake: Error, Equatable {
    var number = 1
}
