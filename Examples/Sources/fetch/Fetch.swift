import ArgumentParser
import HTTPClientKit
import TransportChoice

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A command-line HTTP client: one call, one response, everything streamed.
@main
struct Fetch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Sends an HTTP request, follows redirects and writes the body of the response.",
        discussion: """
            Exit codes:
            \(FetchFailure.help)
            """,
        version: TransportName.versions
    )

    @OptionGroup(title: "Request") var request: RequestArguments
    @OptionGroup(title: "Client") var client: ClientArguments
    @OptionGroup(title: "Output") var output: OutputArguments

    @Option(help: "The network stack to send with.")
    var transport = TransportName.curl

    @Flag(help: "Send over both stacks, one after the other, and compare the results.")
    var compare = false

    @Flag(name: .shortAndLong, help: "Write to standard error what is sent and received, and when.")
    var verbose = false

    func validate() throws {
        if compare, !output.isPlain {
            throw ValidationError("--compare writes no response: remove the output options")
        }
        if compare, client.cache != nil {
            throw ValidationError("--compare sends over both stacks: remove --cache")
        }
    }

    func run() async throws {
        // In a task, so that an interrupt can cancel it: cancellation ends an exchange and frees
        // its connection.
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
        if compare { return try await compareTransports() }
        let request = try self.request.makeRequest()
        let client = try makeClient(over: transport, for: request)
        let result: Result<Void, any Error>
        do {
            result = .success(try await write(request, over: client))
        } catch {
            result = .failure(error)
        }
        // A response that is a failure may have set cookies, too.
        try await client.configuration.cookies?.close()
        try result.get()
    }

    private func write(_ request: HTTPRequest, over client: HTTPClient) async throws {
        if let path = output.resumable {
            return try await output.download(request, over: client, to: path)
        }
        try await client.withResponse(for: request) { response in
            if output.fail, response.status.code >= 400 {
                throw FetchFailure.status(response.status)
            }
            try await output.write(response)
        }
    }

    private func makeClient(
        over transport: TransportName, for request: HTTPRequest
    ) throws -> HTTPClient {
        try client.makeClient(
            over: try transport.makeSession(), for: request, log: verbose ? MessageLog() : nil)
    }

    private func compareTransports() async throws {
        var answers: [Comparison.Answer] = []
        for transport in TransportName.allCases {
            // Created for each transport: the deadline of an earlier request has already begun.
            let request = try self.request.makeRequest()
            let client = try makeClient(over: transport, for: request)
            answers.append(try await Comparison.Answer(transport.rawValue, to: request, of: client))
            try await client.configuration.cookies?.close()
        }
        let comparison = Comparison(answers)
        try OutputFile.standardOutput.write(Data(comparison.description.utf8))
        if let error = comparison.failure { throw error }
        if comparison.differs { throw FetchFailure.different }
    }
}
