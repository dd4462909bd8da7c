import HTTPCore
import TestSupport
import Testing

@Suite struct HTTPTimelineTests {
    private static let fresh: HTTPTimeline.Exchange = {
        var exchange = HTTPTimeline.Exchange(start: HTTPInstant(sinceStart: .seconds(5)))
        exchange.nameResolved = .milliseconds(10)
        exchange.connected = .milliseconds(20)
        exchange.secured = .milliseconds(40)
        exchange.sending = .milliseconds(40)
        exchange.firstByte = .milliseconds(80)
        exchange.lastByte = .milliseconds(100)
        (exchange.remoteHost, exchange.remotePort) = ("::1", 443)
        exchange.version = .http2
        (exchange.requestBodyBytes, exchange.responseBodyBytes) = (7, 512)
        exchange.decodedBodyBytes = 2048
        return exchange
    }()

    private static let reused: HTTPTimeline.Exchange = {
        var exchange = HTTPTimeline.Exchange(start: HTTPInstant(sinceStart: .seconds(6)))
        exchange.sending = .microseconds(100)
        exchange.firstByte = .microseconds(1200)
        exchange.isConnectionReused = true
        exchange.silentResends = 1
        return exchange
    }()

    // MARK: Renderings

    @Test(.rows("B-15"))
    func `a timeline is one line`() {
        #expect(
            HTTPTimeline(exchanges: [Self.fresh, Self.reused]).description
                == "name 10.0 ms, connect 20.0 ms, TLS 40.0 ms, sending 40.0 ms, "
                + "first byte 80.0 ms, last byte 100.0 ms, 512 B, HTTP/2; "
                + "then sending 0.1 ms, first byte 1.2 ms, 0 B, "
                + "reused connection, 1 silent re-sends")
        #expect(HTTPTimeline(exchanges: []).description == "")
    }

    @Test(.rows("B-15"))
    func `a waterfall draws the phases on a common scale`() {
        #expect(
            HTTPTimeline(exchanges: [Self.fresh, Self.reused]).waterfall(width: 10) == """
                exchange 1 HTTP/2 to [::1]:443
                  name       |█         | 10.0 ms
                  connect    | █        | 10.0 ms
                  TLS        |  ██      | 20.0 ms
                  sending    |    █     | 0.0 ms
                  first byte |    ████  | 40.0 ms
                  last byte  |        ██| 20.0 ms
                  7 bytes of body out, 512 in, 2048 decoded
                exchange 2, reused connection
                  sending    |█         | 0.1 ms
                  first byte |██████████| 1.1 ms
                  0 bytes of body out, 0 in
                """)
        #expect(HTTPTimeline(exchanges: []).waterfall() == "")
    }

    @Test(
        arguments: [
            (.zero, .zero), (.seconds(5), .seconds(1)), (.seconds(-5), .seconds(1)),
            (.seconds(Int64.max), .zero), (.seconds(1), .seconds(-1)), (nil, .nanoseconds(1)),
        ] as [(Duration?, Duration?)])
    func `marks out of order are drawn all the same`(first: Duration?, second: Duration?) {
        var exchange = HTTPTimeline.Exchange(start: HTTPInstant(sinceStart: .zero))
        (exchange.sending, exchange.lastByte) = (first, second)
        for width in [-1, 0, 8, 40] {
            let lines = HTTPTimeline(exchanges: [exchange]).waterfall(width: width).split(
                separator: "\n")
            #expect(lines.count == 2 + [first, second].compactMap(\.self).count)
            let bars = lines.dropFirst().dropLast().map { $0.split(separator: "|")[1].count }
            #expect(bars.allSatisfy { $0 == max(width, 8) })
        }
    }
}
