import ConformanceVectors
import HTTPCore
import Testing
@testable import HTTPCookies
import PortableFoundation

@Suite(.enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped))
struct PublicSuffixListConformanceTests {
    struct Case: Decodable {
        var id: String
        var domain: String
        var registrable_domain: String?
    }

    private struct List: Decodable {
        var date: String
        var icann: [String]
        var `private`: [String]
    }

    private static let systemPath = "/usr/share/publicsuffix/public_suffix_list.dat"

    @Test func `registrable domains are those of the list's own tests`() throws {
        let lists = [
            ("embedded", PublicSuffixList.embedded), ("current", .current),
            ("system", PublicSuffixListFile(path: Self.systemPath).list(newerThan: nil)),
        ]
        for (name, list) in lists {
            guard let list else { continue }
            var report = ConformanceReport("public-suffix/test_psl (\(name))")
            for value in try ConformanceData.cases(
                "public-suffix/test_psl.json", as: Case.self)
            {
                // An origin has its host in lower case and in A-labels.
                let host = try DomainName(value.domain).ascii.lowercased()
                let expected = try value.registrable_domain.map { try DomainName($0).ascii }
                let found = list.registrableDomain(of: host)
                report.record(
                    value.id, found == expected,
                    "\(value.domain) gives \(found as String?, default: "nil")")
            }
            report.finish()
        }
    }

    @Test func `the table holds every rule of the list and no other`() throws {
        let bytes = try ConformanceData.bytes("public-suffix/list.json")
        let list = try JSONDecoder().decode(List.self, from: bytes)
        guard list.date == PublicSuffixTable.date else { return }
        let rules = try (list.icann + list.private).map { rule in
            let mark = rule.prefix { "!*.".contains($0) }
            return try String(mark) + DomainName(String(rule.dropFirst(mark.count))).ascii
        }
        var table = PublicSuffixTable.rules
        let strings = PublicSuffixTable.abbreviations.split(separator: " ")
        for (symbol, string) in zip(PackedRules.symbols, strings).reversed() {
            table = table.split(separator: symbol, omittingEmptySubsequences: false)
                .joined(separator: String(string))
        }
        let isSame = PackedRules.text(of: rules) == table
        #expect(isSame)
    }
}
