import HTTPCaching
import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// Random requests, responses, clock steps and failures of the store against a model that knows
/// every response that the origin has sent.
@Suite(.timeLimit(.minutes(5))) struct HTTPCacheModelTests {
    /// A response that the origin has sent.
    private struct Sent: Sendable {
        var url: String
        var user: String?
        var language: String?
        var varies: Bool
        var at: Duration
        /// The last moment at which the response may be used without the origin.
        var lifetime: Int
        var staleIfError: Int
        var staleWhileRevalidate: Int
        var mustRevalidate: Bool
        var noStore: Bool
    }

    private final class World: Sendable {
        let sent = Locked([Sent]())
        let random: Locked<SeededRandom>
        let isDown = Locked(false)

        init(_ seed: UInt64) { random = Locked(SeededRandom(seed)) }

        func pick<Element>(_ elements: [Element]) -> Element {
            random.withLock { random in elements[Int.random(in: 0..<elements.count, using: &random)]
            }
        }
    }

    private func answer(_ world: World, _ clock: HTTPTestClock, _ request: HTTPRequest)
        throws -> HTTPResponse
    {
        if world.isDown.withLock({ $0 }) { throw HTTPError(.cannotConnect, "down") }
        let sent = Sent(
            url: request.url.absoluteString, user: request.headers[.authorization],
            language: request.headers[.acceptLanguage], varies: world.pick([true, false]),
            at: clock.now.sinceStart, lifetime: world.pick([0, 5, 20, 60]),
            staleIfError: world.pick([0, 0, 30]), staleWhileRevalidate: world.pick([0, 0, 10]),
            mustRevalidate: world.pick([true, false, false]),
            noStore: world.pick([true, false, false, false, false, false]))
        let number = world.sent.withLock { all in
            all.append(sent)
            return all.count - 1
        }
        var control = "max-age=\(sent.lifetime)"
        if sent.staleIfError > 0 { control += ", stale-if-error=\(sent.staleIfError)" }
        if sent.staleWhileRevalidate > 0 {
            control += ", stale-while-revalidate=\(sent.staleWhileRevalidate)"
        }
        if sent.mustRevalidate { control += ", must-revalidate" }
        if sent.noStore { control += ", no-store" }
        var headers: HTTPHeaders = ["Cache-Control": .init(control)]
        headers[.date] = HTTPDate(clock.date).description
        if sent.varies { headers[.vary] = "Accept-Language" }
        return HTTPResponse(.ok, headers: headers, body: HTTPBody("\(number)"), to: request)
    }

    @Test func `no answer is stale beyond what directives allow, or for another user or variant`()
        async throws
    {
        var (hits, staleHits) = (0, 0)
        for seed in 1...UInt64(TestCounts.scaled(400)) {
            let world = World(seed)
            let dice = Locked(SeededRandom(seed ^ 0xC4A5))
            let store = HookedStore { operation, _, _ in
                let fails = dice.withLock { Int.random(in: 0..<20, using: &$0) == 0 }
                // A failed removal is tested on its own.
                if fails, operation != .remove { throw HTTPError(.internalFailure, "crashed") }
            }
            let clock = HTTPTestClock()
            let cache = HTTPCache(store: store)
            let session = MockSession { try self.answer(world, clock, $0) }.with(cache)
            for _ in 1...200 {
                switch world.pick(Array(0..<40)) {
                case 0...7: clock.advance(by: .seconds(world.pick([1, 2, 5, 15])))
                case 8: world.isDown.withLock { $0 = true }
                case 9, 10: world.isDown.withLock { $0 = false }
                case 11: store.crash()
                default: try await ask(world, clock, session, seed)
                }
            }
            while cache.revalidationCount > 0 { await Task.yield() }
            let numbers = cache.statistics
            hits += numbers.hits
            staleHits += numbers.staleHits
        }
        // The rules that the model checks have been used.
        let seeds = TestCounts.scaled(400)
        #expect(hits > 5 * seeds && staleHits > seeds, "\(hits), \(staleHits)")
    }

    private func ask(
        _ world: World, _ clock: HTTPTestClock, _ session: any HTTPSession, _ seed: UInt64
    ) async throws {
        var headers: HTTPHeaders = [:]
        headers[.authorization] = world.pick([nil, "Bearer a"])
        headers[.acceptLanguage] = world.pick([nil, "de"])
        let url = world.pick(["https://h.example/1", "https://h.example/2"])
        let method = world.pick(Array(repeating: HTTPMethod.get, count: 30) + [.post])
        let request = try HTTPRequest(method, url, headers: headers).beginningCall(clock: clock)
        let sentBefore = world.sent.withLock { $0.count }
        let response: HTTPResponse
        do {
            response = try await session.response(for: request)
        } catch {
            #expect(world.isDown.withLock { $0 }, "seed \(seed): \(error)")
            return
        }
        let text = String(decoding: try await response.body.collect(), as: UTF8.self)
        let number = try #require(Int(text))
        let sent = world.sent.withLock { $0[number] }
        #expect(sent.url == url && sent.user == headers[.authorization], "seed \(seed)")
        guard number < sentBefore else { return }
        // It came from the store.
        #expect(method == .get && !sent.noStore, "seed \(seed)")
        if sent.varies { #expect(sent.language == headers[.acceptLanguage], "seed \(seed)") }
        var allowed = sent.lifetime
        if !sent.mustRevalidate {
            let isDown = world.isDown.withLock { $0 }
            allowed += max(isDown ? sent.staleIfError : 0, sent.staleWhileRevalidate)
        }
        let age = clock.now.sinceStart - sent.at
        #expect(age <= .seconds(allowed), "seed \(seed): age \(age) of \(allowed)")
    }
}
