import ConformanceVectors
import PortableFoundation

/// A product with its published results.
struct CacheTestProduct: Decodable, Sendable {
    let name: String
    let results: CacheTestResults

    private struct File: Decodable {
        var products: [CacheTestProduct]
    }

    static func published() throws -> [Self] {
        let bytes = try ConformanceData.bytes("http-cache/results.json")
        return try JSONDecoder().decode(File.self, from: bytes).products
    }
}

/// The scores of a product, published or measured with the original engine.
struct CacheTestProductScores: Decodable, Sendable {
    /// The scores of the tests in a set.
    private struct Kinds: Decodable {
        var required: CacheTestScore
        var optimal: CacheTestScore
        var check: CacheTestScore
    }

    let name: String
    /// The scores by the names of the sets.
    private let sets: [String: Kinds]

    private struct File: Decodable {
        var products: [CacheTestProductScores]
    }

    static func published() throws -> [Self] {
        let bytes = try ConformanceData.bytes("http-cache/scores.json")
        return try JSONDecoder().decode(File.self, from: bytes).products
    }

    subscript(set: CacheTestSet, kind: CacheTest.Kind) -> CacheTestScore? {
        switch kind {
        case .required: sets[set.rawValue]?.required
        case .optimal: sets[set.rawValue]?.optimal
        case .check: sets[set.rawValue]?.check
        }
    }

    /// Returns the number of tests passed, of all kinds if `kind` is `nil`.
    subscript(set: CacheTestSet, kind: CacheTest.Kind?) -> Int? {
        guard let kind else {
            let scores = CacheTest.Kind.allCases.compactMap { self[set, $0] as CacheTestScore? }
            return scores.isEmpty ? nil : scores.reduce(0) { $0 + $1.passed }
        }
        return (self[set, kind] as CacheTestScore?)?.passed
    }
}
