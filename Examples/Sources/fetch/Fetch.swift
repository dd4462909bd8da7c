import ArgumentParser
import HTTPCore
import TransportChoice

/// A command-line HTTP client: one request, one response, everything streamed.
@main
struct Fetch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Sends one HTTP request and writes the response's body.",
        discussion: """
            Redirects are not followed: a 3xx is an answer like any other.

            Exit codes:
            \(FetchFailure.help)
            """
    )

    @OptionGroup(title: "Request") var request: RequestArguments
    @OptionGroup(title: "Output") var output: OutputArguments

    @Option(help: "The network stack to send with.")
    var transport = TransportName.curl

    @Flag(name: .shortAndLong, help: "Tell on standard error what is sent and received, and when.")
    var verbose = false

    func run() async throws {
        // In a task, so that an interrupt can cancel it: cancelling is all it takes to end an
        // exchange and to free its connection.
        let exchange = Task { try await fetch() }
        let interrupt = Interrupt { exchange.cancel() }
        defer { interrupt.stop() }
        do {
            try await exchange.value
        } catch {
            if verbose, let timeline = (error as? HTTPError)?.timeline {
                Terminal.say(timeline.waterfall())
            }
            let failure = FetchFailure(error)
            Terminal.say("fetch: \(failure.message)")
            throw ExitCode(failure.exitCode)
        }
    }

    private func fetch() async throws {
        let request = try self.request.makeRequest()
        let session = try transport.makeSession()
        let log = MessageLog(isOn: verbose)

        log.sending(request, to: try request.checkedTarget())
        try await session.withResponse(for: request) { response in
            log.received(response)
            if output.fail, response.status.code >= 400 {
                throw FetchFailure.status(response.status)
            }
            try await output.write(response)
            log.ended(response)
        }
    }
}
