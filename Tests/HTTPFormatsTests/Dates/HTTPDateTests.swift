import HTTPCore
import HTTPFormats
import Testing
import PortableFoundation

@Suite struct HTTPDateTests {
    private let now = Date(timeIntervalSince1970: 1_750_000_000)  // Sun, 15 Jun 2025 15:06:40 GMT

    /// RFC 9110 §5.6.7.
    @Test(
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
        ])
    func `the three forms name the same second`(text: String) {
        let date = HTTPDate(text, now: now)
        #expect(date?.secondsSince1970 == 784_111_777)
        #expect(date?.description == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test(
        arguments: [
            // Now is 15 June 2025 15:06:40: fifty years on is still ahead, a second more is past.
            ("Saturday, 15-Jun-75 15:06:40 GMT", "2075"),
            ("Saturday, 15-Jun-75 15:06:41 GMT", "1975"),
            ("Saturday, 16-Jun-75 00:00:00 GMT", "1975"),
            ("Sunday, 01-Jan-00 00:00:00 GMT", "2000"),
            ("Sunday, 01-Jan-25 00:00:00 GMT", "2025"), ("Sunday, 01-Jan-76 00:00:00 GMT", "1976"),
            ("Sunday, 01-Jan-99 00:00:00 GMT", "1999"), ("Sunday, 01-Jan-26 00:00:00 GMT", "2026"),
        ])
    func `a two-digit year is at most fifty years ahead`(text: String, year: String) throws {
        let date = try #require(HTTPDate(text, now: now))
        #expect(date.description.split(separator: " ")[3] == year)
    }

    @Test func `a day or a month that does not exist is no date`() {
        for (month, day) in [(0, 1), (13, 1), (-1, 1), (2, 29), (4, 31), (1, 0), (12, 32)] {
            #expect(HTTPDate(2025, month, day, second: 0) == nil)
        }
        #expect(HTTPDate(2024, 2, 29, second: 0)?.description == "Thu, 29 Feb 2024 00:00:00 GMT")
    }

    @Test func `a two-digit year depends on the date it is read`() {
        let nextCentury = Date(timeIntervalSince1970: 4_070_908_800)  // 2099-01-01
        #expect(
            HTTPDate("Sunday, 01-Jan-10 00:00:00 GMT", now: nextCentury)?.description
                == "Wed, 01 Jan 2110 00:00:00 GMT")
        #expect(
            HTTPDate("Sunday, 29-Feb-00 00:00:00 GMT", now: nextCentury) == nil,
            "2100 is no leap year")
    }

    @Test(
        arguments: [
            "", " ", "0", "Sun", "Sun,", "Sun, 06 Nov 1994 08:49:37",
            "Sun, 06 Nov 1994 08:49:37 UTC",
            "sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 gmt", "Sun, 06 Nov 1994 08:49:37 GMT ",
            " Sun, 06 Nov 1994 08:49:37 GMT", "Sun,  06 Nov 1994 08:49:37 GMT",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 31 Nov 1994 08:49:37 GMT", "Tue, 29 Feb 1900 00:00:00 GMT",
            "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
            "Sun, 06 Nov 1994 08:49:60 GMT", "Sun, 06 Nov 1994 23:59:61 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT\0", "Sun, ０6 Nov 1994 08:49:37 GMT",
            "Sun Nov 6 08:49:37 1994", "Sun Nov  6 08:49:37 94", "Sun Nov 06 08:49:37 1994 GMT",
            "Sunday, 06 Nov 1994 08:49:37 GMT", "Funday, 06-Nov-94 08:49:37 GMT",
        ])
    func `what is no date to the letter is refused`(text: String) {
        #expect(HTTPDate(text, now: now) == nil)
    }

    @Test func `a leap second is the next minute's first`() {
        #expect(
            HTTPDate("Sat, 31 Dec 2016 23:59:60 GMT", now: now)?.description
                == "Sun, 01 Jan 2017 00:00:00 GMT")
    }

    @Test(
        arguments: [
            (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (Int.max, "Fri, 31 Dec 9999 23:59:59 GMT"), (Int.min, "Sat, 01 Jan 0000 00:00:00 GMT"),
        ])
    func `what is written is read again, for every year of four digits`(
        seconds: Int, text: String
    ) {
        let date = HTTPDate(secondsSince1970: seconds)
        #expect(date.description == text)
        #expect(HTTPDate(text, now: now) == date)
    }

    @Test func `days all over four centuries are read as they are written`() {
        let days = stride(
            from: -62_167_219_200, to: -62_167_219_200 + 146_097 * 86_400, by: 11 * 86_399)
        let wrong = days.first {
            let date = HTTPDate(secondsSince1970: $0)
            return date.secondsSince1970 != $0 || HTTPDate(date.description, now: now) != date
        }
        #expect(wrong == nil)
    }

    @Test(
        arguments: [
            (0.9, 0), (-0.1, -1), (.infinity, 253_402_300_799), (-.infinity, -62_167_219_200),
            (.nan, -62_167_219_200), (1e300, 253_402_300_799),
        ] as [(Double, Int)])
    func `a Date is rounded down and cut to what can be written`(seconds: Double, expected: Int) {
        #expect(HTTPDate(Date(timeIntervalSince1970: seconds)).secondsSince1970 == expected)
    }

    @Test func `dates compare by time`() {
        #expect(HTTPDate(secondsSince1970: 1) < HTTPDate(secondsSince1970: 2))
        #expect(HTTPDate(secondsSince1970: 5).date == Date(timeIntervalSince1970: 5))
    }
}
