import HTTPCore
import Testing

@testable import HTTPTransportCurl

@Suite struct LaneTests {
    @Test func `a table that is full keeps the origin of an exchange that begins`() throws {
        let rig = try TransferRig()
        var table = LaneTable(rig.settings)
        var last: Lane?
        for number in 0..<CurlStatistics.originLimit {
            let request = try HTTPRequest(.get, "https://h\(number).test/")
            let destination = try rig.destination(of: request)
            last = table.lane(for: destination.route, of: destination, retirements: 0)
        }
        let home = try #require(last)
        let service = HTTP3Availability.Service(host: "other.test", port: 443)
        let lane = table.lane(to: service, of: home)
        #expect(!home.isForgotten && table.hasForgotten)
        #expect(lane.route.protocols == .http3Alone && lane.place == ("other.test", 443))
        #expect(table.lane(to: service, of: home) === lane)
    }

    private func lane(_ url: String) throws -> Lane {
        Lane(ConnectionRoute(origin: try HTTPOrigin(url)), limit: 9, waitingLimit: 1)
    }

    @Test func `exchanges that may share a connection are counted before it is made`() throws {
        let lane = try lane("https://example.com/")
        let series = (0..<5).map { _ in
            lane.takeShare(maximum: 2)
            return lane.series
        }
        #expect(series == [0, 0, 1, 1, 2])
        lane.beginSeries()
        lane.takeShare(maximum: 2)
        lane.takeShare(maximum: 2)
        #expect(lane.series == 3)
        // Connections that carry one exchange at a time are counted by themselves.
        lane.speaksHTTP1 = true
        for _ in 0..<9 { lane.takeShare(maximum: 2) }
        #expect(lane.series == 3)
        let plain = try self.lane("http://example.com/")
        for _ in 0..<9 { plain.takeShare(maximum: 2) }
        #expect(plain.series == 0)
    }

    @Test func `an open connection may have room if it is shared, or if not all are in use`() throws
    {
        for (url, isShared) in [("https://example.com/", true), ("http://example.com/", false)] {
            let lane = try lane(url)
            _ = lane.queue.enter(0)
            #expect(!lane.mayHaveConnection)
            lane.openSockets = 1
            #expect(lane.mayHaveConnection)
            _ = lane.queue.enter(1)
            #expect(lane.mayHaveConnection == isShared)
        }
    }
}
