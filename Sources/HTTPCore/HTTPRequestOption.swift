/// A typed value that travels with a request (or a response) for whoever knows its key, so that
/// layers add options without anybody below them knowing: `request[MyOption.self] = 3`.
public protocol HTTPRequestOption: Sendable {
    associatedtype Value: Sendable
    /// What a request has that never set the option.
    static var defaultValue: Value { get }
}

/// An option that only a transport can honour: one that does not know it refuses the request with
/// `unsupportedOption` before anything is sent. Other options belong to layers and pass through.
public protocol HTTPTransportOption: HTTPRequestOption {
    /// For the message of the refusal.
    static var name: String { get }
}

extension HTTPTransportOption {
    public static var name: String { "\(Self.self)" }
}

/// A small store of typed options: empty ones cost nothing.
public struct HTTPOptions: Sendable {
    private struct Entry: Sendable {
        var key: any HTTPRequestOption.Type
        var value: any Sendable
    }

    private var entries: [Entry]?

    public init() {}

    public var isEmpty: Bool { entries == nil }

    public subscript<Key: HTTPRequestOption>(key: Key.Type) -> Key.Value {
        get {
            // Apart, so that asking an empty store costs no metadata of the generic value.
            guard let entries else { return Key.defaultValue }
            return Self.value(of: key, in: entries)
        }
        set {
            var entries = self.entries ?? []
            if let index = entries.firstIndex(where: { $0.key == key }) {
                entries[index].value = newValue
            } else {
                entries.append(Entry(key: key, value: newValue))
            }
            self.entries = entries
        }
    }

    @inline(never) private static func value<Key: HTTPRequestOption>(
        of key: Key.Type, in entries: [Entry]
    ) -> Key.Value {
        entries.first { $0.key == key }.flatMap { $0.value as? Key.Value } ?? Key.defaultValue
    }

    /// Whether any is a transport's, see ``HTTPTransportOption``.
    package var hasTransportOptions: Bool {
        entries?.contains { $0.key is any HTTPTransportOption.Type } ?? false
    }

    /// As if the option had never been set.
    public mutating func remove(_ key: any HTTPRequestOption.Type) {
        entries?.removeAll { $0.key == key }
        if entries?.isEmpty == true { entries = nil }
    }

    /// What every transport calls before it sends.
    ///
    /// - Parameter known: the transport options that it honours.
    /// - Throws: `unsupportedOption` naming the first set transport option that is not among them.
    public func checkTransportOptions(
        known: [any HTTPTransportOption.Type] = [], transport: String
    ) throws(HTTPError) {
        guard let entries else { return }
        for entry in entries {
            guard let option = entry.key as? any HTTPTransportOption.Type,
                !known.contains(where: { $0 == option })
            else { continue }
            throw HTTPError(
                .unsupportedOption,
                "\(transport) cannot honour the option \(option.name): remove it, or use another transport",
                phase: .preparing)
        }
    }
}

extension HTTPOptions: CustomStringConvertible, CustomReflectable {
    /// The keys only: a value may be a credential.
    public var description: String {
        "[" + (entries ?? []).map { "\($0.key)" }.joined(separator: ", ") + "]"
    }
    public var customMirror: Mirror { Mirror(self, children: ["keys": description]) }
}
