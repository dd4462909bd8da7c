import HTTPCore
import HTTPTesting
import PortableFoundation

/// The cache under test, around the session that reaches the origins.
struct CacheTestSubject: Sendable {
    var session: any HTTPSession
    /// Returns when the cache does nothing any more that no call waits for, such as a revalidation
    /// in the background.
    var settle: @Sendable () async -> Void = {}
}

/// Plays the client's side of tests as the original engine does in a browser.
///
/// Each test has its own cache, its own origin and its own clock, and takes no time.
struct CacheTestRunner: Sendable {
    let site: any CacheTestSite
    /// Makes a new, empty cache around a session.
    let makeSubject: @Sendable (any HTTPSession) -> CacheTestSubject

    /// The date at which every test begins. Half a second is neither rounded up nor down by luck.
    private static var start: Date { Date(timeIntervalSince1970: 1_767_225_600.5) }

    /// Runs tests one after the other, and returns their results.
    func run(_ tests: [CacheTest]) async -> CacheTestResults {
        var results = CacheTestResults()
        for (index, test) in tests.enumerated() {
            let digits = String(index + 1, radix: 16)
            let padding = String(repeating: "0", count: max(0, 12 - digits.count))
            results[test.id] = await result(
                of: test, token: "00000000-0000-4000-8000-\(padding)\(digits)")
        }
        return results
    }

    private func result(of test: CacheTest, token: String) async -> CacheTestResult {
        let origin = CacheTestOrigin(test, token: token, clock: HTTPTestClock(date: Self.start))
        site.open(origin)
        defer { site.close(origin) }
        do {
            try await play(test, origin, makeSubject(site.session))
            return .passed
        } catch let failure as CacheTestFailure {
            return .failed(failure)
        } catch {
            return .failed(.client("fetch failed: \(error)"))
        }
    }

    private func play(
        _ test: CacheTest, _ origin: CacheTestOrigin, _ subject: CacheTestSubject
    ) async throws {
        var replies: [CacheTestReply] = []
        for (index, definition) in test.requests.enumerated() {
            let interims = InterimRecord()
            let request = try request(definition, number: index + 1, of: test, origin, replies.last)
                .beginningCall(observer: interims, clock: origin.clock)
            let response = try await subject.session.response(for: request)
            let reply = CacheTestReply(
                status: response.status.code, fields: CacheTestFields(response.headers),
                interimResponses: interims.all)
            replies.append(reply)
            do {
                try reply.check(definition, number: index + 1)
            } catch {
                await response.discard()
                throw error
            }
            let text = String(decoding: try await response.body.collect(), as: UTF8.self)
            try reply.check(text, for: definition, token: origin.token)
            guard definition.pausesAfterwards else { continue }
            await subject.settle()
            origin.clock.advance(by: .seconds(3))
        }
        await subject.settle()
        try origin.check(test.requests, replies)
    }

    private func request(
        _ definition: CacheTestRequest, number: Int, of test: CacheTest, _ origin: CacheTestOrigin,
        _ previous: CacheTestReply?
    ) throws -> HTTPRequest {
        var fields = CacheTestFields()
        for field in definition.headers {
            let isRelative =
                definition.countsDatesFromPreviousResponse
                && field.name.lowercased() == "if-modified-since"
            let value =
                isRelative
                ? field.resolved(by: previous?.fields ?? CacheTestFields(), for: definition)
                : field.value.text
            fields.append(field.name, value)
        }
        fields.append("Test-Name", test.name)
        // `fetch` adds these fields (Fetch Standard §4.6, §5.3).
        if definition.cacheMode == "no-cache", !fields.contains("Cache-Control") {
            fields.append("Cache-Control", "max-age=0")
        }
        if definition.body != nil, !fields.contains("Content-Type") {
            fields.append("Content-Type", "text/plain;charset=UTF-8")
        }
        fields.append("Test-ID", test.id)
        fields.append("Req-Num", "\(number)")

        let path = definition.fileName.map { "/\($0)" } ?? ""
        let query = definition.query.map { "?\($0)" } ?? ""
        return try HTTPRequest(
            HTTPMethod(definition.method ?? "GET"),
            "\(unescaped: site.url)/test/\(origin.token)\(unescaped: path + query)",
            headers: fields.headers(),
            body: definition.body.map { HTTPBody($0) } ?? .empty)
    }
}

/// The interim responses of a call.
private final class InterimRecord: HTTPObserver {
    private let interims = Locked([CacheTestReply.Interim]())

    var all: [CacheTestReply.Interim] { interims.withLock { $0 } }

    func observe(_ event: HTTPEvent) {
        guard case .informational(let head) = event.kind else { return }
        interims.withLock { interims in
            interims.append(
                CacheTestReply.Interim(
                    code: head.status.code, fields: CacheTestFields(head.headers)))
        }
    }
}
