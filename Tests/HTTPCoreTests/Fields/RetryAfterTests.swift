import HTTPCore
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct RetryAfterTests {
    private let now = Date(timeIntervalSince1970: 784_111_777)

    @Test(
        arguments: [
            ("120", .seconds(120)), (" 120\t", .seconds(120)), ("0", .zero),
            ("99999999999999999999", .seconds(2_147_483_648)),
            ("Sun, 06 Nov 1994 08:50:37 GMT", .seconds(60)),
            ("Sunday, 06-Nov-94 08:50:37 GMT", .seconds(60)),
            ("Sun Nov  6 08:50:37 1994", .seconds(60)), ("Sun, 06 Nov 1994 08:49:37 GMT", .zero),
            ("Sun, 06 Nov 1994 08:49:36 GMT", .zero),
        ] as [(String, Duration)])
    func `the wait is counted from now and never negative`(text: String, delay: Duration) {
        #expect(RetryAfter(text, now: now)?.delay(from: now) == delay)
    }

    @Test(arguments: ["", "-1", "+1", "1.5", "1e3", "soon", "1 2", "１", "0x10", "\0"])
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

    @Test func `it is written as seconds, rounded up, or as a date`() {
        #expect(RetryAfter.delay(.milliseconds(1_001)).description == "2")
        #expect(RetryAfter.delay(.seconds(-1)).description == "0")
        #expect(RetryAfter.delay(.seconds(-1)).delay(from: now) == .zero)
        #expect(RetryAfter.date(HTTPDate(now)).description == "Sun, 06 Nov 1994 08:49:37 GMT")
    }
}
