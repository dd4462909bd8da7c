import Testing

@testable import HTTPTransportCurl

@Suite struct ConnectionScopeTests {
    @Test func `connections of other versions or of another series have another scope`() {
        var all = [ConnectionScope(.http1Alone, series: 0)]
        for series in 0..<100 {
            all.append(ConnectionScope(.best, series: series))
            all.append(ConnectionScope(.http3Alone, series: series))
        }
        #expect(Set(all).count == all.count)
    }

    @Test func `no scope is set for the first series, and a pool of its own needs none`() {
        #expect(ConnectionScope(.best, series: 0).number == 0)
        for series in 0..<3 { #expect(ConnectionScope(.http3Single, series: series).number == 0) }
    }

    @Test func `connections that carry one exchange at a time are of one series`() {
        let first = ConnectionScope(.http1Alone, series: 0)
        #expect(ConnectionScope(.http1Alone, series: 7) == first && first.number != 0)
    }
}
