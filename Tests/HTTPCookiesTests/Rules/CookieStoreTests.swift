import HTTPCore
import HTTPTesting
import Testing
@testable import HTTPCookies
import PortableFoundation

struct CookieStoreTests {
    typealias Reason = HTTPCookieJar.Refusal.Reason

    private func refusal(
        _ field: String, from url: String, to store: inout CookieStore
    ) throws -> Reason? {
        do {
            try store.receive(field, from: url, now: testDate)
            return nil
        } catch let reason as Reason {
            return reason
        }
    }

    // MARK: Domains

    @Test(
        arguments: [
            // The host, the attribute, and the hosts that receive the cookie of three.
            ("www.example.com", nil, ["www.example.com"]),
            ("www.example.com", "", ["www.example.com"]),
            ("www.example.com", ".", ["www.example.com"]),
            ("www.example.com", "example.com", ["example.com", "www.example.com"]),
            ("www.example.com", ".EXAMPLE.com", ["example.com", "www.example.com"]),
            ("www.example.com", "www.example.com", ["www.example.com"]),
            ("example.com", "example.com", ["example.com", "www.example.com"]),
            ("127.0.0.1", "127.0.0.1", ["127.0.0.1"]), ("127.0.0.1", nil, ["127.0.0.1"]),
            ("[::1]", "[::1]", ["[::1]"]), ("localhost", "localhost", ["localhost"]),
        ] as [(String, String?, [String])])
    func `a cookie is sent to its host, or to the hosts of its domain`(
        host: String, domain: String?, receivers: [String]
    ) throws {
        var store = CookieStore()
        let attribute = domain.map { "; Domain=\($0)" } ?? ""
        try store.receive("a=1\(attribute)", from: "http://\(host)/", now: testDate)
        let hosts = ["example.com", "www.example.com", "127.0.0.1", "[::1]", "localhost"]
        let found = try hosts.filter { try store.field(for: "http://\($0)/", now: testDate) != nil }
        #expect(found == receivers)
    }

    @Test(arguments: [
        ("www.example.com", "other.com", Reason.domainElsewhere),
        ("www.example.com", "a.www.example.com", .domainElsewhere),
        ("www.example.com", "..example.com", .domainElsewhere),
        ("www.example.com", "example.com.", .domainElsewhere),
        ("www.example.com", "xample.com", .domainElsewhere),
        ("www.example.com", "bücher.example.com", .domainElsewhere),
        ("www.example.com", "com", .publicSuffix),
        ("www.example.co.uk", "co.uk", .publicSuffix), ("a.github.io", "github.io", .publicSuffix),
        ("a.b.kobe.jp", "kobe.jp", .publicSuffix), ("co.uk", "uk", .publicSuffix),
        ("app.localhost", "localhost", .publicSuffix), ("127.0.0.1", "0.0.1", .domainElsewhere),
        ("127.0.0.1", "1", .domainElsewhere),
    ])
    func `a domain that is not the host's own is refused`(
        host: String, domain: String, reason: Reason
    ) throws {
        var store = CookieStore()
        let found = try refusal("a=1; Domain=\(domain)", from: "http://\(host)/", to: &store)
        #expect(found == reason && store.isEmpty)
    }

    @Test func `a public suffix may set a cookie for itself`() throws {
        var store = CookieStore()
        try store.receive("a=1; Domain=github.io", from: "https://github.io/", now: testDate)
        #expect(try store.field(for: "https://github.io/", now: testDate) == "a=1")
        #expect(try store.field(for: "https://user.github.io/", now: testDate) == nil)
    }

    @Test func `the port and the case of the host do not matter`() throws {
        var store = CookieStore()
        try store.receive("a=1", from: "http://Example.COM:8080/", now: testDate)
        #expect(try store.field(for: "http://example.com:81/", now: testDate) == "a=1")
        #expect(try store.field(for: "https://EXAMPLE.com/", now: testDate) == "a=1")
    }

    // MARK: Secure cookies

    @Test func `a secure cookie is only sent over a secure connection`() throws {
        var store = CookieStore()
        try store.receive("a=1; Secure", from: "https://example.com/", now: testDate)
        try store.receive("b=1; Secure", from: "http://localhost/", now: testDate)
        #expect(try store.field(for: "https://example.com/", now: testDate) == "a=1")
        #expect(try store.field(for: "http://example.com/", now: testDate) == nil)
        #expect(try store.field(for: "http://localhost/", now: testDate) == "b=1")
        #expect(
            try refusal("c=1; Secure", from: "http://example.com/", to: &store) == .secureOverHTTP)
    }

    @Test(arguments: [
        // The fields of an https response and then of an http response of www.example.com.
        ("a=1; Secure; Path=/login", "a=2; Path=/login", Reason?.some(.coversSecureCookie)),
        ("a=1; Secure; Path=/login", "a=2; Path=/login/en", .coversSecureCookie),
        ("a=1; Secure; Path=/login", "a=2; Path=/", nil),
        ("a=1; Secure; Path=/login", "a=2; Path=/loginhelper", nil),
        ("a=1; Secure; Path=/login", "b=2; Path=/login", nil),
        ("a=1; Secure; Domain=example.com; Path=/", "a=2; Path=/", .coversSecureCookie),
        ("a=1; Secure; Path=/", "a=2; Domain=example.com; Path=/", .coversSecureCookie),
        ("a=1; Path=/", "a=2; Path=/", nil), ("a=1; Secure; Path=/", "A=2; Path=/", nil),
        ("a=1; Secure; Path=/", "a=; Max-Age=0; Path=/", .coversSecureCookie),
    ])
    func `plain http does not cover a secure cookie`(
        secure: String, plain: String, reason: Reason?
    ) throws {
        var store = CookieStore()
        try store.receive(secure, from: "https://www.example.com/", now: testDate)
        #expect(try refusal(plain, from: "http://www.example.com/", to: &store) == reason)
        #expect(try refusal(plain, from: "https://www.example.com/", to: &store) == nil)
    }

    @Test func `SameSite None needs Secure`() throws {
        var store = CookieStore()
        let url = "https://example.com/"
        #expect(try refusal("a=1; SameSite=None", from: url, to: &store) == .sameSiteNone)
        #expect(try refusal("a=1; SameSite=None; Secure", from: url, to: &store) == nil)
        #expect(try refusal("b=1; SameSite=Lax", from: url, to: &store) == nil)
        #expect(store.all(now: testDate).map(\.sameSite) == [.unrestricted, .lax])
    }

    // MARK: Time

    @Test(
        arguments: [
            ("a=1", nil), ("a=1; Max-Age=10", 10),
            ("a=1; Max-Age=10; Expires=Sun, 06 Nov 1994 08:49:57 GMT", 10),
            ("a=1; Expires=Sun, 06 Nov 1994 08:49:57 GMT", 20), ("a=1; Expires=never", nil),
            ("a=1; Max-Age=99999999999999999999", 400 * 86_400),
            ("a=1; Expires=Fri, 31 Dec 9999 23:59:59 GMT", 400 * 86_400),
        ] as [(String, Double?)])
    func `a cookie lives as long as its attributes say, and at most 400 days`(
        field: String, life: Double?
    ) throws {
        var store = CookieStore()
        try store.receive(field, from: "https://example.com/", now: testDate)
        let cookie = try #require(store.all(now: testDate).first)
        #expect(cookie.expires == life.map { testDate.addingTimeInterval($0) })
        let end = testDate.addingTimeInterval(life ?? 1e9)
        #expect(store.count(now: end.addingTimeInterval(-1)) == 1)
        #expect(store.count(now: end) == (life == nil ? 1 : 0))
        #expect(
            try store.field(for: "https://example.com/", now: end) == (life == nil ? "a=1" : nil))
    }

    @Test(arguments: ["Max-Age=0", "Max-Age=-5", "Expires=Thu, 01 Jan 1970 00:00:00 GMT"])
    func `an expired cookie removes the one it replaces`(attribute: String) throws {
        var store = CookieStore()
        try store.receive("a=1", from: "https://example.com/", now: testDate)
        try store.receive("a=1; Path=/x", from: "https://example.com/", now: testDate)
        try store.receive("a=; \(attribute)", from: "https://example.com/", now: testDate)
        #expect(store.all(now: testDate).map(\.path) == ["/x"])
    }

    @Test func `a replaced cookie keeps its creation date and its place`() throws {
        var store = CookieStore()
        let later = testDate.addingTimeInterval(60)
        try store.receive("a=1", from: "https://example.com/", now: testDate)
        try store.receive("b=1", from: "https://example.com/", now: testDate)
        try store.receive("a=2; Secure; HttpOnly", from: "https://example.com/", now: later)
        #expect(try store.field(for: "https://example.com/", now: later) == "a=2; b=1")
        let cookie = try #require(store.all(now: later).first)
        #expect(cookie.creationDate == testDate && cookie.lastAccessDate == later)
        #expect(cookie.isSecure && cookie.isHTTPOnly)
    }

    @Test func `the same name in another path or with another scope is another cookie`() throws {
        var store = CookieStore()
        for attributes in ["", "; Path=/a", "; Domain=example.com"] {
            try store.receive("n=1\(attributes)", from: "https://example.com/", now: testDate)
        }
        #expect(store.count == 3)
    }

    @Test func `longer paths are sent first, and then older cookies`() throws {
        var store = CookieStore()
        let fields = ["a=1", "b=1; Path=/x/y", "c=1; Path=/x", "d=1; Path=/x/y", "e=1; Path=/x/y/"]
        for (index, field) in fields.enumerated() {
            let now = testDate.addingTimeInterval(Double(index / 2))
            try store.receive(field, from: "https://example.com/", now: now)
        }
        let field = try store.field(
            for: "https://example.com/x/y/z", now: testDate.addingTimeInterval(9))
        #expect(field == "e=1; b=1; d=1; c=1; a=1")
    }

    // MARK: Limits

    @Test func `the standard's minimum of cookies fits`() throws {
        var store = CookieStore()
        for site in 0..<60 {
            for number in 0..<50 {
                try store.receive(
                    "n\(number)=1", from: "http://s\(site).example/", now: testDate)
            }
        }
        #expect(store.count == 3_000)
        try store.receive("n=1", from: "http://last.example/", now: testDate)
        #expect(store.count == 3_000)
    }

    @Test func `a full site first loses insecure cookies, and then those unused longest`() throws {
        var store = CookieStore(limits: CookieStore.Limits(perSite: 3, total: 100))
        func date(_ second: Double) -> Date { testDate.addingTimeInterval(second) }
        try store.receive("s=1; Secure", from: "https://a.example.com/", now: date(0))
        try store.receive("p=1", from: "https://b.example.com/p/", now: date(1))
        try store.receive("q=1", from: "https://b.example.com/q/", now: date(2))
        try store.receive("o=1", from: "https://other.com/", now: date(2))
        _ = try store.field(for: "https://b.example.com/p/", now: date(3))
        try store.receive("r=1; Secure", from: "https://c.example.com/", now: date(4))
        #expect(store.all(now: date(4)).map(\.name) == ["s", "p", "o", "r"])
        try store.receive("t=1; Secure", from: "https://c.example.com/", now: date(5))
        #expect(store.all(now: date(5)).map(\.name) == ["s", "o", "r", "t"])
        try store.receive("u=1; Secure", from: "https://c.example.com/", now: date(6))
        #expect(store.all(now: date(6)).map(\.name) == ["o", "r", "t", "u"])
        #expect(throws: Reason.noRoom) {
            try store.receive("v=1", from: "https://c.example.com/", now: date(7))
        }
        #expect(store.all(now: date(7)).map(\.name) == ["o", "r", "t", "u"])
    }

    @Test func `a full store loses expired cookies before those unused longest`() throws {
        var store = CookieStore(limits: CookieStore.Limits(perSite: 10, total: 3))
        func date(_ second: Double) -> Date { testDate.addingTimeInterval(second) }
        try store.receive("a=1", from: "https://a.example/", now: date(0))
        try store.receive("b=1; Max-Age=5", from: "https://b.example/", now: date(1))
        try store.receive("c=1", from: "https://c.example/", now: date(2))
        try store.receive("d=1", from: "https://d.example/", now: date(6))
        #expect(store.all(now: date(6)).map(\.name) == ["a", "c", "d"])
        _ = try store.field(for: "https://a.example/", now: date(7))
        try store.receive("e=1", from: "https://e.example/", now: date(8))
        #expect(store.all(now: date(8)).map(\.name) == ["a", "d", "e"])
    }

    // MARK: Files

    /// Returns cookies as those of a file without dates of access.
    private func filed(_ names: [String], domain: String? = nil) throws -> [HTTPCookieJar.Cookie] {
        try names.map {
            try HTTPCookieJar.Cookie(
                $0, "1", domain: domain ?? "\($0).example",
                expires: testDate.addingTimeInterval(1_000))
        }
    }

    @Test func `cookies of a file that exceed the limits are dropped without a note`() throws {
        let limits = CookieStore.Limits(perSite: 2, total: 3)
        var store = CookieStore(limits: limits, keepsJournal: true)
        let file = try filed(["a", "b", "c"], domain: "example.com") + filed(["d", "e", "f"])
        store.adopt(file, now: testDate) { _ in true }
        #expect(store.all(now: testDate).map(\.name) == ["a", "b", "d"])
        #expect(store.noteCount == 0 && store.count == 3)
        // When the file is read again, the same cookies stay.
        store.adopt(file, now: testDate.addingTimeInterval(1)) { _ in true }
        #expect(store.all(now: testDate).map(\.name) == ["a", "b", "d"])
        #expect(store.noteCount == 0 && store.count == 3)
    }

    @Test func `cookies of a file that were never used are evicted first`() throws {
        var store = CookieStore(limits: CookieStore.Limits(perSite: 10, total: 3))
        func date(_ second: Double) -> Date { testDate.addingTimeInterval(second) }
        store.adopt(try filed(["a", "b"]), now: date(5)) { _ in true }
        try store.receive("own=1", from: "https://own.example/", now: date(1))
        _ = try store.field(for: "https://a.example/", now: date(2))
        try store.receive("new=1", from: "https://new.example/", now: date(3))
        #expect(Set(store.all(now: date(3)).map(\.name)) == ["a", "own", "new"])
        store.adopt(try filed(["a", "x", "y"]), now: date(4)) { $0.expires != nil }
        #expect(Set(store.all(now: date(4)).map(\.name)) == ["a", "own", "new"])
    }

    /// The file that is read was written before these changes, and their turn to be written comes.
    enum LaterChange: CaseIterable {
        case stored, removed, allRemoved, expired
    }

    @Test(arguments: LaterChange.allCases)
    func `a change that is not written yet outlasts what a file has`(change: LaterChange) throws {
        var store = CookieStore(keepsJournal: true)
        let now = testDate
        func filed(_ value: String) throws -> HTTPCookieJar.Cookie {
            try HTTPCookieJar.Cookie("a", value, domain: "a.example", expires: now + 1_000)
        }
        let first = try filed("old")
        store.insert(first, now: now)
        _ = store.takeJournal()
        switch change {
        case .stored: store.insert(try filed("new"), now: now)
        case .removed: store.remove { $0.name == "a" }
        case .allRemoved: store.removeAll()
        case .expired:
            store.insert(
                try HTTPCookieJar.Cookie("a", "", domain: "a.example", expires: now - 1), now: now)
        }
        for file in [[first], [try filed("other")], []] {
            store.adopt(file, now: now) { _ in true }
            #expect(store.all(now: now).map(\.value) == (change == .stored ? ["new"] : []))
        }
        // Once it is written, the file counts.
        _ = store.takeJournal()
        store.adopt([try filed("other")], now: now) { _ in true }
        #expect(store.all(now: now).map(\.value) == ["other"])
    }

    @Test func `a cookie that another program changed keeps its dates`() throws {
        var store = CookieStore()
        let old = try filed(["a"])
        let later = testDate.addingTimeInterval(60)
        store.adopt(old, now: testDate) { _ in true }
        _ = try store.field(for: "https://a.example/", now: later)
        let changed = try HTTPCookieJar.Cookie("a", "2", domain: "a.example", expires: later + 60)
        store.adopt([changed], now: later) { _ in true }
        let cookie = try #require(store.all(now: later).first)
        #expect(cookie.value == "2" && cookie.creationDate == testDate)
        #expect(cookie.lastAccessDate == later)
    }
}
