public import HTTPCore
public import PortableFoundation

// MARK: - Writing

extension HTTPJSON {
    /// Returns the JSON text in UTF-8, without blanks.
    ///
    /// - Parameter sortingNames: `true` to write members in the order of their names, so that equal
    ///   values give equal bytes; `false` to write them in the order they have.
    /// - Throws: `encodingFailed` for infinity and NaN, which JSON cannot represent, and for a
    ///   depth beyond `depthLimit`.
    public func serialized(sortingNames: Bool = false) throws(HTTPError) -> Data {
        var bytes: [UInt8] = []
        try write(to: &bytes, sortingNames: sortingNames, depth: 0)
        return Data(bytes)
    }

    private func write(
        to bytes: inout [UInt8], sortingNames: Bool, depth: Int
    ) throws(HTTPError) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let bool): bytes += (bool ? "true" : "false").utf8
        case .number(let number):
            guard number.isFinite else {
                throw HTTPError.encodingFailed("JSON cannot represent \(number)")
            }
            bytes += number.description.utf8
        case .string(let string): Self.write(string, to: &bytes)
        case .array(let elements):
            try Self.checkDepth(depth)
            bytes.append(UInt8(ascii: "["))
            var isFirst = true
            for element in elements {
                if !isFirst { bytes.append(UInt8(ascii: ",")) }
                isFirst = false
                try element.write(to: &bytes, sortingNames: sortingNames, depth: depth + 1)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            try Self.checkDepth(depth)
            bytes.append(UInt8(ascii: "{"))
            var isFirst = true
            for (name, value) in sortingNames ? object.sortedByName : Array(object) {
                if !isFirst { bytes.append(UInt8(ascii: ",")) }
                isFirst = false
                Self.write(name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                try value.write(to: &bytes, sortingNames: sortingNames, depth: depth + 1)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    fileprivate static func checkDepth(_ depth: Int) throws(HTTPError) {
        guard depth < depthLimit else {
            throw HTTPError.encodingFailed("the JSON is nested more than \(depthLimit) levels deep")
        }
    }

    private static func write(_ string: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if string.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
            for byte in string.utf8 { writeEscaped(byte, to: &bytes) }
        } else {
            bytes += string.utf8
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func writeEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""): bytes += #"\""#.utf8
        case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
        case 0x08: bytes += #"\b"#.utf8
        case 0x09: bytes += #"\t"#.utf8
        case 0x0A: bytes += #"\n"#.utf8
        case 0x0C: bytes += #"\f"#.utf8
        case 0x0D: bytes += #"\r"#.utf8
        case 0..<0x20:
            bytes += (byte < 0x10 ? #"\u000"# : #"\u00"#).utf8
            bytes += String(byte, radix: 16).utf8
        default: bytes.append(byte)
        }
    }
}

// MARK: - Any

extension HTTPJSON {
    /// Creates JSON from a tree of dictionaries, arrays, strings, numbers, booleans and `nil`.
    /// Foundation's objects for them, such as `NSNumber` and `NSNull`, keep their meaning.
    ///
    /// Dictionaries have no order, so their members are sorted by name. A ``HTTPJSON`` may stand
    /// anywhere in the tree.
    ///
    /// - Throws: `encodingFailed` for a value that JSON cannot represent, such as a date, a URL,
    ///   data or infinity. The message names its type and place.
    public init(any value: Any) throws(HTTPError) { try self.init(any: value, path: "", depth: 0) }

    private init(any value: Any, path: String, depth: Int) throws(HTTPError) {
        switch FoundationScalar(value) {
        case .null?:
            self = .null
            return
        case .bool(let bool)?:
            self = .bool(bool)
            return
        case .number(let digits)?:
            guard let number = Number(digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits)
            else { throw Self.noForm(value, path) }
            self = .number(number)
            return
        case nil: break
        }
        switch value {
        case let json as HTTPJSON: self = json
        case let bool as Bool: self = .bool(bool)
        case let string as String: self = .string(string)
        case let string as Substring: self = .string(String(string))
        case let integer as any BinaryInteger:
            self = .number(Number(integer))
        case let double as Double: self = .number(try Self.finite(double, path))
        case let float as Float:
            // Converted through its own digits: 0.1 stays 0.1.
            guard float.isFinite, let double = Double("\(float)") else {
                throw Self.noForm(float, path)
            }
            self = .number(Number(double))
        case let object as [String: Any]:
            try Self.checkDepth(depth)
            var members = Object()
            for (name, value) in object.sorted(by: { $0.key < $1.key }) {
                members[name] = try HTTPJSON(any: value, path: "\(path).\(name)", depth: depth + 1)
            }
            self = .object(members)
        case let array as [Any]:
            try Self.checkDepth(depth)
            var elements: [HTTPJSON] = []
            for (index, value) in array.enumerated() {
                elements.append(
                    try HTTPJSON(any: value, path: "\(path)[\(index)]", depth: depth + 1))
            }
            self = .array(elements)
        case let optional as any AnyOptional:
            guard let value = optional.wrapped else { self = .null; return }
            try self.init(any: value, path: path, depth: depth)
        default: throw Self.noForm(value, path)
        }
    }

    private static func finite(_ double: Double, _ path: String) throws(HTTPError) -> Number {
        guard double.isFinite else { throw noForm(double, path) }
        return Number(double)
    }

    private static func noForm(_ value: Any, _ path: String) -> HTTPError {
        let what =
            value is any BinaryFloatingPoint ? "\(value)" : "value of type \(type(of: value))"
        return HTTPError.encodingFailed(
            "JSON cannot represent the \(what) at \((path.isEmpty ? "the top" : path).logSafe)")
    }

    /// The value as a tree of `[String: any Sendable]`, `[any Sendable]`, `String`, `Int64`,
    /// `Double` and `Bool`, which ``init(any:)`` turns into an equal value. Null stays
    /// ``HTTPJSON/null``, and a number that neither type holds exactly stays
    /// ``HTTPJSON/number(_:)``.
    public var anyValue: any Sendable {
        switch self {
        case .null: return self
        case .bool(let bool): return bool
        case .string(let string): return string
        case .array(let elements): return elements.map(\.anyValue)
        case .object(let object):
            return [String: any Sendable](
                object.map { ($0.name, $0.value.anyValue) }, uniquingKeysWith: { $1 })
        case .number(let number):
            if let integer = number.int64 { return integer }
            if let double = number.double, Number(double) == number { return double }
            return self
        }
    }
}

// MARK: - Codable

extension HTTPJSON: Codable {
    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Creates JSON from a decoder, which keeps neither the order of members nor more digits than a
    /// `Double` has. ``init(parsing:)-(Sequence<UInt8>)`` keeps both.
    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Name.self) {
            var members = Object()
            for name in container.allKeys {
                members[name.stringValue] = try container.decode(HTTPJSON.self, forKey: name)
            }
            self = .object(members)
            return
        }
        if var container = try? decoder.unkeyedContainer() {
            var elements: [HTTPJSON] = []
            while !container.isAtEnd { elements.append(try container.decode(HTTPJSON.self)) }
            self = .array(elements)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? container.decode(Int64.self) {
            self = .number(Number(integer))
        } else if let double = try? container.decode(Double.self) {
            self = .number(Number(double))
        } else {
            self = .string(try container.decode(String.self))
        }
    }

    /// Encodes the value. An encoder writes a number with no more digits than a `Double` has,
    /// unless it is an `Int64`. ``serialized(sortingNames:)`` writes all digits.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let object):
            var container = encoder.container(keyedBy: Name.self)
            for (name, value) in object {
                try container.encode(value, forKey: Name(stringValue: name))
            }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let bool): try bool.encode(to: encoder)
        case .string(let string): try string.encode(to: encoder)
        case .number(let number):
            if let integer = number.int64 {
                try integer.encode(to: encoder)
            } else if let double = number.double {
                try double.encode(to: encoder)
            } else {
                throw EncodingError.invalidValue(
                    number,
                    EncodingError.Context(
                        codingPath: encoder.codingPath,
                        debugDescription: "this encoder cannot write the number \(number)"))
            }
        }
    }

    /// Creates the JSON that `encoder` writes for a value.
    ///
    /// - Throws: `encodingFailed` with the encoder's error as the underlying error.
    public init(
        encoding value: some Encodable, encoder: JSONEncoder = .sortedJSON
    ) throws(HTTPError) {
        let bytes: Data
        do {
            bytes = try encoder.encode(value)
            self = try HTTPJSON(parsing: bytes)
        } catch {
            throw HTTPError.encodingFailed(
                "a value of type \(type(of: value)) cannot be encoded as JSON", error)
        }
    }

    /// Returns this value as another type.
    ///
    /// - Throws: `DecodingError`, or `encodingFailed` as in ``serialized(sortingNames:)``.
    public func decode<Value: Decodable>(
        as type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try decoder.decode(type, from: serialized())
    }
}
