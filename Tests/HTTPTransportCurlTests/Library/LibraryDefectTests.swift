import Testing
@testable import HTTPTransportCurl
import PortableFoundation

@Suite struct LibraryDefectTests {
    private static func text(_ version: UInt32) -> String {
        let parts = [version >> 16, version >> 8 & 0xFF, version & 0xFF]
        return parts.prefix(parts[2] == 0 ? 2 : 3).map { "\($0)" }.joined(separator: ".")
    }

    private static func text(_ versions: Range<UInt32>) -> String {
        switch (versions.lowerBound, versions.upperBound) {
        case (0, .max): "all"
        case (0, let end): "before \(text(end))"
        case (let start, .max): "from \(text(start))"
        case (let start, let end): "\(text(start)) to before \(text(end))"
        }
    }

    /// Docs/CurlChecklist.md lists each defect with its versions.
    @Test func `the page lists every workaround with its versions`() throws {
        let root = #filePath.split(separator: "/Tests/")[0]
        let page = try String(contentsOfFile: "\(root)/Docs/CurlChecklist.md", encoding: .utf8)
        var listed: [String: String] = [:]
        for line in page.split(separator: "\n") {
            let cells = line.split(separator: "|").map {
                $0.drop { $0 == " " }.split(separator: " ")
            }
            guard cells.count == 4, let name = cells[0].first, name.hasPrefix("`") else { continue }
            listed[String(name.filter { $0 != "`" })] = cells[1].joined(separator: " ")
        }
        let expected = LibraryDefect.allCases.map { ("\($0)", Self.text($0.versions)) }
        #expect(listed == Dictionary(uniqueKeysWithValues: expected))
    }

    @Test(
        arguments: [
            (0x07_58_01, .stalledHTTP2Uploads, true), (0x08_02_00, .stalledHTTP2Uploads, true),
            (0x08_02_01, .stalledHTTP2Uploads, false), (0x08_15_00, .stalledHTTP2Uploads, false),
            (0x08_10_00, .restoredAuthorities, false), (0x08_11_00, .restoredAuthorities, true),
            (0x09_00_00, .restoredAuthorities, true),
        ] as [(UInt32, LibraryDefect, Bool)])
    func `a version has the defects of its range`(
        version: UInt32, defect: LibraryDefect, isThere: Bool
    ) throws {
        #expect((LibraryDefect.bits(of: version) & 1 << defect.rawValue != 0) == isThere)
    }
}
