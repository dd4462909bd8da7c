import HTTPClientKit
import HTTPTransportCurl

/// The lines that `Scripts/verify` reads: `FIGURE | what | figure | bound | pass` (or `fail`).
struct Report {
    private(set) var hasFailed = false
    let servers: RealServers
    let library: CurlLibrary
    let isFull: Bool
    /// The number of repetitions of a request whose fault is a race.
    let repetitions: Int

    init(_ servers: RealServers, _ library: CurlLibrary, isFull: Bool) {
        self.servers = servers
        self.library = library
        self.isFull = isFull
        repetitions = isFull ? 50 : 4
    }

    mutating func row(_ what: String, _ figure: String, _ bound: String, _ isMet: Bool) {
        let verdict = isMet ? "pass" : "fail"
        print("FIGURE | libcurl \(library.version): \(what) | \(figure) | \(bound) | \(verdict)")
        flushOutput()
        hasFailed = hasFailed || !isMet
    }

    /// Prints a figure that the library below decides. It fails only if an outcome is neither as
    /// expected nor what the library makes of it.
    mutating func besides(_ what: String, _ figure: String, _ reason: String, _ isMet: Bool) {
        row(what, figure, "shown beside: \(reason)", isMet)
    }

    /// Prints a row of a tally, and the outcomes that were not expected.
    mutating func row(_ what: String, _ tally: Tally, expecting expected: String) {
        row(what, tally.figure, expected, tally.isMet)
        tally.printOthers()
    }

    /// Says that a task has no server.
    func skip(_ name: String) { print("SKIPPED: \(name)") }
}

/// The number of outcomes that were as expected, and the other outcomes.
struct Tally: Sendable {
    private(set) var expected = 0
    private(set) var others: [String: Int] = [:]
    /// The number of outcomes that the library below accounts for.
    private(set) var excused = 0
    /// The versions of HTTP of the responses.
    private(set) var versions: [HTTPVersion: Int] = [:]

    var count: Int { expected + others.values.reduce(0, +) }
    var isMet: Bool { others.isEmpty && expected > 0 }
    /// `true` if all that was not as expected is excused.
    var isExcused: Bool { expected > 0 && isWhollyExcused }
    /// The same, also if no outcome was as expected.
    var isWhollyExcused: Bool { count > 0 && expected + excused == count }
    var figure: String { "\(expected) of \(count)" }

    mutating func note(
        _ outcome: Outcome, _ isExpected: Bool, about detail: String = "", isExcused: Bool = false
    ) {
        if isExcused, !isExpected { excused += 1 }
        if let version = outcome.version { versions[version, default: 0] += 1 }
        if isExpected {
            expected += 1
        } else {
            others["\(detail.isEmpty ? "" : "\(detail): ")\(outcome)", default: 0] += 1
        }
    }

    static func += (a: inout Tally, b: Tally) {
        a.expected += b.expected
        a.excused += b.excused
        a.others.merge(b.others, uniquingKeysWith: +)
        a.versions.merge(b.versions, uniquingKeysWith: +)
    }

    func printOthers() {
        let lines = others.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        for (outcome, count) in lines.prefix(12) { print("    \(count) × \(outcome)") }
        if lines.count > 12 { print("    and \(lines.count - 12) others") }
    }
}

/// The response to a request, read to its end, or the error.
enum Outcome: Sendable, CustomStringConvertible {
    case answered(HTTPResponse.Head, Data)
    case failed(HTTPError)
    case other(String)

    /// Sends a request, and reads its whole response.
    static func of(_ request: HTTPRequest, over session: any HTTPSession) async -> Outcome {
        await of {
            let response = try await session.response(for: request)
            return (response.head, try await response.body.collect(upTo: 1 << 26))
        }
    }

    static func of(_ exchange: () async throws -> (HTTPResponse.Head, Data)) async -> Outcome {
        do {
            let (head, body) = try await exchange()
            return .answered(head, body)
        } catch let error as HTTPError {
            return .failed(error)
        } catch {
            return .other("\(error)")
        }
    }

    var status: Int? {
        if case .answered(let head, _) = self { head.status.code } else { nil }
    }

    var version: HTTPVersion? {
        if case .answered(let head, _) = self { head.version } else { nil }
    }

    var text: String {
        if case .answered(_, let body) = self { String(decoding: body, as: UTF8.self) } else { "" }
    }

    var error: HTTPError? {
        if case .failed(let error) = self { error } else { nil }
    }

    var description: String {
        switch self {
        case .answered(let head, let body): "\(head.status.code) with \(body.count) bytes"
        case .failed(let error):
            "\(error.code), status \(error.status.map { "\($0.code)" } ?? "none"), "
                + (error.isRetryable ? "retryable, " : "final, ")
                + (error.mayHaveReachedServer ? "may have reached the server: " : "not sent: ")
                + error.message
        case .other(let text): text
        }
    }
}
