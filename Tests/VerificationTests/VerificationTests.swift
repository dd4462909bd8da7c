import HTTPCore
import HTTPTesting
import Testing
import PortableLibc

/// Tests of the promises that have a figure.
///
/// The tests are small by default. With `HTTP_TEST_COUNTS=full`, they measure the promised figures.
/// Each prints a line `FIGURE | what | figure | bound | verdict`. They are serialized, because each
/// measures a program that should have the machine to itself.
@Suite(.serialized, .timeLimit(.minutes(30))) struct VerificationTests {
    @Test func `1,000 concurrent GETs finish without an error`() async throws {
        let server = try await RunningServer()
        let count = 1000
        let values = try await ChildProcess("curl-probe", ["burst", server.url, "\(count)"])
            .results(within: .seconds(120))
        figure(
            "\(count) concurrent GETs over CurlTransport, server in another process",
            "\(values["failures"] ?? "?") failures in \(Self.rounded(values["milliseconds"])) ms",
            "0 failures", values["failures"] == "0")
        #expect(values["failures"] == "0", "\(values["first_failure"] ?? "")")
        #expect(values["requests"] == "\(count)")
    }

    @Test(.enabled(if: Counts.sanitizer.isEmpty, "a sanitizer's memory is not ours"))
    func `a slow reader of a large body keeps memory flat`() async throws {
        let server = try await RunningServer()
        let bytes = Counts.isFull ? 1 << 30 : 64 << 20
        for (program, bound) in [("curl-probe", Int?.some(64 << 10)), ("urlsession-probe", nil)] {
            let values = try await ChildProcess(program, ["slow-read", server.url, "\(bytes)"])
                .results(within: .seconds(300))
            #expect(values["bytes"] == "\(bytes)")
            #expect(values["mismatches"] == "0")
            let peak = try #require(Int(values["peak_resident_kib"] ?? ""))
            let isMet = bound.map { peak < $0 } ?? true
            #expect(isMet, "\(peak) KiB")
            figure(
                "peak resident size, \(bytes >> 20) MiB read slowly, \(program)",
                "\(peak / 1024) MiB", bound.map { "< \($0 / 1024) MiB" } ?? "shown beside", isMet)
        }
    }

    @Test(arguments: ["curl-probe", "urlsession-probe"])
    func `a deadline ends a dripping body on time`(program: String) async throws {
        let server = try await RunningServer()
        let limit = Counts.isFull ? 2000 : 500
        let values = try await ChildProcess(
            program, ["fail", "\(server.url)/drip?pieces=10&every=1000&size=1", "\(limit)"]
        ).results(within: .seconds(60))
        let milliseconds = try #require(Double(values["milliseconds"] ?? ""))
        // Never early. A slow machine may be late, but by far less than the drip takes.
        let slack = Counts.isFull ? 1500.0 : 5000
        let isMet = milliseconds >= Double(limit) - 1 && milliseconds < Double(limit) + slack
        #expect(isMet, "\(milliseconds) ms")
        #expect(values["outcome"] == "timedOut")
        #expect(values["timer"] == "deadline")
        figure(
            "deadline of \(limit) ms on a body of 10 s, \(program)",
            "\(values["outcome"] ?? "?") (\(values["timer"] ?? "?")) after "
                + "\(Self.rounded(values["milliseconds"])) ms",
            "timedOut (deadline) at \(limit) ms", isMet)
    }

    @Test(arguments: ["curl-probe", "urlsession-probe"])
    func `a refused connection is reported at once`(program: String) async throws {
        let port = try RefusingPort()
        let values = try await ChildProcess(
            program, ["fail", "\(port.url)/", "0"]
        ).results(within: .seconds(60))
        let milliseconds = try #require(Double(values["milliseconds"] ?? ""))
        let isMet = values["outcome"] == "cannotConnect" && milliseconds < 1000
        #expect(isMet, "\(values)")
        figure(
            "refused connection, \(program)",
            "\(values["outcome"] ?? "?") after \(Self.rounded(values["milliseconds"])) ms",
            "cannotConnect within 1000 ms", isMet)
    }

    func figure(_ what: String, _ figure: String, _ bound: String, _ isMet: Bool) {
        print("FIGURE | \(what) | \(figure) | \(bound) | \(isMet ? "pass" : "fail")")
        fflush(nil)
    }

    private static func rounded(_ text: String?) -> String {
        text.flatMap(Double.init).map { "\(Int($0.rounded()))" } ?? "?"
    }
}

/// The size of the suite's tests.
enum Counts {
    static let isFull = variable("HTTP_TEST_COUNTS") == "full"
    /// `", ThreadSanitizer"` or `", AddressSanitizer"` if the runner sets it.
    static let sanitizer = variable("HTTP_TEST_SANITIZER").map { ", \($0)" } ?? ""

    private static func variable(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}

/// A server of the standard routes in a separate process.
final class RunningServer: Sendable {
    private let process: ChildProcess
    let url: String

    init() async throws {
        process = try ChildProcess("curl-probe", ["serve"])
        url = try await process.value(of: "url")
    }
}
