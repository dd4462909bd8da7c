import ArgumentParser
import DashboardModel
import HTTPClientKit
import HTTPServiceLifecycle
import HTTPTransportCurl
import Logging
import ServiceLifecycle
import UnixSignals

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@main
struct DashboardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dashboard",
        abstract: "Serves a page that shows the calls of an HTTP client while they run.")

    @Flag(help: "Sends requests of many kinds to servers of its own on the loopback interface.")
    var demo = false

    @Option(help: "The port of the page on 127.0.0.1; 0 for a free one.")
    var port = 8080

    @Option(help: "The number of seconds between two rounds.")
    var every = 2.0

    @Argument(help: "The URLs to poll.")
    var urls: [String] = []

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("There is no such port.") }
        guard (0.1...86400).contains(every) else {
            throw ValidationError("--every is a number of seconds from 0.1 to 86400.")
        }
        guard demo || !urls.isEmpty else { throw ValidationError("Give --demo or URLs.") }
    }

    func run() async throws {
        var logger = Logger(label: "dashboard") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning

        let dashboard = Dashboard()
        var connections = CurlConfiguration()
        connections.maximumConnectionsPerOrigin = 6
        let transport = try CurlTransport(connections)
        var retry = RetryPolicy.standard
        retry.backoff = Backoff(base: .milliseconds(200), jitter: .none)
        let service = HTTPClientService(
            HTTPClient(transport: transport, retry: retry, cache: .inMemory(limit: 8 << 20)) {
                $0.observer = dashboard
            }, grace: .seconds(2))

        var traffic: [any Service] = []
        if !urls.isEmpty {
            traffic.append(Poll(client: service.client, urls: urls, pause: .seconds(every)))
        }
        if demo { traffic.append(try Demo(client: service.client, pause: .seconds(every))) }

        // Services end in the reverse of this order: the page first, then the traffic, then the
        // client.
        let services: [any Service] =
            [service, Sampler(transport: transport, dashboard: dashboard)] + traffic + [
                page(of: dashboard, port: port, logger: logger) { port in
                    print("http://127.0.0.1:\(port)/")
                    _ = fflush(nil)
                }
            ]
        var configuration = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(5)
        try await ServiceGroup(configuration: configuration).run()
    }
}

/// Reads the statistics of the transport each second.
struct Sampler: Service {
    let transport: CurlTransport
    let dashboard: Dashboard

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                dashboard.note(ObservedStatistics(await transport.statistics()))
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }
}

/// Requests the same URLs again and again, one after the other.
struct Poll: Service {
    let client: HTTPClient
    let urls: [String]
    let pause: Duration

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                for url in urls where !Task.isCancelled { _ = try? await client.get(url).data() }
                try? await Task.sleep(for: pause)
            }
        }
    }
}
