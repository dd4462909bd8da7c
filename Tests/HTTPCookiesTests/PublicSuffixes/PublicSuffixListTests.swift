import HTTPCore
import TestSupport
import Testing

@testable import HTTPCookies

struct PublicSuffixListTests {
    private static let rules = ["com", "co.uk", "*.ck", "!www.ck", "jp", "*.kobe.jp", "kobe.jp"]

    @Test(arguments: [
        ("com", "com", nil), ("example.com", "com", "example.com"),
        ("a.b.example.com", "com", "example.com"), ("uk", "uk", nil), ("b.uk", "uk", "b.uk"),
        ("co.uk", "co.uk", nil), ("a.co.uk", "co.uk", "a.co.uk"), ("ck", "ck", nil),
        ("a.ck", "a.ck", nil), ("b.a.ck", "a.ck", "b.a.ck"), ("www.ck", "ck", "www.ck"),
        ("a.www.ck", "ck", "www.ck"), ("kobe.jp", "kobe.jp", nil), ("a.kobe.jp", "a.kobe.jp", nil),
        ("a.b.kobe.jp", "b.kobe.jp", "a.b.kobe.jp"), ("example.com.", "com", "example.com"),
        ("unknown", "unknown", nil), ("a.unknown", "unknown", "a.unknown"),
    ])
    func `the longest rule decides, and an exception before it`(
        domain: String, suffix: String, registrable: String?
    ) throws {
        let list = try #require(PublicSuffixList(rules: Self.rules))
        #expect(list.registrableDomain(of: domain) == registrable)
        #expect(registrable.map { String($0.drop { $0 != "." }.dropFirst()) } ?? domain == suffix)
    }

    @Test(arguments: ["", ".", ".com", "..com", "a..com", "a.com.."])
    func `a name with an empty label has no registrable domain`(name: String) throws {
        let list = try #require(PublicSuffixList(rules: Self.rules))
        #expect(list.registrableDomain(of: name) == nil)
    }

    @Test func `each domain of a list with many blocks is found, and no other`() throws {
        var random = SeededRandom(7)
        var rules = Set<String>()
        while rules.count < 500 {
            let labels = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                ["a", "b", "ab", "a-b", "abc", "xn--a", "a0"].randomElement(using: &random) ?? ""
            }
            rules.insert(labels.joined(separator: "."))
        }
        let list = try #require(PublicSuffixList(rules: Array(rules)))
        for rule in rules {
            #expect(list.isPublicSuffix(rule))
            for other in ["c.\(rule)", "a.\(rule)", "\(rule).ab", "z\(rule)"] {
                let isRule = rules.contains(other) || !other.contains(".")
                #expect(list.isPublicSuffix(other) == isRule, "\(other)")
            }
        }
    }

    @Test(arguments: ["", "a..b", ".com", "com.", "*", "a.*.b", "COM", "a b", "é.com", "!"])
    func `a malformed rule refuses the list`(rule: String) {
        #expect(PublicSuffixList(rules: ["com", rule]) == nil)
    }

    @Test func `rules of one domain are joined`() throws {
        let list = try #require(PublicSuffixList(rules: ["*.a", "a", "a"]))
        #expect(list.isPublicSuffix("a") && list.isPublicSuffix("b.a"))
        #expect(PublicSuffixList(rules: ["!b.a", "b.a"]) == nil)
    }

    @Test func `the embedded table knows both sections`() {
        for suffix in ["com", "co.uk", "github.io", "xn--fiqs8s", "c.kobe.jp", "s3.amazonaws.com"] {
            #expect(PublicSuffixList.embedded.isPublicSuffix(suffix), "\(suffix)")
        }
        for domain in ["example.com", "city.kobe.jp", "www.ck", "amazonaws.com"] {
            #expect(!PublicSuffixList.embedded.isPublicSuffix(domain), "\(domain)")
        }
        #expect(PublicSuffixTable.rules.utf8.count < 80_000)
    }
}

extension PublicSuffixList {
    /// `true` if no shorter part of `domain` can be registered.
    func isPublicSuffix(_ domain: String) -> Bool { registrableDomain(of: domain) == nil }
}
