import HTTPCore
import HTTPFormats
import PortableFoundation

/// One difference between a request and the expected one, for messages.
struct Difference: Hashable, Sendable, CustomStringConvertible {
    var part: String
    /// The expected value, or `nil` if the part should not be there.
    var expected: String?
    /// The value found, or `nil` if the part is missing.
    var found: String?
    /// The weight of the difference in the search for the nearest exchange.
    var weight = 1

    var description: String {
        switch (expected, found) {
        case (let expected?, let found?): "\(part) is \(found), not \(expected)"
        case (let expected?, nil): "\(part) is missing, but was expected to be \(expected)"
        case (nil, let found?): "\(part) is \(found), which was not expected"
        case (nil, nil): "\(part) differs"
        }
    }

    /// The most differences of one part to list.
    private static let limit = 5

    // MARK: Content

    /// Returns the differences of two contents, with secrets replaced. If both are JSON, they are
    /// compared as JSON.
    static func between(
        expected: Data, found: Data, _ redaction: Redaction, part: String = "body"
    ) -> [Difference] {
        if expected == found { return [] }
        if let expected = try? HTTPJSON(parsing: expected),
            let found = try? HTTPJSON(parsing: found)
        {
            var differences: [Difference] = []
            compare(expected, found, redaction, part, isSecret: false, into: &differences)
            if differences.count > limit {
                let rest = differences.count - limit
                return differences.prefix(limit) + [
                    Difference(part: "\(part) in \(rest) more places")
                ]
            }
            return differences
        }
        let (one, other) = (Array(expected), Array(found))
        let same = zip(one, other).prefix { $0 == $1 }.count
        func excerpt(_ bytes: [UInt8]) -> String {
            if bytes.isEmpty { return "empty" }
            // A few bytes before the first difference show where it is, and reveal no whole secret.
            let text = String(
                decoding: bytes.dropFirst(max(0, same - 10)).prefix(30), as: UTF8.self)
            return "\(text.logSafe) from byte \(max(0, same - 10)) of \(bytes.count)"
        }
        return [Difference(part: part, expected: excerpt(one), found: excerpt(other))]
    }

    private static func compare(
        _ expected: HTTPJSON?, _ found: HTTPJSON?, _ redaction: Redaction, _ path: String,
        isSecret: Bool, into differences: inout [Difference]
    ) {
        if expected == found { return }
        switch (expected, found) {
        case (.object(let expected)?, .object(let found)?):
            let names = expected.map(\.name) + found.map(\.name).filter { expected[$0] == nil }
            for name in names {
                compare(
                    expected[name], found[name], redaction, "\(path).\(name)",
                    isSecret: isSecret || redaction.isSecret(name), into: &differences)
            }
        case (.array(let expected)?, .array(let found)?):
            for index in 0..<max(expected.count, found.count) {
                compare(
                    expected.indices.contains(index) ? expected[index] : nil,
                    found.indices.contains(index) ? found[index] : nil, redaction,
                    "\(path)[\(index)]", isSecret: isSecret, into: &differences)
            }
        default:
            func text(_ json: HTTPJSON) -> String {
                if isSecret { return "<redacted>" }
                let text = redaction.redacted(json).description
                return text.count > 60 ? text.prefix(60) + "…" : text
            }
            differences.append(
                Difference(part: path, expected: expected.map(text), found: found.map(text)))
        }
    }
}
