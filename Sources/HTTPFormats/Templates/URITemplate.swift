public import HTTPCore

/// A URI template (RFC 6570, level 4), such as `https://h/{type}{/id*}{?page,size}`.
///
/// A template is parsed once and can be expanded any number of times; equal variables give equal
/// text. Malformed expressions are copied as they are (RFC 6570 §3), except by ``init(strict:)``
/// and `expand(strictly:)`, which throw.
public struct URITemplate: Hashable, Sendable {
    package enum Part: Hashable, Sendable {
        /// Text in the form in which it goes into the URI.
        case literal(String)
        case expression(Expression)
    }

    package struct Expression: Hashable, Sendable {
        var source: String
        var `operator`: Operator
        var variables: [Variable]
    }

    package struct Variable: Hashable, Sendable {
        var name: String
        var isExploded = false
        /// The maximum length in characters.
        var prefix: Int?
    }

    /// The operators (RFC 6570 §2.2 and the table in appendix A).
    package enum Operator: UInt8, Hashable, Sendable {
        case simple = 0
        case reserved = 0x2B  // +
        case fragment = 0x23  // #
        case label = 0x2E  // .
        case pathSegment = 0x2F  // /
        case pathParameter = 0x3B  // ;
        case query = 0x3F  // ?
        case continuation = 0x26  // &

        var first: String {
            switch self {
            case .simple, .reserved: ""
            default: String(Unicode.Scalar(rawValue))
            }
        }
        var separator: String {
            switch self {
            case .simple, .reserved, .fragment: ","
            case .query: "&"
            default: first
            }
        }
        var isNamed: Bool { self == .pathParameter || self == .query || self == .continuation }
        var allowsReserved: Bool { self == .reserved || self == .fragment }
        var allowed: ByteSet { allowsReserved ? .unreservedAndReserved : .unreserved }
    }

    /// The template as it was written.
    public let text: String
    package let parts: [Part]
    let failure: Failure?

    struct Failure: Hashable, Sendable {
        var offset: Int
        var reason: String
    }

    /// Creates a template in which malformed expressions stand for themselves.
    public init(_ text: String) {
        self.text = text
        (parts, failure) = Self.parse(text)
    }

    /// Creates a template from valid text.
    ///
    /// - Throws: `invalidRequest` with the byte at which `text` becomes malformed, and the reason.
    public init(strict text: String) throws(HTTPError) {
        self.init(text)
        if let failure {
            throw HTTPError(
                .invalidRequest,
                "the text is not a URI template (RFC 6570), at byte \(failure.offset): "
                    + failure.reason)
        }
    }

    /// The byte at which the text becomes malformed, counted from its start; `nil` for a valid
    /// template.
    package var malformedOffset: Int? { failure?.offset }
}

extension URITemplate: ExpressibleByStringLiteral, CustomStringConvertible {
    public init(stringLiteral text: String) { self.init(text) }
    public var description: String { text }
    public static func == (a: Self, b: Self) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

// MARK: - Parsing

extension URITemplate {
    private static func parse(_ text: String) -> ([Part], Failure?) {
        let bytes = Array(text.utf8)
        var parts: [Part] = []
        var literal = ""
        var failure: Failure?
        var index = 0
        func string(_ range: Range<Int>) -> String {
            String(decoding: bytes[range], as: UTF8.self)
        }
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "{") else {
                let end =
                    bytes[index...].firstIndex {
                        $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}")
                    } ?? bytes.count
                failure = failure ?? firstBadLiteral(bytes, index..<end)
                literal.appendPercentEncoded(
                    string(index..<end), allowed: .unreservedAndReserved, keepingTriplets: true)
                index = end
                if index < bytes.count, bytes[index] == UInt8(ascii: "}") {
                    failure = failure ?? Failure(offset: index, reason: "a } without a {")
                    literal += "}"
                    index += 1
                }
                continue
            }
            guard let close = bytes[index...].firstIndex(of: UInt8(ascii: "}")) else {
                failure = failure ?? Failure(offset: index, reason: "a { without a }")
                literal += string(index..<bytes.count)
                break
            }
            switch parseExpression(bytes, index + 1..<close, source: string(index..<close + 1)) {
            case .success(let expression):
                if !literal.isEmpty { parts.append(.literal(literal)) }
                literal = ""
                parts.append(.expression(expression))
            case .failure(let error):
                failure = failure ?? error
                literal += string(index..<close + 1)
            }
            index = close + 1
        }
        if !literal.isEmpty { parts.append(.literal(literal)) }
        return (parts, failure)
    }

    /// Finds the first character that is not allowed in a literal (RFC 6570 §2.1). The apostrophe
    /// is allowed, because the RFC's examples use it.
    private static func firstBadLiteral(_ bytes: [UInt8], _ range: Range<Int>) -> Failure? {
        for index in range where bytes[index] < 0x80 {
            if ByteSet.unreservedAndReserved.contains(bytes[index]) { continue }
            if bytes.hasTriplet(at: index) { continue }
            return Failure(offset: index, reason: "this character must be percent-encoded")
        }
        return nil
    }

    private enum Outcome { case success(Expression), failure(Failure) }

    private static func parseExpression(
        _ bytes: [UInt8], _ range: Range<Int>, source: String
    ) -> Outcome {
        func fail(_ offset: Int, _ reason: String) -> Outcome {
            .failure(Failure(offset: offset, reason: reason))
        }
        var index = range.lowerBound
        guard index < range.upperBound else { return fail(index, "an expression needs a variable") }
        var expression = Expression(source: source, operator: .simple, variables: [])
        if bytes[index] != 0, let named = Operator(rawValue: bytes[index]) {
            expression.operator = named
            index += 1
        } else if "=,!@|".utf8.contains(bytes[index]) {
            return fail(index, "this operator is reserved for extensions (RFC 6570 §2.2)")
        }
        while true {
            let start = index
            var wantsCharacter = true
            while index < range.upperBound {
                if ByteSet.alphanumerics.contains(bytes[index])
                    || bytes[index] == UInt8(ascii: "_")
                {
                    index += 1
                } else if bytes.hasTriplet(at: index), index + 2 < range.upperBound {
                    index += 3
                } else if bytes[index] == UInt8(ascii: "."), !wantsCharacter {
                    index += 1
                    wantsCharacter = true
                    continue
                } else {
                    break
                }
                wantsCharacter = false
            }
            guard !wantsCharacter else { return fail(index, "the name of a variable is missing") }
            var variable = Variable(name: String(decoding: bytes[start..<index], as: UTF8.self))
            if index < range.upperBound, bytes[index] == UInt8(ascii: "*") {
                variable.isExploded = true
                index += 1
            } else if index < range.upperBound, bytes[index] == UInt8(ascii: ":") {
                index += 1
                let digits = bytes[index..<range.upperBound].prefix { $0.isASCIIDigit }
                guard (1...4).contains(digits.count), digits.first != UInt8(ascii: "0") else {
                    return fail(index, "a prefix must be a number from 1 to 9999")
                }
                variable.prefix = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
                index += digits.count
            }
            expression.variables.append(variable)
            guard index < range.upperBound else { return .success(expression) }
            guard bytes[index] == UInt8(ascii: ",") else {
                return fail(index, "this character is not allowed in a variable")
            }
            index += 1
        }
    }
}
