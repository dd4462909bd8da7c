import HTTPCore

/// A JSON value (RFC 8259), for when there is no type to decode: any shape, numbers exactly as they
/// were sent, objects in the order they were sent.
///
/// ```swift
/// let json: HTTPJSON = ["name": "Ada", "tags": ["a", "b"], "age": 36]
/// json["tags"]?[0]?.string  // "a"
/// ```
public enum HTTPJSON: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Number)
    case string(String)
    case array([HTTPJSON])
    case object(Object)

    /// How deep arrays and objects may lie in each other, in reading and in writing.
    public static var depthLimit: Int { 512 }
}

// MARK: - Look-up

extension HTTPJSON {
    public var isNull: Bool { self == .null }

    public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
    public var number: Number? { if case .number(let number) = self { number } else { nil } }
    /// The number if it is whole, in whatever way it is written, and fits.
    public var int: Int? { number?.int64.flatMap { Int(exactly: $0) } }
    /// The nearest `Double`; `nil` also for a number beyond all of them.
    public var double: Double? { number?.double }
    public var string: String? { if case .string(let string) = self { string } else { nil } }
    public var array: [HTTPJSON]? { if case .array(let array) = self { array } else { nil } }
    public var object: Object? { if case .object(let object) = self { object } else { nil } }

    /// A member of an object; `nil` when there is none, or this is no object.
    public subscript(name: String) -> HTTPJSON? { object?[name] }

    /// An element of an array; `nil` when there is none, or this is no array.
    public subscript(index: Int) -> HTTPJSON? {
        array.flatMap { $0.indices.contains(index) ? $0[index] : nil }
    }
}

// MARK: - Literals

// No literal for null: `json["name"] == nil` would then ask for a null, not for absence.
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
    /// The members of an object in their order; two objects are equal in any order.
    ///
    /// Names are told apart by their bytes: `é` in one piece and in two are different members, as
    /// they are on the wire. Of members with one name the last counts, in the first one's place.
    public struct Object: Sendable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
        public typealias Element = (name: String, value: HTTPJSON)

        private struct Name: Hashable, Sendable {
            let text: String

            static func == (a: Self, b: Self) -> Bool { a.text.hasSameBytes(as: b.text) }
            func hash(into hasher: inout Hasher) {
                for byte in text.utf8 { hasher.combine(byte) }
            }
        }

        /// From this many members on, names are found through an index.
        private static let indexed = 9

        private var members: [Element] = []
        private var places: [Name: Int] = [:]

        public init() {}

        public init(_ members: some Sequence<(String, HTTPJSON)>) {
            for (name, value) in members { self[name] = value }
        }

        public init(dictionaryLiteral elements: (String, HTTPJSON)...) { self.init(elements) }

        public var startIndex: Int { 0 }
        public var endIndex: Int { members.count }
        public subscript(position: Int) -> Element { members[position] }

        /// Setting `nil` removes the member; a JSON null is ``HTTPJSON/null``.
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

        /// By the bytes of their names, so that the order is the same everywhere.
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
    /// `==` takes canonically equivalent texts for one; it is asked first because it is fast.
    fileprivate func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
    }
}

// MARK: - Rendering

extension HTTPJSON: CustomStringConvertible {
    /// The JSON text, members in their order. For reading: what has no JSON (infinity, a depth
    /// beyond the limit) is `<no JSON>`.
    public var description: String {
        (try? serialized()).map { String(decoding: $0, as: UTF8.self) } ?? "<no JSON>"
    }
}
