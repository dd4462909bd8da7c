import HTTPCore
import TestSupport
import Testing

@Suite struct HTTPTimeoutsTests {
    // MARK: Limits of a request

    @Test(
        .rows("S1-10"),
        arguments: [
            (1.5, .after(.milliseconds(1500))), (.infinity, .never), (1e300, .never),
            (0, .after(.zero)), (-1, .after(.zero)), (.nan, .after(.zero)),
            (-.infinity, .after(.zero)),
        ] as [(Double, HTTPTimeouts.Limit)])
    func `any number of seconds is a limit`(seconds: Double, expected: HTTPTimeouts.Limit) {
        #expect(HTTPTimeouts.Limit.seconds(seconds) == expected)
    }

    @Test(.rows("S1-10"))
    func `limits are standard unless said otherwise`() {
        let timeouts = HTTPTimeouts(idle: .milliseconds(5))
        #expect(timeouts.connect == .standard && timeouts.total == .standard)
        #expect(timeouts.tls == .standard && timeouts.responseHead == .standard)
        #expect(timeouts.idle == .after(.milliseconds(5)))
    }
}
