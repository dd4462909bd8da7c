import HTTPCore
import TestSupport
import Testing

@testable import HTTPCookies

struct PublicSuffixListFileTests {
    private static let text = """
        // VERSION: 2026-09-01_10-00-00_UTC
        // ===BEGIN ICANN DOMAINS===
        com
        co.uk   a comment after a blank

          *.ck
        !www.ck\r
        公司.cn
        *.MÜLLER.example
        // ===BEGIN PRIVATE DOMAINS===
        github.io
        """

    private func list(_ text: String, newerThan date: String?, fewest: Int = 1) throws
        -> PublicSuffixList?
    {
        let file = try TemporaryFile(text)
        return PublicSuffixListFile(path: file.path).list(newerThan: date, fewestRules: fewest)
    }

    @Test func `a file is read with its comments, marks and scripts`() throws {
        let list = try #require(try list(Self.text, newerThan: "2026-08-19"))
        for suffix in ["co.uk", "a.ck", "xn--55qx5d.cn", "a.xn--mller-kva.example", "github.io"] {
            #expect(list.isPublicSuffix(suffix), "\(suffix)")
        }
        #expect(!list.isPublicSuffix("www.ck") && !list.isPublicSuffix("github.com"))
    }

    @Test func `an older file is not used`() throws {
        #expect(try list(Self.text, newerThan: "2026-09-01") != nil)
        #expect(try list(Self.text, newerThan: "2026-09-02") == nil)
        // Without a version, the date of the file counts.
        #expect(try list("com\n", newerThan: "2020-01-01") != nil)
        #expect(try list("com\n", newerThan: "9999-01-01") == nil)
    }

    @Test func `a file that is no list is not used`() throws {
        #expect(try list("com", newerThan: nil, fewest: 2) == nil)
        #expect(try list("com\na..b", newerThan: nil) == nil)
        #expect(try list("com\n{\"a\": 1}", newerThan: nil) == nil)
        #expect(PublicSuffixListFile(path: "/nowhere").list(newerThan: nil) == nil)
        #expect(PublicSuffixListFile(path: "/tmp").list(newerThan: nil) == nil)
        let file = try TemporaryFile("")
        let descriptor = try file.openForWriting()
        file.close(descriptor)
        #expect(PublicSuffixListFile(path: file.path).list(newerThan: nil) == nil)
    }
}
