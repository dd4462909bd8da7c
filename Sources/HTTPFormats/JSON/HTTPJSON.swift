import HTTPCore

/// A JSON value (RFC 8259) of any shape, for when there is no type to decode. Numbers keep their
/// digits and objects their order, exactly as they were sent.
///
/// ```swift
/// let json: HTTPJSON = ["name": "Ada", "tags": ["a", "b"], "age": 36]
/// json["tags"]?[0]?.string  // "a"
/// ```
public enum HTTPJSON: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, as it was written.
    case number(Number)
    /// A string.
    case string(String)
    /// An array.
    case array([HTTPJSON])
    /// An object, whose members keep their order.
    case object(Object)

    /// The maximum nesting depth of arrays and objects, in reading and in writing.
    package static var depthLimit: Int { 512 }
}

// MARK: - Look-up

extension HTTPJSON {
    /// The value, if this is a `Bool`.
    public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
    /// The number, if this is one.
    public var number: Number? { if case .number(let number) = self { number } else { nil } }
    /// The number if it is an integer and fits, regardless of how it is written.
    public var int: Int? { number?.int64.flatMap { Int(exactly: $0) } }
    /// The nearest `Double`; `nil` also if the number is beyond all of them.
    public var double: Double? { number?.double }
    /// The string, if this is one.
    public var string: String? { if case .string(let string) = self { string } else { nil } }
    /// The elements, if this is an array.
    public var array: [HTTPJSON]? { if case .array(let array) = self { array } else { nil } }
    /// The object, if this is one.
    public var object: Object? { if case .object(let object) = self { object } else { nil } }

    /// The member of that name; `nil` if there is none, or if this is not an object.
    public subscript(name: String) -> HTTPJSON? { object?[name] }

    /// The element at that index; `nil` if there is none, or if this is not an array.
    public subscript(index: Int) -> HTTPJSON? {
        array.flatMap { $0.indices.contains(index) ? $0[index] : nil }
    }
}

// MARK: - Literals

// There is no literal for null: `json["name"] == nil` would then test for a null, not for absence.
extension HTTPJSON: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .number(Number(value)) }
    public init(floatLiteral value: Double) { self = .number(Number(value)) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: HTTPJSON...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, HTTPJSON)...) {
        self = .object(Object(elements))
    }
}

// MARK: - Object

extension HTTPJSON {
    /// The members of an object in their order. Two objects with equal members are equal in any
    /// order.
    ///
    /// Names are compared by their bytes: a composed and a decomposed `é` are different names, as
    /// they are on the wire. If a name is repeated, its last member counts, at the position of the
    /// first.
    public struct Object: Sendable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
        public typealias Element = (name: String, value: HTTPJSON)

        private struct Name: Hashable, Sendable {
            let text: String

            static func == (a: Self, b: Self) -> Bool { a.text.hasSameBytes(as: b.text) }
            func hash(into hasher: inout Hasher) {
                for byte in text.utf8 { hasher.combine(byte) }
            }
        }

        /// The number of members from which names are found through an index.
        private static let indexed = 9

        private var members: [Element] = []
        private var places: [Name: Int] = [:]

        /// Creates an object without members.
        public init() {}

        /// Creates an object of members, in order. Of several with one name, the last value counts.
        public init(_ members: some Sequence<(String, HTTPJSON)>) {
            for (name, value) in members { self[name] = value }
        }

        public init(dictionaryLiteral elements: (String, HTTPJSON)...) { self.init(elements) }

        public var startIndex: Int { 0 }
        public var endIndex: Int { members.count }
        public subscript(position: Int) -> Element { members[position] }

        /// The member of that name. Setting `nil` removes it; a JSON null is ``HTTPJSON/null``.
        public subscript(name: String) -> HTTPJSON? {
            get { place(of: name).map { members[$0].value } }
            set {
                switch (place(of: name), newValue) {
                case (let place?, let value?): members[place].value = value
                case (let place?, nil):
                    members.remove(at: place)
                    places = [:]
                    if members.count >= Self.indexed { index(from: 0) }
                case (nil, let value?):
                    members.append((name, value))
                    if members.count == Self.indexed {
                        index(from: 0)
                    } else if members.count > Self.indexed {
                        index(from: members.count - 1)
                    }
                case (nil, nil): break
                }
            }
        }

        private mutating func index(from first: Int) {
            for place in first..<members.count { places[Name(text: members[place].name)] = place }
        }

        private func place(of name: String) -> Int? {
            if members.count >= Self.indexed { return places[Name(text: name)] }
            return members.firstIndex { $0.name.hasSameBytes(as: name) }
        }

        /// The members sorted by the bytes of their names, so that the order is the same
        /// everywhere.
        var sortedByName: [Element] {
            members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        }
    }
}

extension HTTPJSON.Object: Hashable {
    public static func == (a: Self, b: Self) -> Bool {
        a.count == b.count && a.allSatisfy { b[$0.name] == $0.value }
    }

    public func hash(into hasher: inout Hasher) {
        for (name, value) in sortedByName {
            hasher.combine(name)
            hasher.combine(value)
        }
    }
}

extension String {
    /// Returns `true` if both have the same bytes. `==` also accepts canonically equivalent text;
    /// it runs first because it is fast.
    fileprivate func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
    }
}

// MARK: - Rendering

extension HTTPJSON: CustomStringConvertible {
    /// The JSON text with members in their order, for display: characters that break a line,
    /// control a terminal or reorder text are in their escapes. A value without a JSON form
    /// (infinity, or a depth beyond the limit) is shown as `<no JSON>`.
    public var description: String {
        guard let text = try? serialized() else { return "<no JSON>" }
        // Outside strings, and as part of an escape, there are only characters that stay.
        var shown = ""
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            if scalar.misleadsLogs {
                shown += scalar.inJSONString
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}
