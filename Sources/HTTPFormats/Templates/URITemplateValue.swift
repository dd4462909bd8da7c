import HTTPCore

extension URITemplate {
    /// The value of a variable (RFC 6570 §2.3). Empty lists and associative arrays count as
    /// undefined.
    package enum Value: Hashable, Sendable {
        case undefined
        case string(String)
        case list([String])
        /// Pairs in an order that the expansion keeps.
        case associative([Pair])

        package struct Pair: Hashable, Sendable {
            package var name: String
            package var value: String
            package init(_ name: String, _ value: String) {
                self.name = name
                self.value = value
            }
        }

        /// Creates the value that represents anything. A `Value` is used as it is. Text, and arrays
        /// and dictionaries of anything, become the matching case; dictionaries are in the order of
        /// their keys. `nil` is undefined, and everything else becomes its description.
        package init(describing value: Any?) {
            if let value = value as? Self {
                self = value
                return
            }
            switch QueryValue(value) {
            case .null: self = .undefined
            case .array(let elements): self = .list(elements.compactMap(\.templateText))
            case .dictionary(let entries):
                self = .associative(
                    entries.sorted { $0.key < $1.key }.compactMap { name, value in
                        value.templateText.map { Pair(name, $0) }
                    })
            case let scalar: self = scalar.templateText.map(Self.string) ?? .undefined
            }
        }

        var isUndefined: Bool {
            switch self {
            case .undefined: true
            case .string: false
            case .list(let elements): elements.isEmpty
            case .associative(let pairs): pairs.isEmpty
            }
        }
    }
}

extension QueryValue {
    /// The value as one string, also if it is nested more deeply than RFC 6570 allows.
    fileprivate var templateText: String? {
        switch self {
        case .null: nil
        case .text(let text): text
        case .bool(let bool): "\(bool)"
        case .date: QueryEncoding().pairs(of: self, named: "").first?.value
        case .array(let elements): elements.compactMap(\.templateText).joined(separator: ",")
        case .dictionary(let entries):
            entries.sorted { $0.key < $1.key }
                .compactMap { name, value in value.templateText.map { "\(name),\($0)" } }
                .joined(separator: ",")
        }
    }
}

extension URITemplate.Value: ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .string("\(value)") }
    package init(floatLiteral value: Double) { self = .string("\(value)") }
    package init(booleanLiteral value: Bool) { self = .string("\(value)") }
    package init(nilLiteral: ()) { self = .undefined }
    package init(arrayLiteral elements: String...) { self = .list(elements) }
    package init(dictionaryLiteral elements: (String, String)...) {
        self = .associative(elements.map { Pair($0.0, $0.1) })
    }
}

extension URITemplate.Value {
    /// The value as text, its members joined with commas; `nil` if it is undefined.
    package var text: String? {
        switch self {
        case .undefined: nil
        case .string(let text): text
        case .list(let members): members.joined(separator: ",")
        case .associative(let pairs): pairs.map { "\($0.name),\($0.value)" }.joined(separator: ",")
        }
    }
}
