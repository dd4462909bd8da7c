import HTTPCore

/// The directives of `Cache-Control` (RFC 9111 §5.2).
///
/// Unknown directives are kept. If a directive is repeated, the first one counts (RFC 9111 §4.2.1).
public struct CacheControl: Hashable, Sendable, CustomStringConvertible {
    package struct Directive: Hashable, Sendable {
        /// The name in lower case.
        package let name: String
        /// The argument without quotes, or `nil` if there is no `=`.
        package let argument: String?
    }

    package private(set) var directives: [Directive] = []

    /// Creates a field without directives.
    public init() {}

    /// Creates a value from the field's text. A member that does not begin with a name is left out.
    /// An argument that is neither a token nor a quoted string is kept as written, so that
    /// ``maxAge`` finds it invalid.
    public init(_ text: String) {
        directives = FieldScanner.members(text) { scanner in
            scanner.token().map {
                Directive(name: $0.asciiLowercased, argument: scanner.argument())
            }
        }
    }

    public var description: String {
        directives.map { directive in
            directive.argument.map { "\(directive.name)=\($0.asParameterValue)" } ?? directive.name
        }.joined(separator: ", ")
    }
}

extension FieldScanner {
    /// Reads the argument after a `=` that follows immediately, or returns `nil`.
    fileprivate mutating func argument() -> String? {
        guard take("=") else { return nil }
        let start = position
        if let argument = tokenOrQuotedString(), isAtMemberEnd() { return argument }
        reset(to: start)
        skipMember()
        return text(from: start).trimmingBlanks
    }
}

// MARK: - Any directive

extension CacheControl {
    /// Returns `true` if there is a directive of that name. Names are compared without case.
    public func contains(_ name: String) -> Bool { first(name) != nil }

    /// Returns the argument of a directive without quotes; `nil` if there is no such directive, or
    /// it has none.
    public func argument(of name: String) -> String? { first(name)?.argument }

    /// Replaces all directives of that name by one, at the position of the first. Changes nothing
    /// if the name is not a token, or if the argument holds a control character.
    public mutating func set(_ name: String, _ argument: String? = nil) {
        guard name.isToken, argument?.utf8.allSatisfy(\.isFieldValueCharacter) ?? true else {
            return
        }
        let new = Directive(name: name.asciiLowercased, argument: argument)
        let index = directives.firstIndex { $0.name == new.name }
        directives.removeAll { $0.name == new.name }
        directives.insert(new, at: index ?? directives.endIndex)
    }

    /// Removes all directives of that name.
    public mutating func remove(_ name: String) {
        let name = name.asciiLowercased
        directives.removeAll { $0.name == name }
    }

    private func first(_ name: String) -> Directive? {
        let name = name.asciiLowercased
        return directives.first { $0.name == name }
    }

    private mutating func turn(_ name: String, _ isOn: Bool) {
        if isOn { set(name) } else { remove(name) }
    }

    private func seconds(_ name: String, orInvalid invalid: Duration) -> Duration? {
        first(name).map { $0.argument?.deltaSeconds ?? invalid }
    }

    private mutating func setSeconds(_ name: String, _ duration: Duration?) {
        guard let duration else { return remove(name) }
        set(name, duration.deltaSeconds)
    }
}

// MARK: - The registered directives

/// Ages are whole seconds, at most 2³¹, which means "forever" (RFC 9111 §1.2.2). An age that is not
/// a number reads as zero, the safe value (RFC 9111 §4.2.1), except in ``minFresh``.
extension CacheControl {
    /// The directive `max-age`: how long a response is fresh, or how old a stored one may be (RFC
    /// 9111 §5.2).
    public var maxAge: Duration? {
        get { seconds("max-age", orInvalid: .zero) }
        set { setSeconds("max-age", newValue) }
    }
    /// The accepted staleness; 2³¹ seconds if there is no argument, which accepts any
    /// (RFC 9111 §5.2.1.2).
    public var maxStale: Duration? {
        get {
            guard let directive = first("max-stale") else { return nil }
            guard let argument = directive.argument else { return .seconds(1 << 31) }
            return argument.deltaSeconds ?? .zero
        }
        set { setSeconds("max-stale", newValue) }
    }
    /// The required freshness; 2³¹ seconds if it is invalid, so that no stored response is fresh
    /// enough.
    public var minFresh: Duration? {
        get { seconds("min-fresh", orInvalid: .seconds(1 << 31)) }
        set { setSeconds("min-fresh", newValue) }
    }
    /// The time for which a stale response may be used while it is revalidated (RFC 5861 §3).
    public var staleWhileRevalidate: Duration? {
        get { seconds("stale-while-revalidate", orInvalid: .zero) }
        set { setSeconds("stale-while-revalidate", newValue) }
    }
    /// The time for which a stale response may be used instead of an error (RFC 5861 §4).
    public var staleIfError: Duration? {
        get { seconds("stale-if-error", orInvalid: .zero) }
        set { setSeconds("stale-if-error", newValue) }
    }

    /// The directive `no-store`: caches must not store the message (RFC 9111 §5.2).
    public var noStore: Bool {
        get { contains("no-store") }
        set { turn("no-store", newValue) }
    }
    /// `true` also if the directive is limited to some fields (RFC 9111 §5.2.2.4).
    public var noCache: Bool {
        get { contains("no-cache") }
        set { turn("no-cache", newValue) }
    }
    /// `true` also if the directive is limited to some fields (RFC 9111 §5.2.2.7).
    public var isPrivate: Bool {
        get { contains("private") }
        set { turn("private", newValue) }
    }
    package var isPublic: Bool {
        get { contains("public") }
        set { turn("public", newValue) }
    }
    /// The directive `must-revalidate`: a stale response must not be used without asking the server
    /// (RFC 9111 §5.2.2.2).
    public var mustRevalidate: Bool {
        get { contains("must-revalidate") }
        set { turn("must-revalidate", newValue) }
    }
    package var mustUnderstand: Bool {
        get { contains("must-understand") }
        set { turn("must-understand", newValue) }
    }
    /// The directive `only-if-cached`: a cache must not ask the server (RFC 9111 §5.2.1.7).
    public var onlyIfCached: Bool {
        get { contains("only-if-cached") }
        set { turn("only-if-cached", newValue) }
    }
    /// The directive `immutable` (RFC 8246 §2).
    public var isImmutable: Bool {
        get { contains("immutable") }
        set { turn("immutable", newValue) }
    }
}
