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
            last = table.lane(for: try rig.destination(of: request)) { 0 }
        }
        let home = try #require(last)
        let service = HTTP3Availability.Service(host: "other.test", port: 443)
        let lane = table.lane(to: service, of: home)
        #expect(!home.isForgotten && table.hasForgotten)
        #expect(lane.route.protocols == .http3Alone && lane.place == ("other.test", 443))
        #expect(table.lane(to: service, of: home) === lane)
    }

    private func lane() throws -> Lane {
        Lane(
            ConnectionRoute(origin: try HTTPOrigin("http://example.com/")), limit: 1,
            waitingLimit: 1)
    }

}
