import HTTPClientKit
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// Tests every public number of the target at the edges of its type. A trap would end the tests.
@Suite(.timeLimit(.minutes(5))) struct HTTPClientKitNumbersTests {
    private let clock = HTTPTestClock()
    private let mock = MockSession {
        HTTPResponse(.ok, headers: [.link: "</?n>; rel=next"], body: HTTPBody("[1]"), to: $0)
    }
    private let failing = MockSession { _ in
        throw HTTPError(.connectionLost, "lost", isRetryable: true)
    }

    private func client(_ transport: any HTTPSession, deadline: Duration? = nil) -> HTTPClient {
        HTTPClient(transport: transport, validators: []) {
            $0.clock = clock
            $0.deadline = deadline
        }
    }

    private struct GetList: HTTPGetEndpoint {
        typealias Success = [Int]
        let timeout: Duration
        let route = "https://h/"
        func configure(_ configuration: inout HTTPEndpointConfiguration) {
            configuration.timeout = timeout
        }
    }

    @Test(arguments: Extremes.durations)
    func `deadlines, limits and waits are of any time`(duration: Duration) async throws {
        let (mock, failing) = (mock, failing)
        let clients = [
            client(mock), client(mock, deadline: duration), client(failing, deadline: duration),
        ]
        try await Extremes.run(on: clock) { [clock] in
            for client in clients {
                _ = try? await client.get("https://h/").timeout(duration).json([Int].self)
                _ = try? await GetList(timeout: duration).fetch(client)
                let request = try HTTPRequest(.get, "https://h/")
                _ = try? await client.pipeline(for: request).retry(2, delay: duration).value()
                let dropping = client.pipeline(for: request).retryDecision(
                    maxRetries: 2, delay: duration
                ) { (_: RetryAttempt) in .retry }
                _ = try? await dropping.value()
                var options = HTTPEventSourceOptions()
                options.clock = clock
                options.maxFailures = 2
                options.reconnectionTime = duration
                for longest in Extremes.durations {
                    options.longestWait = longest
                    do {
                        for try await _ in try client.events(from: "https://h/", options: options) {
                        }
                    } catch is HTTPError {}
                }
            }
        }
    }

    @Test(arguments: Extremes.counts)
    func `pages, retries, failures and limits are of any number`(count: Int) async throws {
        let (clients, failing) = ([client(mock), client(failing)], client(failing))
        try await Extremes.run(on: clock) { [clock] in
            for client in clients {
                _ = try? await client.get("https://h/").maxRetries(count).response()
                let request = try HTTPRequest(.get, "https://h/")
                let pages = try client.pages(of: request, limit: count)
                do { for try await _ in pages {} } catch is HTTPError {}
                let pipeline = client.pipeline(for: request)
                // Only a response ends a pipeline that retries for ever.
                if count < 2 { _ = try? await pipeline.retry(count).value() }
                _ = try? await pipeline.allowed(statusCode: count).value()
                _ = try? await pipeline.allowed(statusCodes: count...).value()
            }
            var options = HTTPEventSourceOptions()
            options.clock = clock
            options.limit = count
            options.maxFailures = min(count, 3)
            do {
                for try await _ in try failing.events(from: "https://h/", options: options) {}
            } catch is HTTPError {}
        }
        for length in Extremes.lengths {
            for kind in [HTTPTransferProgress.Kind.download, .upload] {
                let progress = HTTPTransferProgress(kind, bytes: Int64(count), length: length)
                #expect(progress.fraction.map { (0...1).contains($0) } ?? true)
            }
        }
    }
}
