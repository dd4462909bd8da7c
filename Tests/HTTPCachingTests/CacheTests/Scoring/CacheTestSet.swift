/// A set of tests that is scored on its own.
enum CacheTestSet: String, CaseIterable, Sendable {
    case all
    /// The tests for a private cache.
    case privateClient = "private-client"
    /// The tests for a shared cache.
    case sharedClient = "shared-client"
    /// The tests for both.
    case common

    func contains(_ test: CacheTest) -> Bool {
        switch self {
        case .all: true
        case .privateClient: !test.isForCDNsOnly && !test.isSkippedByBrowsers
        case .sharedClient: !test.isForBrowsersOnly
        case .common: Self.privateClient.contains(test) && Self.sharedClient.contains(test)
        }
    }
}
