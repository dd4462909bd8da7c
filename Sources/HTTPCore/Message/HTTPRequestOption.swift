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

    /// Returns whether a value is for one origin alone: it proves an identity, goes without a
    /// check, or says where to connect to. Such a value does not travel along a redirect. None is,
    /// unless told.
    ///
    /// The origin is the call's first; for a value that a layer sets once the call has begun, that
    /// of the request's URL at this time.
    static func isBoundToOrigin(_ value: Value) -> Bool
}

extension HTTPTransportOption {
    public static var name: String { "\(Self.self)" }
    public static func isBoundToOrigin(_ value: Value) -> Bool { false }
}

/// A small store of typed options: empty ones cost nothing.
public struct HTTPOptions: Sendable {
    private struct Entry: Sendable {
        var key: any HTTPRequestOption.Type
        var value: any Sendable
        /// For a transport's option, where a layer has set it on its way.
        var origin: HTTPOrigin?

        /// The option's name, where it must not go to `origin`.
        func name(boundElsewhereThan origin: HTTPOrigin, home: HTTPOrigin) -> String? {
            guard (self.origin ?? home) != origin,
                let option = key as? any HTTPTransportOption.Type
            else { return nil }
            return option.boundName(value)
        }
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

    /// Sets a transport's option for requests to `origin`; `nil` stands for the call's first.
    mutating func set<Key: HTTPTransportOption>(
        _ key: Key.Type, _ value: Key.Value, for origin: HTTPOrigin?
    ) {
        self[key] = value
        guard let index = entries?.firstIndex(where: { $0.key == key }) else { return }
        entries?[index].origin = origin
    }

    /// Takes off what is bound to another origin than `origin`.
    ///
    /// - Parameter home: what an option is bound to that does not say it.
    /// - Returns: the names of the options.
    mutating func withhold(from origin: HTTPOrigin, home: HTTPOrigin) -> [String] {
        func name(of entry: Entry) -> String? {
            entry.name(boundElsewhereThan: origin, home: home)
        }
        // Asked for each exchange, of which hardly any has something to take off.
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

extension HTTPTransportOption {
    /// ``name`` for a value that is bound to an origin.
    fileprivate static func boundName(_ value: any Sendable) -> String? {
        (value as? Value).map(isBoundToOrigin) == true ? name : nil
    }
}

extension HTTPRequest {
    /// Reads and sets an option that only a transport can honour.
    public subscript<Key: HTTPTransportOption>(key: Key.Type) -> Key.Value {
        get { options[key] }
        set { options.set(key, newValue, for: call == nil ? nil : try? origin()) }
    }

    /// Takes transport options off that are bound to another origin than the one that this request
    /// goes to, see ``HTTPTransportOption/isBoundToOrigin(_:)``.
    ///
    /// - Parameter home: where the request was meant for, if it is of no call.
    /// - Returns: the names of the options.
    @discardableResult
    package mutating func withholdOptions(home: HTTPOrigin? = nil) -> [String] {
        guard hasOptions, let home = homeOrigin ?? home, let origin = try? origin() else {
            return []
        }
        return options.withhold(from: origin, home: home)
    }
}

extension HTTPOptions: CustomStringConvertible, CustomReflectable {
    /// The keys only: a value may be a credential.
    public var description: String {
        "[" + (entries ?? []).map { "\($0.key)" }.joined(separator: ", ") + "]"
    }
    public var customMirror: Mirror { Mirror(self, children: ["keys": description]) }
}
