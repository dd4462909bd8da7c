import HTTPCore
import HTTPFormats
import HTTPTransportCurl
import TestSupport
import Testing
import PortableFoundation
import PortableLibc

/// Requests of many kinds, each cancelled at a random moment, half of them over HTTP/2.
///
/// They run in a process of their own, where everything that is left of them can be counted.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: NginxServer.isAvailable, "nginx or openssl is not installed"))
struct CurlTransportCancelStormTests {
    @Test func `cancelled at random, exchanges leave nothing behind`() async {
        let words = LastWords()
        let result = await #expect(processExitsWith: .success) { [path = words.path as String] in
            LastWords.redirectErrors(to: path)
            await Storm.runAlone(10_000, [.http2, .http1_1], on: NginxServer.Options())
        }
        words.report(unless: result != nil)
    }

    @Test(.enabled(if: HTTP3Requirement.isMet, HTTP3Requirement.comment))
    func `nor do they over HTTP 3`() async {
        let words = LastWords()
        let result = await #expect(processExitsWith: .success) { [path = words.path as String] in
            LastWords.redirectErrors(to: path)
            var options = NginxServer.Options()
            options.speaksHTTP3 = true
            await Storm.runAlone(2000, [.http3], on: options)
        }
        words.report(unless: result != nil)
    }
}

/// The errors that a process has written before its end. A library that aborts it says why.
private final class LastWords {
    let path = "/tmp/http-curl-tests-\(UUID().uuidString)"

    deinit { _ = unsafe unlink(path) }

    static func redirectErrors(to path: String) {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard file >= 0 else { return }
        dup2(file, STDERR_FILENO)
        close(file)
    }

    func report(unless succeeded: Bool) {
        guard !succeeded, let text = try? String(contentsOfFile: path, encoding: .utf8),
            !text.isEmpty
        else { return }
        Issue.record("\(text.suffix(2000))")
    }
}

private struct Storm {
    struct Failure: Error { var description: String }

    private enum Kind: Int, CaseIterable, Sendable {
        case small, large, upload, stream, broken, dropped, discarded
    }

    private let server: NginxServer
    private let session: CurlTransport
    private let seed: UInt64
    private let versions: [HTTPVersion]

    /// Runs a storm in a process of its own.
    static func runAlone(
        _ count: Int, _ versions: [HTTPVersion], on options: NginxServer.Options
    ) async {
        alarm(900)
        do {
            try await run(count, versions, on: options)
        } catch {
            Issue.record(error)
            exit(EXIT_FAILURE)
        }
    }

    /// Runs a small storm, and then one that counts.
    static func run(
        _ count: Int, _ versions: [HTTPVersion], on options: NginxServer.Options
    ) async throws {
        let server = try await NginxServer.start(options)
        // Resources that exist once per process are created before the first count.
        try await Storm(server, versions, seed: 1).run(20)
        let descriptors = OwnProcess.descriptors()
        try await expectNothingLeft(but: descriptors)

        let isFull = ProcessInfo.processInfo.environment["HTTP_TEST_COUNTS"] == "full"
        try await Storm(server, versions, seed: 20_26).run(isFull ? count : 300)
        try await expectNothingLeft(but: descriptors)
    }

    init(_ server: NginxServer, _ versions: [HTTPVersion], seed: UInt64) async throws {
        self.versions = versions
        var configuration = try await TestAuthority.trusting()
        configuration.maximumConnectionsPerOrigin = 8
        session = try CurlTransport(configuration)
        self.server = server
        self.seed = seed
    }

    /// `count` requests, a hundred at a time; then the session is at rest, serves, and is closed.
    func run(_ count: Int) async throws {
        var random = SeededRandom(seed)
        var cancelled = 0
        for start in stride(from: 0, to: count, by: 100) {
            let plans = (start..<min(count, start + 100)).map { number in
                // A moment of the exchange, whichever: not what is waited for.
                (number, Duration.microseconds(Int.random(in: 0...4000, using: &random)))
            }
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for (number, delay) in plans {
                    let kind = Kind.allCases[number / 2 % Kind.allCases.count]
                    let version = versions[number % versions.count]
                    group.addTask { try await isCancelled(kind, version, after: delay) }
                }
                for try await isCancelled in group where isCancelled { cancelled += 1 }
            }
        }
        // On a busy machine, a few requests may all have ended before they were cancelled.
        guard count < 100 || cancelled > count / 20 else {
            throw Failure(description: "only \(cancelled) of \(count) were cancelled")
        }
        for version in versions {
            var request = try HTTPRequest(.get, server.url())
            request.version = version
            let text = try await session.response(for: request).text()
            guard text == "hello" else { throw Failure(description: text) }
        }
        // The rest of a body that was dropped may still be read.
        var statistics = await session.statistics()
        while statistics.total.active > 0 {
            await Task.yield()
            statistics = await session.statistics()
        }
        // A few HTTP/2 or HTTP/3 connections, and at most the maximum number of HTTP/1.1
        // connections.
        guard statistics.total.waiting == 0, statistics.total.ended <= count + 2,
            statistics.openSockets <= 16
        else {
            throw Failure(description: "\(statistics.total), \(statistics.openSockets) sockets")
        }
        await session.close()
    }

    private func isCancelled(
        _ kind: Kind, _ version: HTTPVersion, after delay: Duration
    ) async throws -> Bool {
        let task = Task { try await exchange(kind, version) }
        try? await Task.sleep(for: delay)
        task.cancel()
        do {
            let count = try await task.value
            guard [0, 5, 6, 1 << 20].contains(count) else {
                throw Failure(description: "\(kind) over \(version): \(count) bytes")
            }
            return false
        } catch is CancellationError {
            return true
        }
    }

    /// Returns the number of body bytes that were read.
    private func exchange(_ kind: Kind, _ version: HTTPVersion) async throws -> Int {
        var request = try HTTPRequest(.get, server.url(kind == .small ? "/" : "/big"))
        if kind == .upload || kind == .stream {
            let bytes = Data(repeating: 7, count: 300_000)
            let pieces = AsyncStream<Data> { continuation in
                for _ in 0..<3 { continuation.yield(bytes.prefix(100_000)) }
                continuation.finish()
            }
            let body = kind == .upload ? HTTPBody(bytes) : HTTPBody(pieces)
            request = try HTTPRequest(.post, server.url("/up"), body: body)
        }
        request.version = version
        let response = try await session.response(for: request)
        var count = 0
        switch kind {
        case .dropped: return 0
        case .discarded: await response.discard()
        case .broken: for try await _ in response.body { break }
        default: for try await piece in response.body { count += piece.count }
        }
        return count
    }

    /// Waits until no handle, loop or descriptor is left of a session that was closed. The end of a
    /// thread is not reported, so this polls for it.
    static func expectNothingLeft(but descriptors: [String]) async throws {
        let deadline = ContinuousClock.now + .seconds(120)
        while true {
            let threads = OwnProcess.threadNames().filter { $0 == "http-curl" }.count
            let open = OwnProcess.descriptors()
            let handles = CurlTransport.liveHandles
            if threads == 0, handles == 0, open.count <= descriptors.count { return }
            guard ContinuousClock.now < deadline else {
                throw Failure(
                    description:
                        "\(threads) threads, \(handles) handles, \(open) beside \(descriptors)")
            }
            await Task.yield()
        }
    }
}
