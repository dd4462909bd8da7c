/// A key for a typed value that travels with a request or a response: `request[MyOption.self] = 3`.
/// A layer can add its own options, and the layers below it need not know them.
public protocol HTTPRequestOption: Sendable {
    /// The type of the option's value.
    associatedtype Value: Sendable
    /// The value of a request that never set the option.
    static var defaultValue: Value { get }
}

/// An option that only a transport can honour. A transport that does not know the option refuses
/// the request with `unsupportedOption` before anything is sent. Other options belong to layers and
/// are passed on.
public protocol HTTPTransportOption: HTTPRequestOption {
    /// The name of the option in the message of that error.
    static var name: String { get }

    /// Returns `true` if `value` is meant for one origin only: it proves an identity, skips a
    /// check, or says where to connect. Such a value is not sent along a redirect. The default is
    /// `false`.
    ///
    /// The origin is the first origin of the call. If a layer sets the value after the call has
    /// begun, it is the origin of the request's URL at that time.
    static func isBoundToOrigin(_ value: Value) -> Bool
}

extension HTTPTransportOption {
    public static var name: String { "\(Self.self)" }
    public static func isBoundToOrigin(_ value: Value) -> Bool { false }
}

/// A small store of typed options. An empty store costs nothing.
public struct HTTPOptions: Sendable {
    private struct Entry: Sendable {
        var key: any HTTPRequestOption.Type
        var value: any Sendable
        /// The origin that a transport option is bound to, if a layer set it after the call had
        /// begun.
        var origin: HTTPOrigin?

        /// Returns the option's name if the option must not be sent to `origin`.
        func name(boundElsewhereThan origin: HTTPOrigin, home: HTTPOrigin) -> String? {
            guard (self.origin ?? home) != origin,
                let option = key as? any HTTPTransportOption.Type
            else { return nil }
            return option.boundName(value)
        }
    }

    private var entries: [Entry]?

    /// Creates an empty set of options.
    public init() {}

    /// `true` if no option was set.
    public var isEmpty: Bool { entries == nil }

    /// The value of an option: the one that was set, or its default.
    public subscript<Key: HTTPRequestOption>(key: Key.Type) -> Key.Value {
        get {
            // A separate function, so that reading an empty store does not look up metadata of the
            // generic value.
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

    /// Sets a transport option for requests to `origin`; `nil` means the first origin of the call.
    mutating func set<Key: HTTPTransportOption>(
        _ key: Key.Type, _ value: Key.Value, for origin: HTTPOrigin?
    ) {
        self[key] = value
        guard let index = entries?.firstIndex(where: { $0.key == key }) else { return }
        entries?[index].origin = origin
    }

    /// Removes the options that are bound to an origin other than `origin`.
    ///
    /// - Parameter home: The origin of options that have no origin of their own.
    /// - Returns: The names of the removed options.
    mutating func withhold(from origin: HTTPOrigin, home: HTTPOrigin) -> [String] {
        func name(of entry: Entry) -> String? {
            entry.name(boundElsewhereThan: origin, home: home)
        }
        // Runs for each exchange; hardly any has an option to remove.
        guard let entries, entries.contains(where: { name(of: $0) != nil }) else { return [] }
        let kept = entries.filter { name(of: $0) == nil }
        self.entries = kept.isEmpty ? nil : kept
        return entries.compactMap(name)
    }

    @inline(never) private static func value<Key: HTTPRequestOption>(
        of key: Key.Type, in entries: [Entry]
    ) -> Key.Value {
        entries.first { $0.key == key }.flatMap { $0.value as? Key.Value } ?? Key.defaultValue
    }

    /// `true` if any option is an ``HTTPTransportOption``.
    package var hasTransportOptions: Bool {
        entries?.contains { $0.key is any HTTPTransportOption.Type } ?? false
    }

    /// Removes an option, so that it has its default value again.
    public mutating func remove(_ key: any HTTPRequestOption.Type) {
        entries?.removeAll { $0.key == key }
        if entries?.isEmpty == true { entries = nil }
    }

    /// Checks that a transport knows all the transport options in this store. Every transport calls
    /// this before it sends.
    ///
    /// - Parameters:
    ///   - known: The transport options that the transport honours.
    ///   - transport: The name of the transport, for the error.
    /// - Throws: `unsupportedOption` naming the first transport option that is set and not in
    ///   `known`.
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
                "\(transport) cannot honour the option \(option.name): "
                    + "remove it, or use another transport",
                phase: .preparing)
        }
    }
}

extension HTTPTransportOption {
    /// Returns ``name`` if `value` is bound to an origin.
    fileprivate static func boundName(_ value: any Sendable) -> String? {
        (value as? Value).map(isBoundToOrigin) == true ? name : nil
    }
}

extension HTTPOptions: CustomStringConvertible, CustomReflectable {
    /// The keys only, because a value may be a credential.
    public var description: String {
        "[" + (entries ?? []).map { "\($0.key)" }.joined(separator: ", ") + "]"
    }
    public var customMirror: Mirror { Mirror(self, children: ["keys": description]) }
}
