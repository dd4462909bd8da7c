/// The result of a test without regard to the tests it depends on.
enum CacheTestResult: Hashable, Sendable {
    case passed
    case failed(CacheTestFailure)
}

/// The meaning of a result, with regard to the tests that the test depends on.
enum CacheTestOutcome: Hashable, Sendable {
    case passed
    case failed(CacheTestFailure)
    /// The test could not be done.
    case setupFailed(CacheTestFailure)
    /// A test that this one depends on did not pass.
    case dependencyFailed
    case notRun
}

/// The results of tests, by their ids.
struct CacheTestResults: Sendable {
    private var results: [String: CacheTestResult] = [:]

    subscript(id: String) -> CacheTestResult? {
        get { results[id] }
        set { results[id] = newValue }
    }

    /// Returns the outcome of each test, as the published site shows it.
    func outcomes(of tests: [CacheTest]) -> [String: CacheTestOutcome] {
        let tests = Dictionary(tests.map { ($0.id, $0) }) { first, _ in first }
        var outcomes: [String: CacheTestOutcome] = [:]
        func outcome(_ id: String) -> CacheTestOutcome {
            if let known = outcomes[id] { return known }
            // Also ends a circle of dependencies.
            outcomes[id] = .notRun
            guard let result = results[id], let test = tests[id] else { return .notRun }
            let failed = test.dependencies.contains { outcome($0) != .passed }
            let own = failed ? .dependencyFailed : result.outcome
            outcomes[id] = own
            return own
        }
        for id in tests.keys { _ = outcome(id) }
        return outcomes
    }
}

extension CacheTestResult {
    fileprivate var outcome: CacheTestOutcome {
        switch self {
        case .passed: .passed
        case .failed(let failure) where ["Setup", "AbortError"].contains(failure.name):
            .setupFailed(failure)
        case .failed(let failure): .failed(failure)
        }
    }
}

/// A result as it is published: `true`, or the name and the message of an error.
extension CacheTestResult: Codable {
    init(from decoder: any Decoder) throws {
        if let passed = try? decoder.singleValueContainer().decode(Bool.self) {
            self = passed ? .passed : .failed(CacheTestFailure("unknown", ""))
            return
        }
        var values = try decoder.unkeyedContainer()
        let name = try values.decode(String.self)
        self = .failed(CacheTestFailure(name, try values.decodeIfPresent(String.self) ?? ""))
    }

    func encode(to encoder: any Encoder) throws {
        if case .failed(let failure) = self {
            try [failure.name, failure.message].encode(to: encoder)
        } else {
            try true.encode(to: encoder)
        }
    }
}

extension CacheTestResults: Codable {
    init(from decoder: any Decoder) throws {
        results = try decoder.singleValueContainer().decode([String: CacheTestResult].self)
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.singleValueContainer()
        try values.encode(results)
    }
}
