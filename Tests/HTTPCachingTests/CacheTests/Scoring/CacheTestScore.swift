/// The numbers of tests of one set and kind, by their outcomes.
struct CacheTestScore: Hashable, Sendable {
    var passed = 0
    var failed = 0
    var dependencyFailed = 0
    var setupFailed = 0
    var notRun = 0
    /// The number of tests that passed, without regard to the tests they depend on.
    var passedAlone = 0

    /// - Parameter kind: The kind of test, or `nil` for all kinds.
    init(
        _ set: CacheTestSet, _ kind: CacheTest.Kind?, of tests: [CacheTest],
        _ results: CacheTestResults
    ) {
        let outcomes = results.outcomes(of: tests)
        for test in tests where set.contains(test) && (kind == nil || test.kind == kind) {
            switch outcomes[test.id] ?? .notRun {
            case .passed: passed += 1
            case .failed: failed += 1
            case .dependencyFailed: dependencyFailed += 1
            case .setupFailed: setupFailed += 1
            case .notRun: notRun += 1
            }
            if results[test.id] == .passed { passedAlone += 1 }
        }
    }
}

/// A score as it is published.
extension CacheTestScore: Decodable {
    private enum CodingKeys: String, CodingKey {
        case passed = "pass"
        case failed = "fail"
        case dependencyFailed = "dependency_fail"
        case setupFailed = "setup_or_harness_fail"
        case notRun = "untested"
        case passedAlone = "assertion_true"
    }
}
