import HTTPCore
import HTTPFormats
import TestSupport
import Testing
@testable import HTTPCaching
import PortableFoundation

@Suite struct CacheFactsTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT.
    private let now = Date(timeIntervalSince1970: 784_111_777)

    private func facts(_ headers: HTTPHeaders, _ status: HTTPStatus = .ok) -> CacheFacts {
        CacheFacts(status: status, headers: headers, received: now)
    }

    @Test(
        arguments: [
            (["Cache-Control": "max-age=60"], 60),
            (["Cache-Control": "MAX-AGE=\"60\""], 60),
            (["Cache-Control": "max-age=60, max-age=1"], 60),
            (["Cache-Control": "max-age=-1"], 0),
            (["Cache-Control": "max-age=1.5"], 0),
            (["Cache-Control": "max-age=99999999999999999999"], 365 * 86_400),
            (["Cache-Control": "s-maxage=60"], 0),
            (["Cache-Control": "max-age=5", "Expires": "Sun, 06 Nov 1994 09:49:37 GMT"], 5),
            (["Expires": "Sun, 06 Nov 1994 08:50:37 GMT"], 60),
            (
                [
                    "Date": "Sun, 06 Nov 1994 08:49:07 GMT",
                    "Expires": "Sun, 06 Nov 1994 08:50:37 GMT",
                ], 90
            ),
            (["Expires": "0"], 0),
            (["Expires": "Sun, 06 Nov 1994 08:00:00 GMT"], 0),
            (
                [
                    "Expires": "Sun, 06 Nov 1994 08:50:37 GMT",
                    "expires": "Sun, 06 Nov 1994 08:51:37 GMT",
                ], 0
            ),
            (["Last-Modified": "Sun, 06 Nov 1994 08:32:57 GMT"], 100),
            (["Last-Modified": "Sun, 06 Nov 1904 08:32:57 GMT"], 7 * 86_400),
            (["Last-Modified": "Sun, 06 Nov 1994 09:32:57 GMT"], 0),
            ([:], 0),
        ] as [(HTTPHeaders, Int)])
    func `the lifetime is the first that the standard names`(headers: HTTPHeaders, seconds: Int) {
        #expect(facts(headers).lifetime == .seconds(seconds))
    }

    @Test func `a lifetime is guessed for some statuses only, or if the response is public`() {
        let headers: HTTPHeaders = ["Last-Modified": "Sun, 06 Nov 1994 08:32:57 GMT"]
        for status: HTTPStatus in [.ok, .notFound, .gone, .movedPermanently, .noContent] {
            #expect(facts(headers, status).lifetime == .seconds(100))
        }
        for status: HTTPStatus in [.found, .forbidden, .badGateway, .created] {
            #expect(facts(headers, status).lifetime == .zero)
        }
        var open = headers
        open[.cacheControl] = "public"
        #expect(facts(open, .found).lifetime == .seconds(100))
    }

    @Test(arguments: [
        ("7200", 7200), ("7200, 0", 7200), ("0, 7200", 0), ("-1", 0), ("1.5", 0), ("2a", 0),
        ("", 0), ("99999999999999999999", 1 << 31), ("7200;foo=bar", 0),
    ])
    func `the first member of Age counts, and an invalid one is ignored`(
        text: String, seconds: Int
    ) {
        #expect(facts(["Age": .init(text)]).age == .seconds(seconds))
    }

    @Test func `the age counts what has passed at the origin, on the way and in the store`() {
        let facts = facts(["Age": "10", "Date": "Sun, 06 Nov 1994 08:49:31 GMT"])
        func age(requested: Double, received: Double, now later: Double) -> Duration {
            facts.age(
                requested: now.addingTimeInterval(requested),
                received: now.addingTimeInterval(received), now: now.addingTimeInterval(later))
        }
        #expect(age(requested: 0, received: 0, now: 0) == .seconds(10))
        #expect(age(requested: -3, received: 0, now: 0) == .seconds(13))
        #expect(age(requested: 0, received: 20, now: 25) == .seconds(35), "20 s late, and Age 10")
        #expect(age(requested: 0, received: 0, now: 5) == .seconds(15))
    }

    @Test func `a clock that was set back makes a response old`() {
        let facts = facts(["Cache-Control": "max-age=60"])
        let age = facts.age(requested: now, received: now, now: now.addingTimeInterval(-1))
        #expect(age > facts.lifetime)
    }

    @Test func `no-cache of Pragma counts without Cache-Control only`() {
        #expect(facts(["Pragma": "no-cache"]).directives.noCache)
        #expect(!facts(["Pragma": "no-cache", "Cache-Control": "max-age=1"]).directives.noCache)
        #expect(facts(["Cache-Control": "no-cache=\"x-user\""]).directives.noCache)
    }

    @Test func `the check of a tag accepts what the type accepts`() {
        var random = SeededRandom(3)
        let letters = Array("W/\"\"\"a b\t\u{7F}é".unicodeScalars)
        for _ in 1...5_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                text.unicodeScalars.append(
                    letters[Int.random(in: 0..<letters.count, using: &random)])
            }
            var headers = HTTPHeaders()
            guard (try? headers.append(.eTag, text)) != nil else { continue }
            #expect(
                CacheFacts.hasEntityTag(headers) == (EntityTag(text) != nil), "\(text)")
        }
    }

    @Test func `a malformed tag is no precondition`() {
        #expect(facts(["ETag": "\"a\""]).hasPrecondition)
        #expect(facts(["ETag": "W/\"a\""]).hasPrecondition)
        #expect(!facts(["ETag": "a"]).hasPrecondition)
        #expect(facts(["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"]).hasPrecondition)
        #expect(!facts(["Last-Modified": "yesterday"]).hasPrecondition)
    }
}
