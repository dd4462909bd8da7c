import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A page of Docs/Guides, whose Swift code is compared with a test file, apart from white space and
/// `private`.
struct GuidePage {
    let blocks: [String]
    private let source: String

    init(_ name: String, testedIn file: String = #filePath) throws {
        let root = file.components(before: "/Integrations/")
        let page = try String(contentsOfFile: "\(root)/Docs/Guides/\(name).md", encoding: .utf8)
        source = try String(contentsOfFile: file, encoding: .utf8)
        blocks = page.split(separator: "```swift\n").dropFirst().map {
            String($0.prefix(upTo: $0.firstRange(of: "\n```")?.lowerBound ?? $0.endIndex))
        }
    }

    /// The blocks that are not in the test file.
    var untested: [String] { blocks.filter { !source.squeezed.contains($0.squeezed) } }
}

extension String {
    fileprivate var squeezed: String {
        replacing("fileprivate ", with: "").replacing("private ", with: "")
            .filter { !$0.isWhitespace }
    }

    fileprivate func components(before text: String) -> String {
        firstRange(of: text).map { String(self[..<$0.lowerBound]) } ?? self
    }
}
