import HTTPCore
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPCookies
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPCookieJarTests {
    typealias Cookie = HTTPCookieJar.Cookie

    private let clock = HTTPTestClock()

    @Test func `a jar is inspected without a change`() throws {
        let jar = HTTPCookieJar(clock: clock)
        try jar.receive("a=1; Max-Age=60", "b=2; Path=/x", from: "https://example.com/")
        let url = try URL(strictly: "https://example.com/x/y")
        #expect(jar.cookies(for: url).map(\.name) == ["b", "a"])
        #expect(jar.count == 2 && jar.pairs == ["a=1", "b=2"])
        clock.advance(by: .seconds(30))
        _ = jar.cookies(for: url)
        #expect(jar.cookies.map(\.lastAccessDate) == [testDate, testDate])
        #expect(try jar.field(for: "https://example.com/x/y") == "b=2; a=1")
        #expect(jar.cookies.map(\.lastAccessDate) == [clock.date, clock.date])
        clock.advance(by: .seconds(30))
        #expect(jar.pairs == ["b=2"] && jar.count == 1)
        #expect(jar.cookies(for: try #require(URL(string: "relative"))).isEmpty)
    }

    @Test func `cookies are set and removed by hand`() throws {
        let jar = HTTPCookieJar(clock: clock)
        jar.set(try Cookie("a", "1", domain: "example.com"))
        jar.set(try Cookie("a", "2", domain: "example.com", path: "/x"))
        jar.set(try Cookie("b", "3", domain: "example.com", isHostOnly: false))
        #expect(try jar.field(for: "https://www.example.com/") == "b=3")
        #expect(jar.cookies.allSatisfy { $0.creationDate == testDate })
        #expect(jar.remove(name: "a", domain: "EXAMPLE.com", path: "/x"))
        #expect(!jar.remove(name: "a", domain: "example.com", path: "/x"))
        #expect(!jar.remove(name: "a", domain: "www.example.com"))
        #expect(jar.remove(name: "a", domain: "example.com"))
        #expect(jar.pairs == ["b=3"])
        let past = testDate.addingTimeInterval(-1)
        jar.set(
            try Cookie("b", "", domain: "example.com", isHostOnly: false, expires: past))
        #expect(jar.count == 0 && !jar.hasCookies)
    }

    @Test func `a cookie set by hand lives no longer than another one`() throws {
        let jar = HTTPCookieJar(clock: clock)
        jar.set(try Cookie("a", "1", domain: "example.com", expires: .distantFuture))
        #expect(jar.cookies.first?.expires == testDate.addingTimeInterval(CookieStore.longestLife))
    }

    @Test func `cookies are removed by condition, by session, and all`() throws {
        let jar = HTTPCookieJar(clock: clock)
        try jar.receive("a=1; Max-Age=60", "b=2", "c=3; Max-Age=60", from: "https://example.com/")
        jar.removeAll { cookie in
            // The jar can be used inside the condition.
            jar.count == 3 && cookie.name == "a"
        }
        #expect(jar.pairs == ["b=2", "c=3"])
        jar.removeSessionCookies()
        #expect(jar.pairs == ["c=3"])
        jar.removeAll()
        #expect(jar.count == 0)
        #expect(throws: CancellationError.self) {
            jar.set(try Cookie("a", "1", domain: "example.com"))
            try jar.removeAll { _ in throw CancellationError() }
        }
        #expect(jar.count == 1)
    }

    @Test func `a cookie that was set anew during a condition stays`() throws {
        let jar = HTTPCookieJar(clock: clock)
        try jar.receive("a=1", "b=1; Max-Age=60", "c=1", from: "https://example.com/")
        try jar.removeAll { cookie in
            switch cookie.name {
            case "a": try jar.receive("a=2", from: "https://example.com/")
            case "b": try jar.receive("b=1; Max-Age=90", from: "https://example.com/")
            default: try jar.receive("c=1; HttpOnly", from: "https://example.com/")
            }
            return true
        }
        #expect(jar.pairs == ["a=2", "b=1"])
    }

    @Test func `refusals have a host, a name and a reason, and are limited`() throws {
        let jar = HTTPCookieJar(clock: clock)
        try jar.receive(
            "a=1; Domain=com", "b=2; Secure", "c=3", "=", "__Host-d=4",
            from: "http://example.com/")
        #expect(
            jar.refusals.map(\.description) == [
                "\"a\" of example.com: the Domain attribute is a public suffix, or above one",
                "\"b\" of example.com: the attribute Secure does not count over plain http",
                "\"\" of example.com: the field has neither a name nor a value",
                "\"__Host-d\" of example.com: the name begins with a prefix whose attributes the "
                    + "cookie does not have",
            ])
        for number in 0..<100 {
            try jar.receive("n\(number)=1; Secure", from: "http://example.com/")
        }
        #expect(jar.refusals.count == 64 && jar.refusals.last?.name == "n99")
        try jar.receive(
            String(repeating: "n", count: 4_000) + "=1; Secure", from: "http://example.com/")
        #expect(jar.refusals.last?.name.count == 128)
    }

    @Test func `each jar in memory is a new one`() throws {
        let jars = [HTTPCookieJar.inMemory, .inMemory]
        jars[0].set(try Cookie("a", "1", domain: "example.com"))
        #expect(jars.map(\.count) == [1, 0])
    }

    @Test func `saving a jar in memory does nothing`() async throws {
        let jar = HTTPCookieJar(clock: clock)
        jar.set(try Cookie("a", "1", domain: "example.com"))
        try await jar.save()
        try await jar.close()
        #expect(jar.count == 1 && jar.flaws.isEmpty && jar.lastSaveError == nil)
        #expect(clock.sleeperCount == 0)
    }

    @Test func `64 tasks use one jar at the same time`() async throws {
        let jar = HTTPCookieJar(clock: clock)
        let rounds = TestCounts.isFull ? 20 : 8
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<64 {
                group.addTask {
                    for round in 0..<rounds {
                        let host = "https://h\(task % 8).example.com"
                        try jar.receive("t\(task)=\(round)", "shared=1", from: "\(host)/")
                        let field = try #require(try jar.field(for: "\(host)/"))
                        #expect(field.contains("t\(task)=\(round)"))
                        _ = jar.cookies
                        if round == rounds / 2 { jar.removeAll { $0.name == "shared" } }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect((64...64 + 8).contains(jar.count))
        #expect(Set(jar.pairs).isSuperset(of: (0..<64).map { "t\($0)=\(rounds - 1)" }))
    }
}
