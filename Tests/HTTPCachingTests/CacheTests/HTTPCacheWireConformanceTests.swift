import ConformanceVectors
import HTTPCaching
import HTTPCore
import HTTPTransportURLSession
import TestSupport
import Testing

#if canImport(HTTPTransportCurl)
    import HTTPTransportCurl
#endif

/// The public suite of HTTP cache tests over real connections. The time is still that of a test
/// clock.
@Suite(
    .enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped),
    .timeLimit(.minutes(5)))
struct HTTPCacheWireConformanceTests {
    #if canImport(HTTPTransportCurl)
        @Test func `the cache passes the public cache tests over libcurl`() async throws {
            try await play(CurlTransport(), "curl", CacheTestMisses.reasonsOverTheWire)
        }
    #endif

    @Test func `the cache passes the public cache tests over URLSession`() async throws {
        try await play(
            URLSessionTransport(), "urlsession", CacheTestMisses.reasonsOverURLSession)
    }

    private func play(
        _ transport: any HTTPSession, _ name: String, _ differences: [String: String]
    ) async throws {
        let tests = try CacheTestFile.tests()
        let site = try LoopbackCacheTestSite(transport)
        let runner = CacheTestRunner(site: site, makeSubject: HTTPCacheConformanceTests.cache)
        let results = await runner.run(tests)
        print(CacheTestTable(results, name, tests: tests))
        var report = ConformanceReport("http-cache-\(name)", differences: differences)
        report.record(results, of: tests)
        report.finish()
    }
}
