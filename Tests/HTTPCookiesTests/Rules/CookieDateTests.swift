import Testing

@testable import HTTPCookies

struct CookieDateTests {
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("06-nov-94 8:49:37", 784_111_777),
        ("1994 08:49:37 6 November", 784_111_777), ("08:49:37 6 november 1994", 784_111_777),
        ("1 Jan 1970 00:00:00", 0), ("1 Jan 70 0:0:0", 0), ("1 Jan 69 0:0:0", 3_124_224_000),
        ("29 Feb 2000 00:00:00", 951_782_400), ("29 Feb 1900 00:00:00", nil),
        ("31 Apr 2020 00:00:00", nil), ("0 Apr 2020 00:00:00", nil),
        ("1 Jan 1601 00:00:00", -11_644_473_600), ("1 Jan 1600 23:59:59", nil),
        ("1 Jan 2020 24:00:00", nil), ("1 Jan 2020 00:60:00", nil), ("1 Jan 2020 00:00:60", nil),
        ("1 Jan 20200 00:00:00", nil), ("1 Jan 2020x 00:00:00z", 1_577_836_800),
        ("1 Jan 2020", nil), ("Jan 2020 00:00:00", nil), ("", nil),
        ("1 J\u{0}n 2020 00:00:00", nil),
        ("1 Jan 2020 00:00:00:00", 1_577_836_800), ("1 Jan 2020 1:2:3 4:5:6", 1_577_840_523),
    ])
    func `a date is found among its tokens`(text: String, seconds: Int?) {
        #expect(CookieDate(text.utf8)?.secondsSince1970 == seconds)
    }
}
