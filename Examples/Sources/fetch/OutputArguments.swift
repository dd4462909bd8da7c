import ArgumentParser
import HTTPClientKit
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The arguments for the output, and the loop that writes the response.
struct OutputArguments: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write the body to this file, with a progress bar.", valueName: "file"))
    var output: String?

    @Flag(
        help: """
            With -o: replace the file after all bytes have arrived. Until then, keep them beside \
            it, so that the same command continues the download.
            """)
    var resume = false

    @Flag(name: .shortAndLong, help: "Write the response's head before the body, with secrets.")
    var include = false

    @Flag(help: "Write JSON unchanged, also to a terminal.")
    var raw = false

    @Flag(help: "Treat a status of 400 or above as a failure, and write no body.")
    var fail = false

    @Option(
        help: ArgumentHelp("Fail if the body has more bytes than this.", valueName: "count"))
    var maxBytes: Int64?

    func validate() throws {
        guard resume else { return }
        guard output != nil else { throw ValidationError("--resume needs a file: -o") }
        guard !include, maxBytes == nil else {
            throw ValidationError("--resume cannot be combined with --include or --max-bytes")
        }
    }

    /// `true` if no output option is given.
    var isPlain: Bool {
        output == nil && !resume && !include && !raw && !fail && maxBytes == nil
    }

    /// The path of a file whose download can be resumed.
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
                Terminal.say("fetch: \(left.bytes) bytes are kept: repeat the command to continue")
            }
            throw error
        }
    }

    /// Writes the body piece by piece as it arrives: a slow disk or pipe slows the server down and
    /// does not fill the memory. JSON for a terminal is indented, unless it is long.
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
            if let output { Terminal.say("fetch: \(output) is incomplete: it has \(count) bytes") }
            throw error
        }
        if let json { try destination.write(json.text) }
        progress?.finish()
    }

    private func isIndented(_ response: HTTPResponse) -> Bool {
        guard output == nil, !raw, OutputFile.standardOutput.isTerminal,
            let subtype = response.headers.contentType?.subtype
        else { return false }
        return subtype == "json" || subtype.hasSuffix("+json")
    }

    private func check(count: Int64) throws(HTTPError) {
        guard let maxBytes, count > maxBytes else { return }
        throw HTTPError(.bodyTooLarge, "the body is longer than --max-bytes \(maxBytes)")
    }
}
