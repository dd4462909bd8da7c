import Testing

@testable import fetch

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Docs/Guides/Fetch.md lists what the program has.
@Suite struct FetchPageTests {
    private let page: String

    init() throws {
        let root = #filePath.split(separator: "/Examples/").dropLast()
            .joined(separator: "/Examples/")
        page = try String(contentsOfFile: "\(root)/Docs/Guides/Fetch.md", encoding: .utf8)
    }

    @Test func `every variable of the report is named`() {
        for variable in TransferReport.Variable.allCases {
            #expect(page.contains("`\(variable.rawValue)`"))
        }
    }

    @Test func `every exit code has a row, and every row has a code`() throws {
        let table = try #require(page.split(separator: "## Exit codes").last)
        let rows = table.split(separator: "\n").compactMap { line in
            line.split(separator: "|").first.flatMap { Int($0.filter { $0 != " " }) }
        }
        let codes = FetchFailure.help.split(separator: "\n").compactMap { line in
            line.split(separator: " ").first.flatMap { Int($0) }
        }
        #expect(Set(rows) == Set(codes))
        #expect(rows.count == Set(rows).count)
    }
}
