import ArgumentParser
import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The arguments that say where the response goes, and the loop that brings it there.
struct OutputArguments: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write the body to this file, with a progress bar.", valueName: "file"))
    var output: String?

    @Flag(name: .shortAndLong, help: "Write the response's head before the body, secrets included.")
    var include = false

    @Flag(help: "Take a status of 400 and above for a failure, and write no body then.")
    var fail = false

    @Option(
        help: ArgumentHelp("Give up on a body of more octets than this.", valueName: "count"))
    var maxBytes: Int64?

    /// Writes the body piece by piece as it arrives: a slow disk or pipe slows the server down
    /// instead of filling the memory.
    func write(_ response: HTTPResponse) async throws {
        try check(count: response.body.length ?? 0)
        let destination = try output.map { try OutputFile($0) } ?? .standardOutput
        if include { try destination.write(Data((response.head.text + "\n").utf8)) }

        var progress = output == nil ? nil : Progress(expected: response.body.length)
        var count: Int64 = 0
        do {
            for try await piece in response.body {
                try check(count: count + Int64(piece.count))
                try destination.write(piece)
                count += Int64(piece.count)
                progress?.advance(to: count)
            }
        } catch {
            progress?.stop()
            if let output { Terminal.say("fetch: \(output) is incomplete: \(count) octets of it") }
            throw error
        }
        progress?.finish()
    }

    private func check(count: Int64) throws(HTTPError) {
        guard let maxBytes, count > maxBytes else { return }
        throw HTTPError(.bodyTooLarge, "the body is longer than --max-bytes \(maxBytes)")
    }
}
