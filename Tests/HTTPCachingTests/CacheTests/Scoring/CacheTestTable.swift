/// The numbers of passed tests of this package and of published products, as text.
struct CacheTestTable: CustomStringConvertible {
    private static let kinds: [CacheTest.Kind?] = [.required, .optimal, .check, nil]

    private var lines: [String] = []

    /// The numbers of this package over a transport.
    init(_ results: CacheTestResults, _ transport: String, tests: [CacheTest]) {
        append(
            "this package over \(transport)",
            Self.kinds.map {
                "\(CacheTestScore(.privateClient, $0, of: tests, results).passed)"
            })
    }

    init(
        _ results: CacheTestResults, beside products: [CacheTestProductScores], tests: [CacheTest]
    ) {
        for set in [CacheTestSet.privateClient, .all] {
            append(set.rawValue, Self.kinds.map { $0?.rawValue ?? "sum" })
            append(
                "this package",
                Self.kinds.map { "\(CacheTestScore(set, $0, of: tests, results).passed)" })
            for product in products {
                append(
                    product.name, Self.kinds.map { product[set, $0].map { "\($0)" } ?? "-" })
            }
            append(
                "number of tests",
                Self.kinds.map { kind in
                    "\(tests.count { set.contains($0) && (kind == nil || $0.kind == kind) })"
                })
        }
    }

    private mutating func append(_ name: String, _ cells: [String]) {
        lines.append((["CACHE TESTS", name] + cells).joined(separator: " | "))
    }

    var description: String { lines.joined(separator: "\n") }
}
