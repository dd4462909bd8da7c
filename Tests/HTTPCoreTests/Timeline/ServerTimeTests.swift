import HTTPCore
import HTTPTesting
import TestSupport
import Testing

@Suite struct ServerTimeTests {
    @Test(
        arguments: [
            (10, 60, 10, false), (60, 60, 60, false), (61, 60, 60, true), (-1, 60, 0, false),
            (0, 0, 0, false), (1, 0, 0, true), (1, -5, 0, true), (-1, -5, 0, false),
        ] as [(Int, Int, Int, Bool)])
    func `a server gets the time that it asks for, up to the limit`(
        asked: Int, limit: Int, granted: Int, isCut: Bool
    ) {
        let time = ServerTime(.seconds(asked), atMost: .seconds(limit))
        #expect(time.granted == .seconds(granted))
        #expect(time.isCut == isCut)
    }

    @Test func `no time is negative, or longer than the limit`() {
        for asked in Extremes.durations {
            for limit in Extremes.durations {
                let time = ServerTime(asked, atMost: limit)
                #expect(time.granted >= .zero)
                #expect(time.granted <= max(.zero, limit))
            }
        }
    }
}
