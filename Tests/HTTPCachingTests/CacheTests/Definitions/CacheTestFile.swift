import ConformanceVectors
import PortableFoundation

/// The file with the definitions of all tests.
struct CacheTestFile: Decodable {
    private struct Suite: Decodable {
        var tests: [CacheTest]
    }

    private var suites: [Suite]

    /// Returns all tests, in the order of the file.
    static func tests() throws -> [CacheTest] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let bytes = try ConformanceData.bytes("http-cache/tests.json")
        let file = try decoder.decode(Self.self, from: bytes)
        return file.suites.flatMap(\.tests)
    }
}
