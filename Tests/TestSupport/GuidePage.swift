#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A page of Docs/Guides, and the code that was compiled for it.
package struct GuidePage {
    package let text: String
    private let code: [String]

    /// - Parameters:
    ///   - file: that the code is in, of the package's tests.
    ///   - others: that code is in, too, as paths from the root.
    package init(_ name: String, file: String = #filePath, others: [String] = []) throws {
        let root = file.split(separator: "/Tests/").dropLast().joined(separator: "/Tests/")
        func contents(_ path: String) throws -> String {
            try String(contentsOfFile: path, encoding: .utf8)
        }
        text = try contents("\(root)/Docs/Guides/\(name).md")
        code = try ([file] + others.map { "\(root)/\($0)" }).map { Self.words(try contents($0)) }
    }

    /// The blocks of Swift.
    package var blocks: [Substring] {
        text.split(separator: "```swift\n").dropFirst()
            .compactMap { $0.split(separator: "```").first }
    }

    /// Those that were not compiled: every one is to stand in a file as it stands here, but for blanks
    /// and line ends.
    package var untested: [Substring] { blocks.filter { !isTested($0) } }

    package func isTested(_ code: some StringProtocol) -> Bool {
        let words = Self.words(code)
        return self.code.contains { $0.contains(words) }
    }

    /// A page has no reason to say what is private to a test.
    private static func words(_ text: some StringProtocol) -> String {
        String(text).replacing("private ", with: "").split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
    }
}
