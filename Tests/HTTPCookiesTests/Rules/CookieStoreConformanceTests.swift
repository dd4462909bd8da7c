import ConformanceVectors
import HTTPCore
import Testing
@testable import HTTPCookies
import PortableFoundation

@Suite(.enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped))
struct CookieStoreConformanceTests {
    struct Case: Decodable {
        struct Step: Decodable {
            var url: String
            var set_cookie: [String]?
            var set_cookie_b64: [String]?
        }
        var id: String
        var steps: [Step]
        var request_url: String
        var expected_cookie: String?
        var expected_cookie_b64: String?
        var expected_cookie_rfc6265bis: String?
        var disabled_upstream: Bool?
        var optional_upstream: Bool?
    }

    /// 2026-01-01, one of the dates at which the vectors hold.
    private static let now = Date(timeIntervalSince1970: 1_767_225_600)
    private static let suites = ConformanceData.files(of: "cookies").filter { $0 != "cookie-date" }

    @Test(arguments: suites)
    func `cookies are stored and sent as RFC 6265bis says`(suite: String) throws {
        let cases = try ConformanceData.cases("cookies/\(suite).json", as: Case.self)
        var reports: [String: ConformanceReport] = [:]
        for value in cases {
            var name = "cookies/\(suite)"
            if value.disabled_upstream == true { name += " (disabled upstream)" }
            if value.optional_upstream == true { name += " (optional upstream)" }
            let (found, expected) = try (Self.field(value), Self.expected(value))
            reports[name, default: ConformanceReport(name)].record(
                value.id, found == expected,
                "\(found.cookieText.prefix(200)) instead of \(expected.cookieText.prefix(200))")
        }
        for name in reports.keys.sorted() { reports[name]?.finish() }
    }

    private static func expected(_ value: Case) throws -> [UInt8] {
        if let text = value.expected_cookie_rfc6265bis { return Array(text.utf8) }
        if let text = value.expected_cookie { return Array(text.utf8) }
        return Array(try #require(Data(base64Encoded: value.expected_cookie_b64 ?? "?")))
    }

    /// Runs a case on the rules, because no response could carry some of the bytes.
    private static func field(_ value: Case) throws -> [UInt8] {
        var store = CookieStore()
        for step in value.steps {
            let location = try CookieLocation(URL(strictly: step.url))
            let encoded = try (step.set_cookie_b64 ?? []).map {
                Array(try #require(Data(base64Encoded: $0)))
            }
            for bytes in (step.set_cookie ?? []).map({ Array($0.utf8) }) + encoded {
                try? store.store(
                    HTTPCookieJar.Cookie(SetCookie(bytes: bytes), from: location, now: now),
                    from: location, now: now)
            }
        }
        let location = try CookieLocation(URL(strictly: value.request_url))
        return HTTPCookieJar.field(of: store.send(to: location, now: now)) ?? []
    }
}
