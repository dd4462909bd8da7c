import ArgumentParser
import HTTPClientKit
import HTTPServiceLifecycle
import HTTPSwiftLog
import HTTPSwiftMetrics
import HTTPSwiftTracing
import HTTPTransportCurl
import InMemoryTracing
import Logging
import Metrics
import ServiceLifecycle
import Tracing
import UnixSignals

@main
struct ObservedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "observed",
        abstract: "Polls URLs, and tells with a log, metrics and traces what happens.")

    @Flag(help: "Polls a server of its own, once, and ends.")
    var demo = false

    @Option(help: "The number of seconds between two rounds.")
    var every = 10.0

    @Option(
        help: "The lowest level of the log; requests and responses are at debug.",
        transform: { text in
            guard let level = Logger.Level(rawValue: text) else {
                throw ValidationError("The levels are \(Logger.Level.allCases).")
            }
            return level
        })
    var logLevel = Logger.Level.debug

    @Argument(help: "The URLs to poll.")
    var urls: [String] = []

    func validate() throws {
        guard demo != !urls.isEmpty else { throw ValidationError("Give --demo or URLs.") }
        guard (0.1...86400).contains(every) else {
            throw ValidationError("--every is a number of seconds from 0.1 to 86400.")
        }
    }

    func run() async throws {
        // The backends, which any others can replace.
        let level = logLevel
        LoggingSystem.bootstrap { _ in LogLines(level: level) }
        let metrics = MetricsTable()
        MetricsSystem.bootstrap(metrics)
        let tracer = InMemoryTracer()
        InstrumentationSystem.bootstrap(tracer)

        // The client, with a bridge to each.
        let logger = Logger(label: "observed")
        let transport = CurlTransport()
        var retry = RetryPolicy.standard
        retry.backoff = Backoff(base: .milliseconds(100), jitter: .none)
        let client = HTTPClient(transport: transport, retry: retry, cache: .inMemory) {
            $0.deadline = .seconds(demo ? 1 : 10)
            $0.logging = HTTPLogging(logger: logger, at: .debug)
            $0.observer = HTTPMetrics()
            $0.trace(with: tracer)
        }

        // The services. They end in the reverse of their order: the poller finishes its call, and
        // the client closes its connections.
        let target = demo ? try DemoTarget() : nil
        let service = HTTPClientService(client)
        let poller = Poller(
            client: service.client, transport: transport, urls: target?.urls ?? urls,
            pause: demo ? nil : .seconds(every), logger: logger, tracer: tracer)
        var configuration = ServiceGroupConfiguration(
            services: [
                .init(service: service),
                .init(service: poller, successTerminationBehavior: .gracefullyShutdownGroup),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: Logger(label: "services") { _ in LogLines(level: .warning) })
        configuration.maximumGracefulShutdownDuration = .seconds(30)
        try await ServiceGroup(configuration: configuration).run()

        logger.info("ended")
        print(metrics)
        target?.stop()
    }
}

/// A service that requests each URL in each round.
struct Poller: Service {
    let client: HTTPClient
    let transport: CurlTransport
    let urls: [String]
    /// The time between two rounds; `nil` for one round only.
    let pause: Duration?
    let logger: Logger
    let tracer: InMemoryTracer

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await poll()
        } onGracefulShutdown: {
            logger.info("ending")
        }
    }

    private func poll() async throws {
        repeat {
            await tracer.withSpan("round") { _ in
                for url in urls where !Task.isShuttingDownGracefully { await poll(url) }
            }
            print(SpanTree(tracer.popFinishedSpans()))
            let statistics = await transport.statistics()
            Gauge(label: "http.client.open_connections").record(statistics.total.open)
            guard let pause else { return }
            await cancelWhenGracefulShutdown { try? await Task.sleep(for: pause) }
        } while !Task.isShuttingDownGracefully && !Task.isCancelled
    }

    private func poll(_ url: String) async {
        do {
            let bytes = try await client.get(url).data()
            logger.info("polled", metadata: ["bytes": "\(bytes.count)"])
        } catch {
            logger.error(
                "not polled", metadata: ["error_type": "\(HTTPError.typeName(of: error))"])
        }
    }
}
