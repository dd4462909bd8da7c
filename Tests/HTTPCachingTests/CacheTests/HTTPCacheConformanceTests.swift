import ConformanceVectors
import HTTPCaching
import HTTPCore
import TestSupport
import Testing
import PortableFoundation

/// The public suite of HTTP cache tests, cache-tests.fyi.
@Suite(
    .enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped),
    .timeLimit(.minutes(5)))
struct HTTPCacheConformanceTests {
    /// The cache under test, new and empty, around a session.
    static func cache(_ session: any HTTPSession) -> CacheTestSubject {
        let cache = HTTPCache.inMemory
        return CacheTestSubject(session: session.with(cache)) {
            while cache.revalidationCount > 0 { await Task.yield() }
        }
    }

    @Test func `the cache passes the public cache tests`() async throws {
        let tests = try CacheTestFile.tests()
        let runner = CacheTestRunner(site: MockCacheTestSite(), makeSubject: Self.cache)
        let results = await runner.run(tests)

        print(CacheTestTable(results, beside: try CacheTestProductScores.published(), tests: tests))
        try results.write(toFileNamedBy: "HTTP_CACHE_TEST_RESULTS")

        var report = ConformanceReport("http-cache", differences: CacheTestMisses.reasons)
        report.record(results, of: tests)
        report.finish()
    }

    @Test func `without a cache, the scores are those of the original engine without one`()
        async throws
    {
        let tests = try CacheTestFile.tests()
        let runner = CacheTestRunner(site: MockCacheTestSite()) { CacheTestSubject(session: $0) }
        let results = await runner.run(tests)
        // Measured, not published: other data may lack it.
        let measured = try CacheTestProductScores.published()
            .first { $0.name == "no cache (plain fetch)" }
        guard let measured else { return }
        for kind in CacheTest.Kind.allCases {
            let score = CacheTestScore(.sharedClient, kind, of: tests, results)
            #expect(score == measured[.sharedClient, kind], "\(kind)")
        }
    }

    @Test func `published results have the published scores`() throws {
        let tests = try CacheTestFile.tests()
        let products = try CacheTestProduct.published()
        #expect(!products.isEmpty)
        for scores in try CacheTestProductScores.published() {
            // There are no results of products that were measured since.
            guard let product = products.first(where: { $0.name == scores.name }) else { continue }
            for set in CacheTestSet.allCases {
                for kind in CacheTest.Kind.allCases {
                    let score = CacheTestScore(set, kind, of: tests, product.results)
                    #expect(score == scores[set, kind], "\(scores.name), \(set), \(kind)")
                }
            }
        }
    }
}

extension ConformanceReport {
    /// Counts the results of tests.
    mutating func record(_ results: CacheTestResults, of tests: [CacheTest]) {
        let outcomes = results.outcomes(of: tests)
        for test in tests {
            switch outcomes[test.id] ?? .notRun {
            case .passed: record(test.id, true)
            case .failed(let failure), .setupFailed(let failure):
                record(test.id, false, "\(test.kind) \(failure)")
            case .notRun: record(test.id, false, "not run")
            // Such a test says nothing. The one that it depends on is on the list.
            case .dependencyFailed: break
            }
        }
    }
}

extension CacheTestResults {
    /// Writes the results in the form of published ones, if the environment names a file.
    fileprivate func write(toFileNamedBy variable: String) throws {
        guard let path = ProcessInfo.processInfo.environment[variable] else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: URL(filePath: path))
    }
}
