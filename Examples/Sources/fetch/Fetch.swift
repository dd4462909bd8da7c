import ArgumentParser
import HTTPClientKit
import TransportChoice

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A command-line HTTP client with the options of curl: one call, one response, everything
/// streamed.
@main
struct Fetch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Sends an HTTP request, follows redirects and writes the body of the response.",
        usage: "fetch [<options>] <url>",
        discussion: """
            Exit codes:
            \(FetchFailure.help)
            """,
        version: "fetch of swift-http-session, over\n" + TransportName.versions
    )

    @OptionGroup(title: "Request") var request: RequestArguments
    @OptionGroup(title: "Client") var client: ClientArguments
    @OptionGroup(title: "Output") var output: OutputArguments
    @OptionGroup(title: "Transport") var transport: TransportArguments

    @Flag(help: "Send over both stacks, one after the other, and compare the results.")
    var compare = false

    @Flag(name: .shortAndLong, help: "Write to standard error what is sent and received, and when.")
    var verbose = false

    @Flag(help: "With -v: write secrets, too.")
    var showSecrets = false

    @Flag(help: "Write to standard error where the time went.")
    var waterfall = false

    func validate() throws {
        if compare, !output.isPlain {
            throw ValidationError("--compare writes no response: remove the output options")
        }
        if compare, client.cache != nil {
            throw ValidationError("--compare sends over both stacks: remove --cache")
        }
        if compare, request.data.readsStandardInput {
            throw ValidationError("--compare sends twice, but standard input can be read only once")
        }
        if output.writeOut == "@-", request.data.readsStandardInput {
            throw ValidationError("standard input can be read only once: use @- once")
        }
        if output.continueAt != nil, request.data.hasBody {
            throw ValidationError("-C continues downloads: remove the data")
        }
    }

    // MARK: Running

    static func main() async {
        // Files that are opened later must not take the place of a closed stream.
        _ = InputFile.hasStandardInput
        OutputFile.fillStandardStreams()
        // Writing to a pipe that nothing reads is an error with an exit code.
        _ = signal(SIGPIPE, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        SecretArguments.blank()
        do {
            var command = try parseAsRoot(ShortOptions.separated(arguments))
            if let fetch = command as? Fetch { try await fetch.run() } else { try command.run() }
        } catch let code as ExitCode {
            // The message has been written.
            endProcess(code.rawValue)
        } catch {
            if exitCode(for: error) == .validationFailure, let hint = CurlOption.hint(arguments) {
                Terminal.say("fetch: \(hint)")
                exit(withError: ExitCode.validationFailure)
            }
            exit(withError: error)
        }
    }

    /// Returns the command of curl's arguments, with several short options behind one dash.
    static func command(_ arguments: [String]) throws -> Fetch {
        try parse(ShortOptions.separated(arguments))
    }

    func run() async throws {
        let outcome = Outcome()
        var format: WriteOut?
        var failure: FetchFailure?
        do {
            format = try output.writeOut.map { argument throws(HTTPError) in
                try WriteOut(argument: argument)
            }
            let call = try prepare()
            outcome.began(call.request, url: call.url)
            // In a task, so that an interrupt can cancel it: cancellation ends an exchange and
            // frees its connection. Before, an interrupt ends the program.
            let exchange = Task { try await fetch(call, outcome) }
            let interrupt = Interrupt { exchange.cancel() }
            defer { interrupt.stop() }
            try await exchange.value
        } catch {
            if let error = error as? HTTPError {
                outcome.failed(error)
                if verbose || waterfall, let timeline = error.timeline {
                    Terminal.write(
                        output.errorPalette.paint(waterfall: timeline.waterfall()) + "\n")
                }
            }
            failure = FetchFailure(error)
        }
        if let format {
            let texts = format.text(
                of: outcome.report(failure),
                escaping: (OutputFile.standardOutput.isTerminal, Terminal.isInteractive))
            Terminal.write(texts.error)
            do {
                try OutputFile.standardOutput.write(Data(texts.output.utf8))
            } catch {
                failure = failure ?? FetchFailure(error)
            }
        }
        guard let failure else { return }
        if output.showsErrors { Terminal.say("fetch: \(failure.message)") }
        throw ExitCode(failure.exitCode)
    }

    /// A call that can be sent: everything on the command line is checked, and standard input read.
    private struct Call: Sendable {
        let url: RequestURL
        let request: HTTPRequest
        let place: OutputPath
        let continued: ContinuedFile?
    }

    private func prepare() throws -> Call {
        let url = try request.makeURL()
        var request = try self.request.makeRequest(to: url)
        if let field = client.cookies.field { try request.setDefault(.cookie, field) }
        let place = try output.place(for: url)
        let continued = try output.continueAt.map { argument throws(HTTPError) in
            try ContinuedFile(argument: argument, path: place.path())
        }
        try continued?.complete(&request)
        // With nothing to leave out, the file is written anew.
        return Call(
            url: url, request: request, place: place,
            continued: continued?.offset == 0 ? nil : continued)
    }

    private func fetch(_ call: Call, _ outcome: Outcome) async throws {
        if compare { return try await compareTransports() }
        var request = call.request
        let client = try makeClient(over: transport.transport, for: &request, call.url)
        let result: Result<Void, any Error>
        do {
            result = .success(try await write(call, request, over: client, outcome))
        } catch {
            result = .failure(error)
        }
        // A response that is a failure may have set cookies, too.
        try await client.configuration.cookies?.close()
        try result.get()
    }

    private func write(
        _ call: Call, _ request: HTTPRequest, over client: HTTPClient, _ outcome: Outcome
    ) async throws {
        if output.resume {
            let head = try await output.download(
                request, over: client, to: call.place, decodes: self.request.compressed)
            outcome.received(head, fileName: call.place.path())
            return
        }
        try await client.withResponse(for: request) { response in
            outcome.received(response, fileName: call.place.path(for: response.head))
            let isFailure = response.status.code >= 400
            if output.fail, isFailure {
                try output.writeHead(
                    of: response, to: call.place, isHeadOnly: self.request.head,
                    continuing: call.continued)
                throw FetchFailure.status(response.status)
            }
            try await output.write(
                response, to: call.place, isHeadOnly: self.request.head,
                continuing: call.continued)
            if output.failWithBody, isFailure { throw FetchFailure.status(response.status) }
        }
    }

    private func makeClient(
        over transport: TransportName, for request: inout HTTPRequest, _ url: RequestURL
    ) throws -> HTTPClient {
        let decodesContent = self.request.compressed
        let session = try self.transport.makeSession(
            transport, for: &request, decodesContent: decodesContent)
        let log = MessageLog(
            showsMessages: verbose, showsSecrets: showSecrets, transport: transport,
            decodesContent: decodesContent, palette: output.errorPalette)
        return try client.makeClient(
            over: session, for: request, userInfo: url.userInfo,
            failsOnStatus: output.fail || output.failWithBody,
            log: verbose || waterfall ? log : nil)
    }

    private func compareTransports() async throws {
        var answers: [Comparison.Answer] = []
        for transport in TransportName.allCases {
            // Created for each transport: the deadline of an earlier request has already begun.
            let call = try prepare()
            var request = call.request
            let client = try makeClient(over: transport, for: &request, call.url)
            answers.append(try await Comparison.Answer(transport.rawValue, to: request, of: client))
            try await client.configuration.cookies?.close()
        }
        let comparison = Comparison(answers)
        // Each cell is escaped.
        try OutputFile.standardOutput.write(Data(comparison.description.utf8))
        if let error = comparison.failure { throw error }
        if comparison.differs { throw FetchFailure.different }
    }
}

/// The C library's `exit`, which the method of that name hides. The method also prepares the help,
/// which takes longer than many a request.
private func endProcess(_ code: Int32) -> Never { exit(code) }
