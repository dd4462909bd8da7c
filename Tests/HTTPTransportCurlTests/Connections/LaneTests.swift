import HTTPCore
import Testing

@testable import HTTPTransportCurl

@Suite struct LaneTests {
    private func lane() throws -> Lane {
        Lane(
            ConnectionRoute(origin: try HTTPOrigin("http://example.com/")), limit: 1,
            waitingLimit: 1)
    }

}
