import HTTPCore
import Testing

@testable import HTTPMiddleware

@Suite struct StoreHealthTests {
    @Test func `a store is left alone for a tenth of a second, and then longer, up to a second`() {
        var health = StoreHealth()
        var now = HTTPInstant(sinceStart: .zero)
        for milliseconds in [100, 200, 400, 800, 1000, 1000, 1000] {
            #expect(health.mayAsk(at: now))
            health.failed(at: now)
            #expect(!health.mayAsk(at: now + .milliseconds(milliseconds - 1)))
            now = now + .milliseconds(milliseconds)
        }
        #expect(health.mayAsk(at: now))
        health.succeeded()
        health.failed(at: now)
        #expect(health.mayAsk(at: now + .milliseconds(100)))
    }
}
