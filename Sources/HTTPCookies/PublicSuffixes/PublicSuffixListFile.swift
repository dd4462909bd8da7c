import HTTPCore
import HTTPFormats
import PortableFoundation
import PortableLibc

/// A file with the Public Suffix List as text, as https://publicsuffix.org publishes it.
struct PublicSuffixListFile: Sendable {
    /// The smallest number of rules of a plausible list. A shorter one was cut, and would let a
    /// cookie pass to a whole registry.
    static let fewestRules = 1_000
    private static let mostBytes = 8 << 20

    let path: String

    /// Returns the list, or `nil` if the file cannot be read, is not a list, or is older than
    /// `date`.
    ///
    /// The age is the date in the line `// VERSION:`, or that of the last change of the file.
    ///
    /// - Parameter date: A date such as `2026-08-19`.
    func list(newerThan date: String?, fewestRules: Int = fewestRules) -> PublicSuffixList? {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size > 0, status.st_size <= Self.mostBytes
        else { return nil }
        #if canImport(Darwin)
            let seconds = Int(status.st_mtimespec.tv_sec)
        #else
            let seconds = Int(status.st_mtim.tv_sec)
        #endif
        guard let data = try? Data(contentsOf: URL(filePath: path)) else { return nil }
        if let limit = date.flatMap(Self.day(of:)) {
            let written = Self.version(in: data).flatMap(Self.day(of:)) ?? seconds / 86_400
            guard written >= limit else { return nil }
        }
        guard let rules = Self.rules(in: data), rules.count >= fewestRules else { return nil }
        return PublicSuffixList(rules: rules)
    }

    /// Returns the rules in A-labels, or `nil` if the text is not UTF-8 or a rule cannot be mapped.
    private static func rules(in data: Data) -> [String]? {
        guard let text = String(validating: data, as: UTF8.self) else { return nil }
        var rules: [String] = []
        for line in text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            // A rule ends at the first blank.
            let rule = line.drop(while: \.isBlank).prefix { !$0.isBlank }
            guard !rule.isEmpty, !rule.starts(with: "//".utf8) else { continue }
            guard !rule.allSatisfy({ $0 < 0x80 }) else {
                rules.append(String(Substring(rule)).lowercased())
                continue
            }
            // A mark is no part of the name that is mapped.
            let mark = rule.prefix { "!*.".utf8.contains($0) }
            let name = String(Substring(rule[mark.endIndex...]))
            guard let mapped = try? DomainName(name).ascii else { return nil }
            rules.append(String(Substring(mark)) + mapped)
        }
        return rules
    }

    /// Returns the date in a line such as `// VERSION: 2026-08-19_08-13-01_UTC`, if the list has it
    /// near its beginning.
    private static func version(in data: Data) -> String? {
        let head = String(decoding: data.prefix(2_000), as: UTF8.self)
        return head.firstRange(of: "// VERSION: ").map { String(head[$0.upperBound...].prefix(10)) }
    }

    /// Returns the day of a date such as `2026-08-19`, counted from 1970-01-01.
    private static func day(of date: String) -> Int? {
        let parts = date.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy(\.isASCIIDigit) }), let year = Int(parts[0]),
            let month = Int(parts[1]), let day = Int(parts[2]), year > 0
        else { return nil }
        return HTTPDate.day(year, month, day)
    }
}
