import PortableFoundation

/// A page of Docs/Guides, with the code that was compiled for it.
package struct GuidePage {
    package let text: String
    private let code: [String]

    /// - Parameters:
    ///   - file: the file of the package's tests that contains the code.
    ///   - others: further files that contain code, as paths from the root.
    package init(_ name: String, file: String = #filePath, others: [String] = []) throws {
        let root = file.split(separator: "/Tests/").dropLast().joined(separator: "/Tests/")
        func contents(_ path: String) throws -> String {
            try String(contentsOfFile: path, encoding: .utf8)
        }
        text = try contents("\(root)/Docs/Guides/\(name).md")
        code = try ([file] + others.map { "\(root)/\($0)" }).map { Self.words(try contents($0)) }
    }

    /// The text of each page of the documentation, by its path from the root.
    package static func all(file: String = #filePath) throws -> [String: String] {
        let root = file.split(separator: "/Tests/").dropLast().joined(separator: "/Tests/")
        var paths = ["README.md", "CHANGELOG.md"]
        for folder in ["Docs", "Sources"] {
            paths += try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)")
                .filter { $0.hasSuffix(".md") }.map { "\(folder)/\($0)" }
        }
        var pages: [String: String] = [:]
        for path in paths {
            pages[path] = try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
        }
        return pages
    }

    /// The Swift blocks of the page.
    package var blocks: [Substring] {
        text.split(separator: "```swift\n").dropFirst()
            .compactMap { $0.split(separator: "```").first }
    }

    /// The number of sections that have one block of another library (`swift before`), and then one
    /// block of this package.
    package var pairCount: Int {
        text.split(separator: "\n## ").count { section in
            let fences = section.split(separator: "\n").filter { $0.hasPrefix("```swift") }
            return fences == ["```swift before", "```swift"]
        }
    }

    /// The blocks that were not compiled. Every block has to be in a file word for word, except for
    /// whitespace.
    package var untested: [Substring] { blocks.filter { !isTested($0) } }

    package func isTested(_ code: some StringProtocol) -> Bool {
        let words = Self.words(code)
        return self.code.contains { $0.contains(words) }
    }

    /// Returns the words of a text without `private`, which a page does not show.
    private static func words(_ text: some StringProtocol) -> String {
        String(text).replacing("private ", with: "").split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
    }
}
