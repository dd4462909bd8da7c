import Configuration
import HTTPClientKit
import HTTPCombine
import HTTPServiceLifecycle
import HTTPSwiftConfiguration
import HTTPSwiftLog
import HTTPSwiftMetrics
import HTTPSwiftTracing
import HTTPSwiftTypes
import HTTPTesting
import HTTPTypes
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import ServiceLifecycle
import Synchronization
import Testing
import UnixSignals

#if canImport(Combine)
    import Combine
#else
    import OpenCombine
#endif

private struct Poller: Service {
    let client: HTTPClient
    func run() async throws {}
}

private struct User: Decodable { var name: String }

/// The code of Docs/Guides/Integrations.md, word for word.
@Suite(.timeLimit(.minutes(5))) struct IntegrationsGuideTests {
    private let handler = InMemoryLogHandler()

    private var logger: Logger {
        var logger = Logger(label: "guide") { [handler] _ in handler }
        logger.logLevel = .debug
        return logger
    }

    @Test func `logs, metrics and traces together`() async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        let (factory, tracer) = (TestMetrics(), InMemoryTracer())
        let client = HTTPClient()
        let observed = client.deriving {
            $0.logging = HTTPLogging(.headers, logger: logger)
            $0.observer = HTTPMetrics(factory: factory)
            $0.trace(with: tracer)
        }
        _ = try await observed.get(server.url("/")).text()
        while tracer.finishedSpans.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(handler.entries.count == 3)
        #expect(factory.timers(label: "http.client.call.duration").count <= 1)
    }

    @Test func `a service that ends gracefully`() async throws {
        let client = HTTPClient()
        func serve() async throws {
            let service = HTTPClientService(client, grace: .seconds(20))
            let poller = Poller(client: service.client)
            let group = ServiceGroup(
                services: [service, poller], gracefulShutdownSignals: [.sigterm], logger: logger)
            try await group.run()
        }
        // The poller of this test returns at once, which ends the group with an error.
        let error = await #expect(throws: ServiceGroupError.self) { try await serve() }
        #expect(error.map { "\($0)".contains("Poller") } == true)
    }

    @Test func `a client from configuration`() throws {
        let config = ConfigReader(provider: EnvironmentVariablesProvider())
        let client = try HTTPClient(config: config.scoped(to: "http"))
        #expect(client.configuration.deadline == nil)
        let own = EnvironmentVariablesProvider(environmentVariables: [
            "HTTP_BASE_URL": "https://h/v1/", "HTTP_DEADLINE_SECONDS": "5",
            "HTTP_MAX_RETRIES": "3", "HTTP_BEARER_TOKEN": "Hidden",
        ])
        let reader = ConfigReader(provider: own)
        let configuration = try HTTPClient(config: reader.scoped(to: "http")).configuration
        #expect(configuration.baseURL?.logSafe == "https://h/v1/")
        #expect(configuration.deadline == .seconds(5) && configuration.retry.maxRetries == 3)
        #expect(configuration.authentication.count == 1)
    }

    @Test func `values of another package`() async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        let parts = HTTPTypes.HTTPRequest(
            method: .get, scheme: "http", authority: "127.0.0.1:\(server.port)", path: "/")
        let client = HTTPClient()
        let outgoing = try HTTPCore.HTTPRequest(parts)
        let response = try await client.response(for: outgoing)
        let head = try HTTPTypes.HTTPResponse(response)
        #expect(head.status == .ok)
    }

    @Test func `publishers`() async throws {
        let server = try LoopbackServer { request in
            request.path == "/events" ? .ok("a\nb\n") : .json(#"{"name": "Ada"}"#)
        }
        let client = try HTTPClient(baseURL: server.url("/"))
        let names = HTTPPublisher { try await client.get("users/1").json(User.self) }
            .map(\.name)
            .retry(1)
        let lines = HTTPPublisher(client.get("events").lines)
        for (publisher, expected) in [
            (names.eraseToAnyPublisher(), ["Ada"]), (lines.eraseToAnyPublisher(), ["a", "b"]),
        ] {
            let state = Mutex((values: [String](), isOver: false))
            let received = Received { value in
                state.withLock {
                    if let value { $0.values.append(value) } else { $0.isOver = true }
                }
            }
            let subscription = publisher.sink(
                receiveCompletion: { _ in received.note(nil) },
                receiveValue: { received.note($0) })
            while !state.withLock({ $0.isOver }) { try await Task.sleep(for: .milliseconds(1)) }
            #expect(state.withLock { $0.values } == expected)
            withExtendedLifetime(subscription) {}
        }
    }

    private struct Received: Sendable { let note: @Sendable (String?) -> Void }

    @Test func `the page shows this code`() throws {
        let page = try GuidePage("Integrations", testedIn: #filePath)
        #expect(page.blocks.count == 5)
        #expect(page.untested == [])
    }
}
