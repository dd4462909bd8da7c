import ArgumentParser
import Dispatch
import HTTPClientKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A small webhook deliverer that behaves as a service manager expects.
@main
struct Daemon: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daemon",
        abstract: "Delivers webhooks: each line of standard input is a URL, a space and a body.",
        discussion: """
            Each delivery is a POST of JSON with an Idempotency-Key, retried by the standard \
            rules. When it is over, a line is written to standard output.

            SIGUSR1 prints statistics to standard error. SIGTERM accepts no further delivery and \
            waits for those under way, for at most --drain seconds; a second SIGTERM ends them at \
            once.

            Exit codes: 0 if nothing was cancelled, 1 otherwise. A delivery that a receiver \
            refuses is in the log and is no failure of the program.
            """
    )

    @Option(help: "The largest number of deliveries at a time.")
    var concurrency = 64

    @Option(help: "How often a delivery is retried.")
    var retries = 2

    @Option(help: "How long an attempt may take, in seconds.")
    var limit = 30.0

    @Option(help: "How long to wait after SIGTERM for deliveries under way, in seconds.")
    var drain = 10.0

    @Option(help: "Make this many deliveries to the URLs of --to in turn, and read none.")
    var generate: Int?

    @Option(help: "A URL for --generate; can be repeated.")
    var to: [String] = []

    func validate() throws {
        guard (1...10_000).contains(concurrency), retries >= 0 else {
            throw ValidationError("--concurrency takes 1 to 10000, --retries no negative number")
        }
        guard [limit, drain].allSatisfy({ (0.001...1e6).contains($0) }) else {
            throw ValidationError("--limit and --drain take a number of seconds above zero")
        }
        guard (generate == nil) == to.isEmpty, generate ?? 0 >= 0 else {
            throw ValidationError("--generate and --to go together")
        }
    }

    func run() async throws {
        let intake = Intake(generate.map { .generated($0, to: to) } ?? .standardInput)
        let deliverer = try Deliverer(
            concurrency: concurrency, retries: retries, limit: .seconds(limit))
        let delivering = Task { await deliverer.deliver(intake) }

        let drain = drain
        let signals = Signals([SIGTERM, SIGINT, SIGUSR1]) { signal in
            if signal == SIGUSR1 {
                Task { Console.tell("statistics \(await deliverer.statistics())") }
            } else if intake.stop() {
                deliverer.noteDraining()
                Task {
                    try await Task.sleep(for: .seconds(drain))
                    delivering.cancel()
                }
            } else {
                delivering.cancel()
            }
        }
        await delivering.value
        signals.stop()

        Console.tell("ended \(await deliverer.statistics())")
        if deliverer.tally.cancelled > 0 { throw ExitCode(1) }
    }
}
