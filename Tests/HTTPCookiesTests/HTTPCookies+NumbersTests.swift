import HTTPCore
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPCookies
import PortableFoundation

/// Every public number of the target at the edges of its type. A trap would end the tests.
@Suite(.timeLimit(.minutes(5))) struct HTTPCookiesNumbersTests {
    private static let dates =
        Extremes.factors.map { Date(timeIntervalSince1970: $0) } + [.distantPast, .distantFuture]

    @Test func `any date of expiry is kept, limited, or refused`() async throws {
        for format in [HTTPCookieJar.FileFormat.netscape, .json] {
            let folder = try CookieFolder()
            let jar = try HTTPCookieJar.file(
                at: folder.path, format: format, clock: HTTPTestClock())
            for (index, date) in Self.dates.enumerated() {
                let cookie = try? HTTPCookieJar.Cookie(
                    "n\(index)", "1", domain: "example.com", expires: date)
                #expect((cookie == nil) == date.timeIntervalSince1970.isNaN)
                if let cookie {
                    jar.set(cookie)
                    #expect("\(cookie)".contains("expires"))
                }
            }
            let latest = testDate.addingTimeInterval(CookieStore.longestLife)
            #expect(jar.cookies.allSatisfy { $0.expires == latest } && jar.count > 0)
            try await jar.save()
            #expect(try HTTPCookieJar.file(at: folder.path, format: format).flaws.isEmpty)
        }
    }

    @Test func `a clock may show any date`() async throws {
        for date in Self.dates {
            let folder = try CookieFolder()
            let jar = try HTTPCookieJar.file(at: folder.path, clock: HTTPTestClock(date: date))
            try jar.receive("a=1; Max-Age=9223372036854775807", "b=2", from: "https://a.example/")
            _ = (jar.cookies, jar.count, try jar.field(for: "https://a.example/"))
            try await jar.save()
        }
    }

    @Test(arguments: [
        "1e400", "-1e400", "1e308", "-1e308", "0", "-0.0", "1.5", "9223372036854775808",
    ])
    func `a JSON file may have any number as a date`(number: String) async throws {
        let folder = try CookieFolder(
            """
            {"version":1,"cookies":[{"name":"a","value":"1","domain":"example.com","path":"/",\
            "hostOnly":true,"secure":false,"httpOnly":false,"expires":\(number),\
            "created":\(number),"accessed":\(number)}]}
            """)
        let jar = try? HTTPCookieJar.file(at: folder.path, format: .json)
        _ = (jar?.cookies, jar?.flaws)
        try await jar?.save()
    }
}
