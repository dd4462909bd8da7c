import Testing
import PortableFoundation

/// Docs/ThreatModel.md and Docs/CurlChecklist.md name tests: each is one.
@Suite struct ThreatModelTests {
    private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        .dropLast(3).joined(separator: "/")

    /// Returns the texts between two backticks after `prefix`.
    private static func names(in text: String, after prefix: String) -> Set<String> {
        let opening = prefix + "`"
        return Set(
            text.split(separator: opening, omittingEmptySubsequences: false).dropFirst().compactMap
            {
                $0.split(separator: "`", omittingEmptySubsequences: false).first.map(String.init)
            })
    }

    @Test(arguments: ["ThreatModel", "CurlChecklist"])
    func `every test that a promise names is there`(page: String) throws {
        let page = try String(contentsOfFile: "\(Self.root)/Docs/\(page).md", encoding: .utf8)
        var named: Set<String> = []
        for row in page.split(separator: "\n") where row.hasPrefix("| ") {
            let cells = row.split(separator: "|")
            guard cells.count == 3, cells[2] != " tests " else { continue }
            let tests = Self.names(in: ", " + cells[2].drop { $0 == " " }, after: ", ")
            #expect(!tests.isEmpty, "no test for: \(row)")
            named.formUnion(tests)
        }
        var existing: Set<String> = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: "\(Self.root)/Tests")
        where path.hasSuffix("Tests.swift") {
            let code = try String(contentsOfFile: "\(Self.root)/Tests/\(path)", encoding: .utf8)
            let words = code.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            existing.formUnion(Self.names(in: words, after: "func "))
        }
        #expect(named.count > 40)
        #expect(named.subtracting(existing) == [])
    }
}
