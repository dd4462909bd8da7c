public import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
    /// - Throws: `invalidRequest` with the name of a variable that cannot be used, never its value.
    public init(environment: [String: String]) throws(HTTPError) {
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
            guard let parsed = ProxyExceptions(value) else {
                throw HTTPError(
                    .invalidRequest,
                    "\(name): an entry is not a host, a .suffix, an address, a range or *",
                    phase: .preparing)
            }
            exceptions = parsed
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

/// Hosts for which no proxy is used, as in `NO_PROXY`.
///
/// | entry | covers |
/// |---|---|
/// | `*` | all |
/// | `example.com`, `.example.com` | the host and all below it |
/// | `*.example.com` | all below it |
/// | `192.0.2.1`, `[2001:db8::1]` | the address, if the URL contains it in this form |
/// | `10.0.0.0/8`, `fd00::/8` | the addresses in the range, if the URL contains an address |
/// | each of the first four with `:port` | on that port only |
///
/// Names are not resolved to find out whether they are covered.
public struct ProxyExceptions: Hashable, Sendable, LosslessStringConvertible {
    private enum Host: Hashable {
        case any
        case below(String, orItself: Bool)
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

    /// - Parameter description: Entries separated by commas or blanks.
    /// - Returns: `nil` if an entry cannot be understood. No entry is ignored.
    public init?(_ description: String) {
        self.description = description
        for text in description.split(whereSeparator: { ", \t\n".contains($0) }) {
            guard let entry = Self.entry(text) else { return nil }
            entries.append(entry)
        }
    }

    private static func entry(_ text: Substring) -> Entry? {
        // A range, or an address, which may be IPv6 without brackets.
        if let range = AddressRange(String(text)) { return Entry(host: .range(range)) }
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
        if let address = AddressRange(String(host)), !host.contains("/") {
            return Entry(host: .range(address), port: port)
        }
        var isBelowOnly = false
        if host.hasPrefix("*.") {
            isBelowOnly = true
            host = host.dropFirst(2)
        } else if host.hasPrefix(".") {
            host = host.dropFirst()
        }
        if host.hasSuffix(".") { host = host.dropLast() }
        let name = host.lowercased()
        guard let url = try? URL(strictly: "http://\(name)/"), let origin = try? HTTPOrigin(url),
            origin.host == name, IPAddress(name) == nil
        else { return nil }
        return Entry(host: .below(name, orItself: !isBelowOnly), port: port)
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
            case .range(let range): return address.map(range.contains) == true
            case .below(let host, let orItself):
                return (orItself && name == host) || (address == nil && name.hasSuffix("." + host))
            }
        }
    }
}
