import HTTPCore
import Testing

@testable import HTTPTransportCurl

@Suite struct LaneTests {
    private func lane() throws -> Lane {
        Lane(
            ConnectionRoute(origin: try HTTPOrigin("http://example.com/")), limit: 1,
            waitingLimit: 1)
    }

    @Test func `an address is its host and port, in brackets where it has colons`() throws {
        let lane = try lane()
        #expect(lane.address(of: "192.0.2.1", port: 80) == "192.0.2.1:80")
        #expect(lane.address(of: "2001:db8::1", port: 443) == "[2001:db8::1]:443")
    }

    @Test func `the last address is not taken for another`() throws {
        let lane = try lane()
        for _ in 0..<2 {
            #expect(lane.address(of: "192.0.2.1", port: 80) == "192.0.2.1:80")
            #expect(lane.address(of: "192.0.2.1", port: 81) == "192.0.2.1:81")
            #expect(lane.address(of: "192.0.2.2", port: 81) == "192.0.2.2:81")
        }
    }
}
