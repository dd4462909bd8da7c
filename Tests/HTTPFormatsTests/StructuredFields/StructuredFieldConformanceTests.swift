import ConformanceVectors
import HTTPCore
import HTTPFormats
import Testing
import PortableFoundation

/// The cases of https://github.com/httpwg/structured-field-tests.
@Suite(.enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped))
struct StructuredFieldConformanceTests {
    @Test(arguments: [
        "binary", "boolean", "date", "dictionary", "display-string", "examples", "item",
        "key-generated", "large-generated", "list", "listlist", "number", "number-generated",
        "param-dict", "param-list", "param-listlist", "serialise-key-generated", "serialise-number",
        "serialise-string-generated", "serialise-token-generated", "string", "string-generated",
        "token", "token-generated",
    ])
    func `fields are read and written as RFC 9651 says`(file: String) throws {
        var report = ConformanceReport("structured-fields/\(file)")
        for vector in try vectors(file) {
            do {
                let problem = try problem(with: vector)
                report.record(vector.id, problem == nil, problem ?? "")
            } catch {
                report.record(vector.id, vector.must_fail == true, "\(vector.name): \(error)")
            }
        }
        report.finish()
    }

    /// Returns the problem with a vector, or `nil`.
    ///
    /// - Throws: An error if reading fails or the expected value cannot be made.
    private func problem(with vector: Vector) throws -> String? {
        let raw = vector.raw ?? []
        let canonical = vector.canonical ?? raw
        let (read, written): (Bool, String?)
        switch vector.header_type {
        case "item":
            let value = try vector.raw.map { try StructuredField.Item(parsing: $0) }
            let expected = try vector.expected.map { try item($0) }
            (read, written) = (value == nil || value == expected, expected?.fieldValue)
        case "list":
            let value = try vector.raw.map { try StructuredField.List(parsing: $0) }
            let expected = try vector.expected.map {
                StructuredField.List(try $0.array().map { try member($0) })
            }
            (read, written) = (value == nil || value == expected, expected?.fieldValue)
        case "dictionary":
            let value = try vector.raw.map { try StructuredField.Dictionary(parsing: $0) }
            let expected = try vector.expected.map { try dictionary($0) }
            (read, written) = (value == nil || value == expected, expected?.fieldValue)
        default: return "unknown type \(vector.header_type)"
        }
        if vector.must_fail == true { return "\(vector.name): did not fail" }
        if !read { return "\(vector.name): read otherwise" }
        let lines = written.map { [$0] } ?? []
        return lines == canonical ? nil : "\(vector.name): written as \(lines)"
    }

    // MARK: - Vectors

    private struct Vector: Decodable {
        var id, name, header_type: String
        var raw, canonical: [String]?
        var expected: Value?
        var must_fail: Bool?
    }

    private struct File: Decodable { var cases: [Vector] }

    private struct Typed: Decodable {
        var __type: String
        var value: Value
    }

    private struct Unexpected: Error {}

    private indirect enum Value: Decodable {
        case flag(Bool)
        case integer(Int)
        case string(String)
        case array([Value])
        case typed(String, Value)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Bool.self) {
                self = .flag(value)
            } else if let value = try? container.decode(Int.self) {
                self = .integer(value)
            } else if let value = try? container.decode(String.self) {
                self = .string(value)
            } else if let value = try? container.decode([Value].self) {
                self = .array(value)
            } else {
                let value = try container.decode(Typed.self)
                self = .typed(value.__type, value.value)
            }
        }

        func array() throws -> [Value] {
            guard case .array(let values) = self else { throw Unexpected() }
            return values
        }

        func string() throws -> String {
            guard case .string(let text) = self else { throw Unexpected() }
            return text
        }

        func pair() throws -> (Value, Value) {
            let values = try array()
            guard values.count == 2 else { throw Unexpected() }
            return (values[0], values[1])
        }
    }

    private func vectors(_ file: String) throws -> [Vector] {
        let bytes = try ConformanceData.bytes("structured-fields/\(file).json")
        return try JSONDecoder().decode(File.self, from: markingDecimals(bytes)).cases
    }

    /// JSON's `1` is an integer here and `1.0` a decimal, which decoders do not tell apart: writes
    /// decimals as `{"__type": "decimal", "value": "1.0"}`.
    private func markingDecimals(_ json: Data) -> Data {
        var (result, number): (Data, Data) = (Data(), Data())
        var (isInString, isEscaped) = (false, false)
        for byte in json {
            let isOfNumber = !isInString && "-+.0123456789eE".utf8.contains(byte)
            if isOfNumber, !number.isEmpty || byte != UInt8(ascii: "e") {
                number.append(byte)
                continue
            }
            if number.contains(UInt8(ascii: ".")) {
                result += #"{"__type": "decimal", "value": ""#.utf8
                result += number
                result += #""}"#.utf8
            } else {
                result += number
            }
            number = Data()
            if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            result.append(byte)
        }
        return result
    }

    // MARK: - Expected values

    private func dictionary(_ value: Value) throws -> StructuredField.Dictionary {
        var dictionary = StructuredField.Dictionary()
        for entry in try value.array() {
            let (name, expected) = try entry.pair()
            try dictionary.set(name.string(), member(expected))
        }
        return dictionary
    }

    private func member(_ value: Value) throws -> StructuredField.Member {
        let (first, parameters) = try value.pair()
        guard case .array(let items) = first else { return .item(try item(value)) }
        return .innerList(
            .init(try items.map { try item($0) }, parameters: try self.parameters(parameters)))
    }

    private func item(_ value: Value) throws -> StructuredField.Item {
        let (value, parameters) = try value.pair()
        return .init(try bareItem(value), parameters: try self.parameters(parameters))
    }

    private func parameters(_ value: Value) throws -> StructuredField.Parameters {
        var parameters = StructuredField.Parameters()
        for entry in try value.array() {
            let (name, value) = try entry.pair()
            try parameters.set(name.string(), bareItem(value))
        }
        return parameters
    }

    private func bareItem(_ value: Value) throws -> StructuredField.BareItem {
        switch value {
        case .flag(let flag): return .boolean(flag)
        case .integer(let integer): return try .integer(integer)
        case .string(let text): return try .string(text)
        case .typed("decimal", let text):
            return try .decimal(#require(Double(text.string())))
        case .typed("token", let text): return try .token(text.string())
        case .typed("displaystring", let text): return .displayString(try text.string())
        case .typed("binary", let text): return .byteSequence(base32(try text.string()))
        case .typed("date", .integer(let seconds)):
            return .date(try #require(StructuredField.Integer(seconds)))
        default: throw Unexpected()
        }
    }

    private func base32(_ text: String) -> Data {
        var (bytes, bits, count): (Data, UInt64, Int) = (Data(), 0, 0)
        for character in text.utf8 where character != UInt8(ascii: "=") {
            let value = character >= 65 ? character - 65 : character - UInt8(ascii: "2") + 26
            bits = bits << 5 | UInt64(value)
            count += 5
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(count)))
            }
        }
        return bytes
    }
}
