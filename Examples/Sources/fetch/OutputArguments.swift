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
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp(
            "Write the body to this file, with its progress; - is standard output.",
            valueName: "file"))
    var output: String?

    @Flag(
        name: [.customShort("O"), .long],
        help: "Write the body to a file with the name at the end of the URL's path.")
    var remoteName = false

    @Flag(
        name: [.customShort("J"), .long],
        help: "With -O: take the name from the response, and replace no file.")
    var remoteHeaderName = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The folder for -o and -O.", valueName: "folder"))
    var outputDir: String?

    @Flag(help: "Create the folders that the output needs.")
    var createDirs = false

    @Flag(
        help: """
            With -o or -O: replace the file after all bytes have arrived. Until then, keep them \
            beside it, so that the same command continues the download.
            """)
    var resume = false

    @Option(
        name: [.customShort("C"), .long], parsing: .unconditional,
        help: ArgumentHelp(
            """
            Leave out this many bytes, or with - those in the file, and add the rest to the file \
            as it is. --resume also checks that they belong together.
            """, valueName: "offset"))
    var continueAt: String?

    @Flag(name: .shortAndLong, help: "Write the response's head before the body, with secrets.")
    var include = false

    @Option(
        name: [.customShort("D"), .long], parsing: .unconditional,
        help: ArgumentHelp("Write the response's head to this file.", valueName: "file"))
    var dumpHeader: String?

    @Flag(help: "Write the body unchanged, also to a terminal.")
    var raw = false

    @Flag(help: "Write no colours, also to a terminal. NO_COLOR has the same meaning.")
    var noColor = false

    @Flag(
        name: .shortAndLong, help: "Treat a status of 400 or above as a failure, and write no body."
    )
    var fail = false

    @Flag(help: "Treat a status of 400 or above as a failure, but write the body.")
    var failWithBody = false

    @Option(
        name: [.long, .customLong("max-filesize")],
        help: ArgumentHelp("Fail if the body has more bytes than this.", valueName: "count"))
    var maxBytes: Int64?

    @Option(
        name: [.customShort("w"), .long], parsing: .unconditional,
        help: ArgumentHelp(
            """
            Write this at the end, with variables such as %{http_code} and %{time_total}, \
            %header{name} and %{json}; @FILE takes it from a file.
            """, valueName: "format"))
    var writeOut: String?

    @Flag(name: .shortAndLong, help: "Write no progress and no errors.")
    var silent = false

    @Flag(name: [.customShort("S"), .long], help: "With -s: write errors.")
    var showError = false

    @Flag(
        name: [.long, .customLong("no-progress-bar")],
        help: "Write no progress.")
    var noProgressMeter = false

    @Flag(
        name: [
            .customShort("N"), .customLong("no-buffer"), .customShort("g"), .customLong("globoff"),
            .customShort("q"), .customLong("disable"), .customLong("progress-bar"),
        ],
        help: "Accepted for curl's sake: this is how the program works.")
    var asAlways = false

    func validate() throws {
        guard output == nil || !remoteName else {
            throw ValidationError("the output has one name: -o or -O")
        }
        guard !remoteHeaderName || remoteName else { throw ValidationError("-J belongs to -O") }
        guard !fail || !failWithBody else {
            throw ValidationError("remove --fail or --fail-with-body")
        }
        if continueAt != nil {
            guard !resume, !remoteHeaderName else {
                throw ValidationError("-C cannot be combined with --resume or -J")
            }
        }
        guard resume else { return }
        guard remoteName || output != nil && output != "-" else {
            throw ValidationError("--resume needs a file: -o")
        }
        guard !include, !remoteHeaderName, maxBytes == nil, dumpHeader == nil else {
            throw ValidationError(
                "--resume cannot be combined with --include, -D, -J or --max-bytes")
        }
    }

    /// `true` if no output option is given.
    var isPlain: Bool {
        output == nil && !remoteName && continueAt == nil && !resume && !include && !raw && !fail
            && !failWithBody && maxBytes == nil && dumpHeader == nil && writeOut == nil
    }

    /// Says something about the response, unless `-s` forbids it.
    private func say(_ line: String) { if !silent { Terminal.say(line) } }

    var showsErrors: Bool { !silent || showError }

    private var showsProgress: Bool { !silent && !noProgressMeter }

    /// The colours for standard output.
    private var palette: Palette {
        .of(isTerminal: OutputFile.standardOutput.isTerminal, noColor: noColor)
    }

    /// The colours for standard error.
    var errorPalette: Palette { .of(isTerminal: Terminal.isInteractive, noColor: noColor) }

    /// Returns the place for the body.
    ///
    /// - Throws: `fileNotWritten` if the URL has no name for `-O`.
    func place(for url: RequestURL) throws(HTTPError) -> OutputPath {
        func place(_ name: OutputPath.Name) -> OutputPath {
            OutputPath(name: name, folder: outputDir, createsFolders: createDirs)
        }
        guard remoteName else {
            return place(output.map { $0 == "-" ? .standardOutput : .given($0) } ?? .standardOutput)
        }
        guard let name = url.fileName else {
            throw HTTPError(
                .fileNotWritten, "the URL's path does not end with a name for -O: use -o")
        }
        return place(.remote(name, asksResponse: remoteHeaderName))
    }

    // MARK: Downloads

    func download(
        _ request: HTTPRequest, over client: HTTPClient, to place: OutputPath, decodes: Bool
    ) async throws -> HTTPResponse.Head? {
        guard let path = place.path() else { return nil }
        try place.prepare(path)
        let bar = Mutex<Progress?>(nil)
        let showsProgress = showsProgress
        do {
            var options = HTTPDownloadOptions()
            options.decoding = decodes ? .automatic : .never
            let download = try await client.download(request, to: path, options: options) { step in
                guard showsProgress else { return }
                bar.withLock { bar in
                    bar = bar ?? Progress(expected: step.length, from: step.resumedOffset ?? 0)
                    bar?.advance(to: step.bytes)
                }
            }
            bar.withLock { $0?.finish() }
            return download.response
        } catch {
            bar.withLock { $0?.stop() }
            if let left = HTTPResumeData(downloadTo: path) {
                say("fetch: \(left.bytes) bytes are kept: repeat the command to continue")
            }
            throw error
        }
    }

    // MARK: Writing

    /// Writes the body piece by piece as it arrives: a slow disk or pipe slows the server down and
    /// does not fill the memory. JSON for a terminal is indented and coloured, and other text is
    /// escaped there.
    ///
    /// - Parameters:
    ///   - isHeadOnly: `true` to write the head in place of the body.
    ///   - continued: The file that is continued, or `nil`.
    func write(
        _ response: HTTPResponse, to place: OutputPath, isHeadOnly: Bool = false,
        continuing continued: ContinuedFile? = nil
    ) async throws {
        try check(count: response.body.length ?? 0)
        let heads = try dumpHeads(of: response)
        let destination: OutputFile
        var count: Int64 = 0
        switch try continued?.rest(response.head) {
        case .nothing: return await response.discard()
        case .body?:
            count = continued?.offset ?? 0
            let path = place.path()
            if let path { try place.prepare(path) }
            destination = try path.map { try OutputFile($0, .appending) } ?? .standardOutput
        // Something else must not become part of the file.
        case .other?: destination = .standardOutput
        case nil: destination = try place.open(for: response.head)
        }
        if include || isHeadOnly { try destination.write(text: heads) }
        try await write(response, to: destination, from: count)
    }

    /// Writes what is asked for of the head of a response whose body is not written.
    func writeHead(
        of response: HTTPResponse, to place: OutputPath, isHeadOnly: Bool,
        continuing continued: ContinuedFile?
    ) throws(HTTPError) {
        let heads = try dumpHeads(of: response)
        guard include || isHeadOnly else { return }
        let file = try continued == nil ? place.open(for: response.head) : .standardOutput
        try file.write(text: heads)
    }

    /// Returns the heads of a response and of those before it, written to the file for them.
    private func dumpHeads(of response: HTTPResponse) throws(HTTPError) -> String {
        let heads = (response.history + [response.head]).map { $0.text + "\n" }.joined()
        if let dumpHeader {
            let file = try dumpHeader == "-" ? OutputFile.standardOutput : OutputFile(dumpHeader)
            try file.write(text: heads)
        }
        return heads
    }

    private func write(
        _ response: HTTPResponse, to destination: OutputFile, from offset: Int64
    ) async throws {
        var progress =
            destination.isFile && showsProgress
            ? Progress(expected: response.body.length.map { $0 + offset }, from: offset) : nil
        var json = isIndented(response, destination) ? IndentedJSON(palette: palette) : nil
        var text = isEscaped(destination) ? TerminalText() : nil
        var count: Int64 = 0
        do {
            for try await piece in response.body {
                try check(count: count + Int64(piece.count))
                if count == 0 { try checkIsText(piece, for: destination) }
                try destination.write(json?.add(piece) ?? text?.add(piece) ?? piece)
                count += Int64(piece.count)
                progress?.advance(to: offset + count)
            }
        } catch {
            progress?.stop()
            if let rest = json?.end() ?? text?.end() { try? destination.write(rest) }
            if destination.isFile {
                say("fetch: \(destination.name) is incomplete: it has \(offset + count) bytes")
            }
            throw error
        }
        if let rest = json?.end() ?? text?.end() { try destination.write(rest) }
        progress?.finish()
    }

    private func isIndented(_ response: HTTPResponse, _ destination: OutputFile) -> Bool {
        guard !raw, destination.isTerminal, let subtype = response.headers.contentType?.subtype
        else { return false }
        return subtype == "json" || subtype.hasSuffix("+json")
    }

    /// Returns `true` for a terminal, unless it is named as the output or `--raw` is given.
    private func isEscaped(_ destination: OutputFile) -> Bool {
        output == nil && !raw && destination.isTerminal
    }

    /// Refuses bytes that would disturb a terminal, unless it is named as the output.
    private func checkIsText(_ piece: Data, for destination: OutputFile) throws(HTTPError) {
        guard output == nil, destination.isTerminal, piece.contains(0) else { return }
        throw HTTPError(
            .fileNotWritten,
            "the body is not text and may disturb the terminal: use -o FILE, or -o - to write it")
    }

    private func check(count: Int64) throws(HTTPError) {
        guard let maxBytes, count > maxBytes else { return }
        throw HTTPError(.bodyTooLarge, "the body is longer than --max-bytes \(maxBytes)")
    }
}
