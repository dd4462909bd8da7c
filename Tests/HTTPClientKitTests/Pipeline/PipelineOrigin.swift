import HTTPTesting
@testable import HTTPClientKit
import PortableFoundation

/// A session with prepared responses in order, the last of which is repeated for ever, on a clock
/// that the test advances.
struct PipelineOrigin: HTTPCallBeginning {
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

    /// The number of requests.
    var sends: Int { mock.requests.count }

    func beginningCall(for request: HTTPRequest) throws -> HTTPRequest {
        try request.beginningCall(observer: retryDecisions, clock: clock)
    }

    func response(for request: HTTPRequest) async throws -> HTTPResponse {
        try await mock.response(for: request)
    }

    /// Returns the result of `body`, while time advances for all sleepers.
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

    /// Returns the failure of a pipeline.
    func failure<Output>(of pipeline: HTTPPipeline<Output>) async throws -> HTTPPipelineFailure? {
        switch try await onTestTime({ try await pipeline.outcome() }) {
        case .success: nil
        case .failure(let failure): failure
        }
    }

    final class Rulings: HTTPObserver {
        private let kept = Locked([HTTPRetryEvent]())
        var all: [HTTPRetryEvent] { kept.withLock { $0 } }

        func observe(_ event: HTTPEvent) {
            guard case .layer(let decision as HTTPRetryEvent) = event.kind else { return }
            kept.withLock { $0.append(decision) }
        }
    }
}

struct PipelineMistake: Error, Equatable {
    var number = 1
}
