public import HTTPCore
import PortableFoundation

/// The proxies that requests go through.
///
/// A transport has one, ``CurlConfiguration/proxies``; a request may have another:
/// `request[ProxySettings.self] = .none`. libcurl itself never reads the environment.
public struct ProxySettings: Hashable, Sendable {
    /// The proxy for origins with the scheme `http`.
    package var http: ProxyServer?
    /// The proxy for origins with the scheme `https`.
    package var https: ProxyServer?
    /// The hosts that are connected to directly.
    package var exceptions: ProxyExceptions

    /// Creates settings with a proxy for each scheme, `nil` for none, and with hosts that are
    /// connected to directly.
    public init(
        http: ProxyServer? = nil, https: ProxyServer? = nil,
        exceptions: ProxyExceptions = ProxyExceptions()
    ) {
        self.http = http
        self.https = https
        self.exceptions = exceptions
    }

    /// Settings without a proxy. Every request goes directly to its server.
    public static var none: Self { Self() }

    /// Returns settings with one proxy for all requests.
    public static func server(
        _ server: ProxyServer, except exceptions: ProxyExceptions = ProxyExceptions()
    ) -> Self {
        Self(http: server, https: server, exceptions: exceptions)
    }

    /// Returns the settings of the environment that the process was started with. See
    /// ``init(environment:)``.
    ///
    /// - Throws: `invalidRequest` with the name of a variable that cannot be used.
    public static func environment() throws(HTTPError) -> Self {
        try Self(environment: ProcessInfo.processInfo.environment)
    }

    /// Creates settings from `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, or the same
    /// names in upper case. Lower case takes precedence, `all_proxy` is used last, and an empty
    /// value counts as not set.
    ///
    /// `HTTP_PROXY` is ignored in a CGI program (one with `REQUEST_METHOD`), where it is a field of
    /// a request to that program.
    ///
    /// Entries of `no_proxy` that ``ProxyExceptions`` does not know are ignored, since programs
    /// differ in what they write there. Standard error says so once, without the entries.
    ///
    /// - Throws: `invalidRequest` with the name of a variable that names no proxy, never its value.
    public init(environment: [String: String]) throws(HTTPError) {
        try self.init(environment: environment) { IgnoredEntries.report($0) }
    }

    /// - Parameter report: Called with a sentence about entries of `no_proxy` that are ignored.
    package init(
        environment: [String: String], reportingIgnored report: (String) -> Void
    ) throws(HTTPError) {
        func value(_ name: String) -> (name: String, value: String)? {
            for name in [name, name.uppercased()] {
                if name == "HTTP_PROXY", environment["REQUEST_METHOD"] != nil { continue }
                if let value = environment[name], !value.isEmpty { return (name, value) }
            }
            return nil
        }
        func server(_ name: String) throws(HTTPError) -> ProxyServer? {
            guard let (name, value) = value(name) ?? value("all_proxy") else { return nil }
            do throws(HTTPError) {
                return try ProxyServer(value)
            } catch {
                throw HTTPError(.invalidRequest, "\(name): \(error.message)", phase: .preparing)
            }
        }
        http = try server("http_proxy")
        https = try server("https_proxy")
        exceptions = ProxyExceptions()
        if let (name, value) = value("no_proxy") {
            let ignored: [Int]
            (exceptions, ignored) = ProxyExceptions.reading(value)
            if !ignored.isEmpty {
                let numbers = ignored.prefix(8).map { "\($0)" }.joined(separator: ", ")
                report(
                    "\(ignored.count) of the entries of \(name) are ignored, because they are not "
                        + "a host, a .suffix, an address, a range, <local> or *; their places are "
                        + numbers + (ignored.count > 8 ? ", …" : ""))
            }
        }
    }

    /// The proxy for `origin`, or `nil` for none.
    package func server(for origin: HTTPOrigin) -> ProxyServer? {
        guard let server = origin.scheme == .http ? http : https, !exceptions.cover(origin) else {
            return nil
        }
        return server
    }
}

extension ProxySettings: HTTPTransportOption {
    /// `nil` means the transport's own settings.
    public static var defaultValue: ProxySettings? { nil }
}

/// The sentences about ignored entries that have been written to standard error.
private enum IgnoredEntries {
    private static let reported = Locked(Set<String>())

    /// Writes a sentence once in the life of the process, however often the environment is read.
    static func report(_ sentence: String) {
        guard reported.withLock({ $0.count < 64 && $0.insert(sentence).inserted }) else { return }
        StandardError.write("HTTPTransportCurl: " + sentence)
    }
}

/// Hosts for which no proxy is used, as in `NO_PROXY`.
///
/// | entry | covers |
/// |---|---|
/// | `*` | all |
/// | `example.com`, `.example.com` | the host and all below it |
/// | `*.example.com` | all below it |
/// | `*example.com` | all whose names end so |
/// | `<local>` | all whose names have no dot |
/// | `192.0.2.1`, `[2001:db8::1]` | the address, if the URL contains it in this form |
/// | `10.0.0.0/8`, `fd00::/8` | the addresses in the range, if the URL contains an address |
/// | `169.254/16`, `192.168.*` | the same, in short |
/// | each of these but a range with `:port` | on that port only |
///
/// A host outside ASCII is mapped to its `xn--` labels. Names are not resolved to find out whether
/// they are covered.
public struct ProxyExceptions: Hashable, Sendable, LosslessStringConvertible {
    private enum Host: Hashable {
        case any
        /// Names without a dot.
        case local
        case below(String, orItself: Bool)
        case ending(String)
        case range(AddressRange)
    }

    private struct Entry: Hashable {
        var host: Host
        var port: Int?
    }

    private var entries: [Entry] = []
    public private(set) var description = ""

    /// Creates an empty list.
    public init() {}

    /// - Parameter description: Entries separated by commas, semicolons or blanks.
    /// - Returns: `nil` if an entry cannot be understood. No entry is ignored.
    public init?(_ description: String) {
        let (exceptions, ignored) = Self.reading(description)
        guard ignored.isEmpty else { return nil }
        self = exceptions
    }

    /// Returns the exceptions that can be understood, and the places of the others, from 1.
    package static func reading(_ description: String) -> (exceptions: Self, ignored: [Int]) {
        var exceptions = Self()
        exceptions.description = description
        var ignored: [Int] = []
        // By scalars, since a CR and an LF are one character.
        let texts = description.unicodeScalars.split { ",; \t\r\n".unicodeScalars.contains($0) }
        for (index, text) in texts.enumerated() {
            if let entry = entry(Substring(text)) {
                exceptions.entries.append(entry)
            } else {
                ignored.append(index + 1)
            }
        }
        return (exceptions, ignored)
    }

    private static func entry(_ text: Substring) -> Entry? {
        // A range, or an address, which may be IPv6 without brackets.
        if let range = range(text) { return Entry(host: .range(range)) }
        var host = text
        var port: Int?
        if let colon = text.lastIndex(of: ":"), text.last != "]" {
            let digits = text[text.index(after: colon)...]
            guard digits.utf8.allSatisfy(\.isASCIIDigitByte), let number = Int(digits),
                (1...65535).contains(number)
            else { return nil }
            port = number
            host = text[..<colon]
        }
        if host == "*" { return Entry(host: .any, port: port) }
        if host.lowercased() == "<local>" { return Entry(host: .local, port: port) }
        if !host.contains("/"), let address = range(host) {
            return Entry(host: .range(address), port: port)
        }
        if host.hasPrefix("*."), let name = name(host.dropFirst(2)) {
            return Entry(host: .below(name, orItself: false), port: port)
        }
        if host.hasPrefix("*"), !host.hasPrefix("*."), host.utf8.allSatisfy({ $0 < 0x80 }),
            let name = name("x" + host.dropFirst())
        {
            return Entry(host: .ending(String(name.dropFirst())), port: port)
        }
        return name(host.hasPrefix(".") ? host.dropFirst() : host).map {
            Entry(host: .below($0, orItself: true), port: port)
        }
    }

    /// Returns a name as it is in an origin, without a dot at its end; `nil` for an address.
    private static func name(_ text: Substring) -> String? {
        let text = text.hasSuffix(".") ? text.dropLast() : text
        guard let origin = try? HTTPOrigin(scheme: .http, host: String(text)),
            IPAddress(origin.host) == nil
        else { return nil }
        return origin.host
    }

    /// Returns the range of addresses that an entry means: `10.0.0.0/8`, also if bits beyond the
    /// prefix are set; `169.254/16`; `192.168.*`; or a single address.
    private static func range(_ text: Substring) -> AddressRange? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2, parts[1].utf8.allSatisfy(\.isASCIIDigitByte),
            let length = Int(parts[1]),
            let address = IPAddress(String(parts[0])) ?? address(beginningWith: parts[0])?.address
        {
            return AddressRange(around: address, length)
        }
        guard parts.count == 1 else { return nil }
        if let address = IPAddress(String(text)) {
            return AddressRange(unchecked: address, address.bytes.count * 8)
        }
        var labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.last == "*", labels.count <= 4 else { return nil }
        while labels.last == "*" { labels.removeLast() }
        return address(beginningWith: Substring(labels.joined(separator: "."))).flatMap {
            AddressRange(around: $0.address, $0.count * 8)
        }
    }

    /// Returns the IPv4 address that begins with up to three numbers, and how many they are.
    private static func address(beginningWith text: Substring) -> (address: IPAddress, count: Int)?
    {
        let count = text.split(separator: ".", omittingEmptySubsequences: false).count
        guard (1...3).contains(count) else { return nil }
        let whole = text + String(repeating: ".0", count: 4 - count)
        return IPAddress(String(whole)).map { ($0, count) }
    }

    /// Returns `true` if `origin` is one of the hosts.
    package func cover(_ origin: HTTPOrigin) -> Bool {
        guard !entries.isEmpty else { return false }
        let address = IPAddress(origin.host)
        let name = origin.host.last == "." ? origin.host.dropLast() : origin.host[...]
        return entries.contains { entry in
            if let port = entry.port, port != origin.port { return false }
            switch entry.host {
            case .any: return true
            case .local: return address == nil && !name.contains(".")
            case .ending(let end): return address == nil && name.hasSuffix(end)
            case .range(let range): return address.map(range.contains) == true
            case .below(let host, let orItself):
                return (orItself && name == host) || (address == nil && name.hasSuffix("." + host))
            }
        }
    }
}
