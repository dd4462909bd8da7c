import ArgumentParser
import HTTPClientKit
import Synchronization

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

    @Flag(
        help: """
            With -o: replace the file when all has arrived, and until then keep what there is beside it, \
            so that the same command goes on.
            """)
    var resume = false

    @Flag(name: .shortAndLong, help: "Write the response's head before the body, secrets included.")
    var include = false

    @Flag(help: "Write JSON as it came on a terminal, too.")
    var raw = false

    @Flag(help: "Take a status of 400 and above for a failure, and write no body then.")
    var fail = false

    @Option(
        help: ArgumentHelp("Give up on a body of more bytes than this.", valueName: "count"))
    var maxBytes: Int64?

    func validate() throws {
        guard resume else { return }
        guard output != nil else { throw ValidationError("--resume needs a file: -o") }
        guard !include, maxBytes == nil else {
            throw ValidationError("--resume goes neither with --include nor with --max-bytes")
        }
    }

    /// Whether nothing was asked for.
    var isPlain: Bool {
        output == nil && !resume && !include && !raw && !fail && maxBytes == nil
    }

    /// The file that is to be loaded so that an end on the way is no loss.
    var resumable: String? { resume ? output : nil }

    func download(
        _ request: HTTPRequest, over client: HTTPClient, to path: String
    ) async throws {
        let bar = Mutex<Progress?>(nil)
        do {
            try await client.download(request, to: path) { step in
                bar.withLock { bar in
                    bar = bar ?? Progress(expected: step.length, from: step.resumedOffset ?? 0)
                    bar?.advance(to: step.bytes)
                }
            }
            bar.withLock { $0?.finish() }
        } catch {
            bar.withLock { $0?.stop() }
            if let left = HTTPResumeData(downloadTo: path) {
                Terminal.say("fetch: \(left.bytes) bytes are kept: the same command goes on")
            }
            throw error
        }
    }

    /// Writes the body piece by piece as it arrives: a slow disk or pipe slows the server down
    /// instead of filling the memory. JSON for a terminal is indented, unless it is long.
    func write(_ response: HTTPResponse) async throws {
        try check(count: response.body.length ?? 0)
        let destination = try output.map { try OutputFile($0) } ?? .standardOutput
        if include { try destination.write(Data((response.head.text + "\n").utf8)) }

        var progress = output == nil ? nil : Progress(expected: response.body.length)
        var json = isIndented(response) ? IndentedJSON() : nil
        var count: Int64 = 0
        do {
            for try await piece in response.body {
                try check(count: count + Int64(piece.count))
                try destination.write(json?.add(piece) ?? piece)
                count += Int64(piece.count)
                progress?.advance(to: count)
            }
        } catch {
            progress?.stop()
            if let json { try? destination.write(json.bytes) }
            if let output { Terminal.say("fetch: \(output) is incomplete: \(count) bytes of it") }
            throw error
        }
        if let json { try destination.write(json.text) }
        progress?.finish()
    }

    private func isIndented(_ response: HTTPResponse) -> Bool {
        output == nil && !raw && OutputFile.standardOutput.isTerminal
            && response.headers.contentType?.isIn(.json) == true
    }

    private func check(count: Int64) throws(HTTPError) {
        guard let maxBytes, count > maxBytes else { return }
        throw HTTPError(.bodyTooLarge, "the body is longer than --max-bytes \(maxBytes)")
    }
}
