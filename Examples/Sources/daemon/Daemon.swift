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

/// A webhook deliverer: small, and with the manners that a service manager expects.
@main
struct Daemon: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daemon",
        abstract: "Delivers webhooks: each line of standard input is a URL, a blank and a body.",
        discussion: """
            Each delivery is a POST of JSON with an Idempotency-Key, sent again by the standard rules, and \
            a line on standard output when it is over.

            SIGUSR1 prints statistics to standard error. SIGTERM takes no further delivery and waits for \
            those under way, until the limit of --drain; a second one ends them at once.

            Exit codes: 0 when nothing was cancelled, 1 otherwise. What a receiver refuses is in the log and \
            no failure of the program.
            """
    )

    @Option(help: "Deliveries that are on the wire at a time, at most.")
    var concurrency = 64

    @Option(help: "How often a delivery is sent again.")
    var retries = 2

    @Option(help: "How long an attempt may take, in seconds.")
    var limit = 30.0

    @Option(help: "How long deliveries under way are waited for after SIGTERM, in seconds.")
    var drain = 10.0

    @Option(help: "Make this many deliveries instead of reading any, to the URLs of --to in turn.")
    var generate: Int?

    @Option(help: "For --generate; may be given again.")
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
