import HTTPCaching
import HTTPClientKit
import HTTPCookies
import HTTPCore
import HTTPMiddleware
import HTTPRetry
import HTTPTesting
import HTTPValidation
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPClientMiddlewareDirectTests {
    private struct Silent: HTTPObserver {
        func observe(_ event: HTTPEvent) {}
    }

    private func layers() throws -> [any HTTPClientMiddleware] {
        let origin = try HTTPOrigin("https://h/")
        let credential = try HTTPCredential(.bearer("t"))
        let (breaker, pause) = (CircuitBreaker(), OriginPause())
        return [
            Validation(), Redirects(), HTTPCache.inMemory, Coalescing(), Retry(),
            Cookies(HTTPCookieJar()), ProxyAuthentication(), breaker, breaker.gate, pause,
            pause.gate, RateLimit(.tokenBucket(100)), ConcurrencyLimit(),
            ConcurrencyLimit(adaptive: AdaptiveLimit()), HTTPLogging(.body) { _ in },
            HTTPObservation(Silent()), OriginGuard(), RequestSigning { _, _ in [:] },
            RefreshingAuthentication(for: origin, credential: credential) { _, _ in credential },
        ]
    }

    @Test func `a layer that is called directly accepts a request without a call`() async throws {
        var request = try HTTPRequest("https://h/")
        request.delivery = .buffered(upTo: 10)
        #expect(request.call == nil)
        for layer in try layers() {
            let mock = MockSession { HTTPResponse(.ok, body: HTTPBody("x"), to: $0) }
            let response = try await layer.intercept(request, next: mock)
            #expect(try await response.data() == Data("x".utf8), "\(layer)")
            #expect(mock.requests.count == 1, "\(layer)")
        }
    }
}
