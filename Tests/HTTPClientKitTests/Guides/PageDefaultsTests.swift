import TestSupport
import Testing

@testable import HTTPClientKit
@testable import HTTPCore
@testable import HTTPFormats

#if os(Linux)
    @testable import HTTPTransportCurl
#endif

/// The numbers on the pages that are defaults: tests of what a setting does use other values.
@Suite struct PageDefaultsTests {
    private struct Default {
        let page: String
        let sentence: String
        let isSo: Bool
    }

    /// `Docs/PublicAPI.md` is written from the code.
    private static func defaults(
        _ isDeclared: (String) -> Bool
    ) -> [Default] {
        let download = HTTPDownloadOptions()
        let events = HTTPEventSourceOptions()
        let breaker = isDeclared("window: Duration = .seconds(10), minimum: Int = 20,")
        let redirects = isDeclared("init(_ mode: RedirectMode = .follow, limit: Int = 20,")
        let backoff = isDeclared("base: Duration = .seconds(0.5), cap: Duration = .seconds(20),")
        let lines = isDeclared("lines(upTo limit: Int = defaultLimit)")
        let defaults = [
            Default(
                page: "Authentication", sentence: "is refreshed five minutes before it expires",
                isSo: isDeclared("leeway: Duration = .seconds(300), window:")),
            Default(
                page: "Authentication", sentence: "More than 5 refreshes in 30 s",
                isSo: isDeclared("init(limit: Int = 5, within length: Duration = .seconds(30))")),
            Default(
                page: "Downloads", sentence: "is resumed inside the call, five times by default",
                isSo: download.maxResumptions == 5),
            Default(
                page: "Downloads", sentence: "had been synced, which happens every 64 MiB",
                isSo: download.checkpoint == 64 << 20),
            Default(
                page: "Downloads", sentence: "what the slowest one lacks, but at least 1 MiB",
                isSo: download.shortestRange == 1 << 20),
            Default(
                page: "Downloads", sentence: "By default there are at most 100 requests",
                isSo: isDeclared("any HTTPRequestConvertible, limit: Int = 100)")),
            Default(
                page: "Duplex", sentence: "A write waits while 64 KiB, or one longer piece, wait",
                isSo: BodyPipe.capacity == 64 << 10),
            Default(page: "Fetch", sentence: "At most 20", isSo: redirects),
            Default(
                page: "Fleet", sentence: "100 ms for a question (`timeout`)",
                isSo: isDeclared("timeout: Duration = .milliseconds(100), whenStoreFails:")),
            Default(
                page: "Fleet", sentence: "250 ms for each answer",
                isSo: isDeclared("timeout: Duration = .milliseconds(250))")),
            Default(
                page: "Fleet", sentence: "learns of an outage from its own twenty requests",
                isSo: breaker),
            Default(
                page: "GettingStarted", sentence: "followed, at most 20", isSo: redirects),
            Default(
                page: "GettingStarted", sentence: "two retries, back-off with jitter",
                isSo: RetryPolicy.standard.maxRetries == 2),
            Default(
                page: "Limits", sentence: "the requests of the last ten seconds have failed",
                isSo: breaker),
            Default(
                page: "Limits", sentence: "such a wait is at most five minutes, or `longestReset`",
                isSo: isDeclared("longestReset: Duration = ServerTime.longestPause")),
            Default(
                page: "Limits", sentence: "that a server can ask for, five minutes by default",
                isSo: isDeclared("limit: Duration = ServerTime.longestPause, timeout:")),
            Default(
                page: "Observability", sentence: "bodies that are text, 4 KiB by default",
                isSo: isDeclared("bodyLimit: Int = 4 << 10, to write:")),
            Default(
                page: "Pipeline", sentence: "fails after ten retries (`maxRetries:`)",
                isSo: isDeclared("func retryDecision(maxRetries: Int = 10, delay:")),
            Default(
                page: "Retrying", sentence: "a random part of 0.5 s, 1 s, … 20 s", isSo: backoff),
            Default(
                page: "Retrying", sentence: "at most a fifth of the calls of the last ten seconds",
                isSo: isDeclared("ratio: Double = 0.2, window: Duration = .seconds(10), minimum")),
            Default(
                page: "Streams", sentence: "holds one element in memory, by default up to 16 MiB",
                isSo: lines && HTTPBody.defaultLimit == 16 << 20),
            Default(
                page: "Streams", sentence: "a minute at most, by default",
                isSo: events.longestWait == .seconds(60)),
            Default(
                page: "Streams", sentence: "ten times in a row by default",
                isSo: events.maxFailures == 10),
            Default(
                page: "Testing", sentence: "no call has returned yet, and waits up to 30 s for it",
                isSo: isDeclared("nextRequest(within timeout: Duration = .seconds(30))")),
            Default(
                page: "TimeLimits", sentence: "limits each exchange to 30 s",
                isSo: HTTPEndpointConfiguration().timeout == .seconds(30)),
        ]
        #if os(Linux)
            return defaults + [
                Default(
                    page: "Duplex", sentence: "has a buffer of 512 KiB besides",
                    isSo: UploadBuffer.highWater == 512 << 10),
                Default(
                    page: "HTTPVersions", sentence: "it acknowledges packets every 3 s",
                    isSo: CurlConfiguration().keepAliveInterval == .seconds(3)),
            ]
        #else
            return defaults
        #endif
    }

    @Test func `a default that a page names is that of the code`() throws {
        let pages = try GuidePage.all().mapValues {
            $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        let declarations = try #require(pages["Docs/PublicAPI.md"])
        for number in Self.defaults({ declarations.contains($0) }) {
            let page = try #require(pages["Docs/Guides/\(number.page).md"], "\(number.page)")
            #expect(page.contains(number.sentence), "\(number.page): \(number.sentence)")
            #expect(number.isSo, "\(number.page): \(number.sentence)")
        }
    }
}
