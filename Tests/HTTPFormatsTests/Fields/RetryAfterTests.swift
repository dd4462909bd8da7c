import HTTPCore
import HTTPFormats
import Testing
import PortableFoundation

@Suite struct RetryAfterTests {
    private let now = Date(timeIntervalSince1970: 784_111_777)

    @Test(
        arguments: [
            ("120", .seconds(120)), (" 120\t", .seconds(120)), ("0", .zero),
            ("99999999999999999999", .seconds(2_147_483_648)),
            ("1.5", .seconds(2)), ("0.001", .seconds(1)), ("3.000", .seconds(3)),
            ("0.0", .zero), ("99999999999999999999.9", .seconds(2_147_483_649)),
            ("Sun, 06 Nov 1994 08:50:37 GMT", .seconds(60)),
            ("Sunday, 06-Nov-94 08:50:37 GMT", .seconds(60)),
            ("Sun Nov  6 08:50:37 1994", .seconds(60)), ("Sun, 06 Nov 1994 08:49:37 GMT", .zero),
            ("Sun, 06 Nov 1994 08:49:36 GMT", .zero),
        ] as [(String, Duration)])
    func `the wait is counted from now and never negative`(text: String, delay: Duration) {
        #expect(RetryAfter(text, now: now)?.delay(from: now) == delay)
    }

    @Test(arguments: [
        "", "-1", "+1", "-1.5", "1.", ".5", "1.5.5", "1,5", "1.5s", "1e3", "soon", "1 2", "１",
        "0x10", "\0",
    ])
    func `anything else is none`(text: String) { #expect(RetryAfter(text, now: now) == nil) }

    @Test(
        arguments: [
            (.nan, .zero), (.infinity, .zero), (-.infinity, .seconds(1e12)),
            (-1e300, .seconds(1e12)),
            (1e300, .zero),
        ] as [(Double, Duration)])
    func `a clock that is out of its mind does no harm`(seconds: Double, delay: Duration) {
        let now = Date(timeIntervalSince1970: seconds)
        let retryAfter = RetryAfter("Sunday, 06-Nov-94 08:50:37 GMT", now: now)
        #expect(retryAfter != nil)
        #expect(RetryAfter.date(HTTPDate(secondsSince1970: 0)).delay(from: now) == delay)
    }

    /// The dates of a server are compared with its own clock, not with that of this machine.
    @Test(
        arguments: [
            // Right, a day behind, a day ahead, and without a clock.
            (["Date": "Sun, 06 Nov 1994 08:49:37 GMT"], "Sun, 06 Nov 1994 08:50:07 GMT", 30),
            (["Date": "Sat, 05 Nov 1994 08:49:37 GMT"], "Sat, 05 Nov 1994 08:50:07 GMT", 30),
            (["Date": "Mon, 07 Nov 1994 08:49:37 GMT"], "Mon, 07 Nov 1994 08:50:07 GMT", 30),
            (["Date": "Thu, 01 Jan 1970 00:00:00 GMT"], "Thu, 01 Jan 1970 00:00:30 GMT", 30),
            // A cache has kept the response for ten seconds.
            (
                ["Date": "Sat, 05 Nov 1994 08:49:37 GMT", "Age": "10"],
                "Sat, 05 Nov 1994 08:50:07 GMT", 20
            ),
            (
                ["Date": "Sat, 05 Nov 1994 08:49:37 GMT", "Age": "99999999999999999999"],
                "Sat, 05 Nov 1994 08:50:07 GMT", 0
            ),
            (
                ["Date": "Sat, 05 Nov 1994 08:49:37 GMT", "Age": "old"],
                "Sat, 05 Nov 1994 08:50:07 GMT", 30
            ),
            // Over already, or without a `Date` that can be read.
            (["Date": "Mon, 07 Nov 1994 08:49:37 GMT"], "Mon, 07 Nov 1994 08:49:37 GMT", 0),
            (["Date": "now"], "Sun, 06 Nov 1994 08:50:07 GMT", 30),
            ([:], "Sun, 06 Nov 1994 08:50:07 GMT", 30),
            // Seconds are counted from the response, whatever its date.
            (["Date": "Mon, 07 Nov 1994 08:49:37 GMT"], "30", 30),
        ] as [(HTTPHeaders, String, Int)])
    func `a date is compared with the date of the response`(
        fields: HTTPHeaders, text: String, seconds: Int
    ) {
        var headers = fields
        headers[.retryAfter] = text
        #expect(headers.retryDelay(now: now) == .seconds(seconds))
    }

    @Test func `it is written as seconds, rounded up, or as a date`() {
        #expect(RetryAfter.delay(.milliseconds(1_001)).description == "2")
        #expect(RetryAfter.delay(.seconds(-1)).description == "0")
        #expect(RetryAfter.delay(.seconds(-1)).delay(from: now) == .zero)
        #expect(RetryAfter.date(HTTPDate(now)).description == "Sun, 06 Nov 1994 08:49:37 GMT")
    }
}
