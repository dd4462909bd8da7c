package import HTTPCore
package import PortableFoundation

/// A value for a query or a form. It is read once from the caller's value, and written by a
/// ``QueryEncoding`` whenever the encoding changes.
package enum QueryValue: Hashable, Sendable {
    /// A value that is left out.
    case null
    case text(String)
    case bool(Bool)
    case date(Date)
    case array([QueryValue])
    case dictionary([String: QueryValue])

    package init(_ value: Any?) {
        guard let value else {
            self = .null
            return
        }
        // First, because most values are text, and each cast is slow.
        if let text = value as? String {
            self = .text(text)
            return
        }
        switch FoundationScalar(value) {
        case .null?:
            self = .null
            return
        case .bool(let bool)?:
            self = .bool(bool)
            return
        case .number(let digits)?:
            self = .text(digits)
            return
        case nil: break
        }
        switch value {
        case let value as QueryValue: self = value
        case let json as HTTPJSON: self.init(json)
        case let object as HTTPJSON.Object: self.init(.object(object))
        case let url as URL: self = .text(url.absoluteString)
        case let bool as Bool: self = .bool(bool)
        case let date as Date: self = .date(date)
        case let data as Data: self = .text(data.base64EncodedString())
        case let optional as any AnyOptional: self = Self(optional.wrapped)
        case let entries as [AnyHashable: Any]:
            self = .dictionary(
                Dictionary(
                    entries.map { ("\($0.key.base)", Self($0.value)) },
                    uniquingKeysWith: { first, _ in first }))
        case let elements as [Any]: self = .array(elements.map { Self($0) })
        case let elements as Set<AnyHashable>:
            // Sorted by description, because a set has no order.
            self = .array(
                elements.map { ("\($0.base)", Self($0.base)) }.sorted { $0.0 < $1.0 }.map(\.1))
        case let value as any Encodable where !(value is any CustomStringConvertible):
            // A caller's type, whose default description would be Swift source.
            self = (try? QueryValueEncoder.encode(value)) ?? .text("\(value)")
        case let value as any RawRepresentable where !(value is any CustomStringConvertible):
            self = Self(value.rawValue)
        default: self = .text("\(value)")
        }
    }

    /// Creates the value that a JSON value stands for: a scalar is itself, without the quotes of
    /// JSON, and a number has the digits that were sent.
    init(_ json: HTTPJSON) {
        switch json {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .number(let number): self = .text(number.description)
        case .string(let text): self = .text(text)
        case .array(let elements): self = .array(elements.map { Self($0) })
        case .object(let object):
            self = .dictionary(
                Dictionary(
                    object.map { ($0.name, Self($0.value)) }, uniquingKeysWith: { _, last in last })
            )
        }
    }

    package static func dictionary(_ parameters: [String: Any?]) -> [String: QueryValue] {
        parameters.mapValues { QueryValue($0) }
    }

    /// Returns the properties of `value` as named values.
    ///
    /// - Throws: `invalidRequest` if `value` has no named properties, or cannot be encoded.
    package static func dictionary(
        encoding value: some Encodable
    ) throws(HTTPError) -> [String: QueryValue] {
        let encoded: QueryValue
        do {
            encoded = try QueryValueEncoder.encode(value)
        } catch {
            throw HTTPError(
                .invalidRequest, "a \(type(of: value)) could not be encoded as named values",
                underlyingError: error)
        }
        guard case .dictionary(let entries) = encoded else {
            throw HTTPError(
                .invalidRequest,
                "a \(type(of: value)) has no named values: encode a type with properties")
        }
        return entries
    }
}

// MARK: - Encodable

/// An encoder that turns any `Encodable` into a ``QueryValue``.
private struct QueryValueEncoder: Encoder {
    /// The place of one value, shared by the containers that write to it.
    final class Node {
        enum Content {
            case nothing
            case value(QueryValue)
            case keyed([String: Node])
            case unkeyed([Node])
        }
        var content: Content = .nothing

        func child(_ key: some CodingKey) -> Node {
            let node = Node()
            var children: [String: Node] = [:]
            if case .keyed(let others) = content { children = others }
            content = .nothing  // keeps the dictionary unique, so that the insertion is cheap
            children[key.stringValue] = node
            content = .keyed(children)
            return node
        }

        func nextChild() -> Node {
            let node = Node()
            var children: [Node] = []
            if case .unkeyed(let others) = content { children = others }
            content = .nothing
            children.append(node)
            content = .unkeyed(children)
            return node
        }

        var value: QueryValue {
            switch content {
            case .nothing: .null
            case .value(let value): value
            case .keyed(let children): .dictionary(children.mapValues(\.value))
            case .unkeyed(let children): .array(children.map(\.value))
            }
        }
    }

    let node: Node
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func encode(_ value: some Encodable) throws -> QueryValue {
        let node = Node()
        try put(value, into: node, at: [])
        return node.value
    }

    static func put(
        _ value: some Encodable, into node: Node, at path: [any CodingKey]
    ) throws {
        switch value {
        // These types would encode themselves as numbers, an array of numbers, and parts.
        case let date as Date: node.content = .value(.date(date))
        case let data as Data: node.content = .value(QueryValue(data))
        // It would encode a number as another type, without the digits that were sent.
        case let json as HTTPJSON: node.content = .value(QueryValue(json))
        case let url as URL: node.content = .value(.text(url.absoluteString))
        case let decimal as Decimal: node.content = .value(.text("\(decimal)"))
        // These would encode themselves with this encoder again.
        case let bool as Bool: node.content = .value(.bool(bool))
        case let text as String: node.content = .value(.text(text))
        case is Double, is Float, is Int, is Int8, is Int16, is Int32, is Int64, is Int128, is UInt,
            is UInt8, is UInt16, is UInt32, is UInt64, is UInt128:
            node.content = .value(.text("\(value)"))
        default: try value.encode(to: QueryValueEncoder(node: node, codingPath: path))
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .keyed = node.content {} else { node.content = .keyed([:]) }
        return KeyedEncodingContainer(Keyed<Key>(node: node, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .unkeyed = node.content {} else { node.content = .unkeyed([]) }
        return Unkeyed(node: node, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        Single(node: node, codingPath: codingPath)
    }

    private struct Index: CodingKey {
        var intValue: Int?
        var stringValue: String
        init(_ index: Int) { (intValue, stringValue) = (index, "\(index)") }
        init?(intValue: Int) { self.init(intValue) }
        init?(stringValue: String) { nil }
    }

    private enum SuperKey: String, CodingKey { case `super` }

    struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let node: Node
        let codingPath: [any CodingKey]

        func encodeNil(forKey key: Key) { node.child(key).content = .value(.null) }

        func encode(_ value: some Encodable, forKey key: Key) throws {
            try QueryValueEncoder.put(value, into: node.child(key), at: codingPath + [key])
        }

        private func encoder(_ key: some CodingKey) -> QueryValueEncoder {
            QueryValueEncoder(node: node.child(key), codingPath: codingPath + [key])
        }

        func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type, forKey key: Key
        ) -> KeyedEncodingContainer<NestedKey> {
            encoder(key).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            encoder(key).unkeyedContainer()
        }

        func superEncoder() -> any Encoder { encoder(SuperKey.super) }
        func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }
    }

    struct Unkeyed: UnkeyedEncodingContainer {
        let node: Node
        let codingPath: [any CodingKey]
        private(set) var count = 0

        init(node: Node, codingPath: [any CodingKey]) {
            self.node = node
            self.codingPath = codingPath
            if case .unkeyed(let children) = node.content { count = children.count }
        }

        private mutating func next() -> QueryValueEncoder {
            defer { count += 1 }
            return QueryValueEncoder(
                node: node.nextChild(), codingPath: codingPath + [Index(count)])
        }

        mutating func encodeNil() { next().node.content = .value(.null) }

        mutating func encode(_ value: some Encodable) throws {
            let encoder = next()
            try QueryValueEncoder.put(value, into: encoder.node, at: encoder.codingPath)
        }

        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type
        ) -> KeyedEncodingContainer<NestedKey> {
            next().container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            next().unkeyedContainer()
        }

        mutating func superEncoder() -> any Encoder { next() }
    }

    struct Single: SingleValueEncodingContainer {
        let node: Node
        let codingPath: [any CodingKey]

        mutating func encodeNil() { node.content = .value(.null) }

        mutating func encode(_ value: some Encodable) throws {
            try QueryValueEncoder.put(value, into: node, at: codingPath)
        }
    }
}
