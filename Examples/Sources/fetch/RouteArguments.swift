import ArgumentParser
import HTTPClientKit
import HTTPTransportCurl

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The arguments for the way to the server, for the transport with libcurl.
struct RouteArguments: ParsableArguments {
    @Option(
        name: [.customShort("x"), .long], parsing: .unconditional,
        help: ArgumentHelp(
            """
            The proxy, with http, https, socks4, socks4a, socks5 or socks5h as its scheme; '' for \
            none. By default, those of http_proxy, https_proxy and all_proxy.
            """, valueName: "[scheme://][name:password@]host[:port]"))
    var proxy: String?

    @Option(
        name: [.customShort("U"), .long], parsing: .unconditional,
        help: ArgumentHelp("The credentials for the proxy.", valueName: "name:password"))
    var proxyUser: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The hosts that need no proxy, separated by commas. By default, those of no_proxy.",
            valueName: "hosts"))
    var noproxy: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The same as --proxy with socks5:// before it.", valueName: "host[:port]"))
    var socks5: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The same as --proxy with socks5h:// before it.", valueName: "host[:port]"))
    var socks5Hostname: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The same as --proxy with socks4:// before it.", valueName: "host[:port]"))
    var socks4: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The same as --proxy with socks4a:// before it.", valueName: "host[:port]"))
    var socks4a: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "An address for a host, for all its ports; can be repeated.",
            valueName: "host:port:address[,address]"))
    var resolve: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Connect to another host and port than the URL's.",
            valueName: "host:port:host:port"))
    var connectTo: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Connect to this Unix socket.", valueName: "path"))
    var unixSocket: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Connect to this abstract Unix socket.", valueName: "name"))
    var abstractUnixSocket: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The address of this machine to send from.", valueName: "address"))
    var interface: String?

    enum Family: String, EnumerableFlag {
        case ipv4, ipv6

        static func help(for value: Self) -> ArgumentHelp? {
            value == .ipv4 ? "Use IPv4 only (-4)." : "Use IPv6 only (-6)."
        }
    }

    @Flag var family: Family?

    /// The proxies that are given, as URLs.
    private var proxyTexts: [String] {
        [
            proxy, socks5.map { "socks5://\($0)" }, socks5Hostname.map { "socks5h://\($0)" },
            socks4.map { "socks4://\($0)" }, socks4a.map { "socks4a://\($0)" },
        ].compactMap(\.self)
    }

    func validate() throws {
        guard proxyTexts.count <= 1 else { throw ValidationError("a request has one proxy") }
        guard proxyUser == nil || proxyTexts.first?.isEmpty == false else {
            throw ValidationError("-U belongs to a proxy: --proxy")
        }
        guard proxyUser?.contains(":") != false else {
            throw ValidationError("-U takes 'name:password', but the argument has no colon")
        }
        guard unixSocket == nil || abstractUnixSocket == nil else {
            throw ValidationError("a request goes to one Unix socket")
        }
    }

    /// The name of an option that is given, or `nil` if all have their defaults.
    var givenOption: String? {
        let given: [(name: String, isGiven: Bool)] = [
            ("--proxy", !proxyTexts.isEmpty), ("--noproxy", noproxy != nil),
            ("--resolve", !resolve.isEmpty), ("--connect-to", !connectTo.isEmpty),
            ("--unix-socket", unixSocket != nil || abstractUnixSocket != nil),
            ("--interface", interface != nil), ("-4 and -6", family != nil),
        ]
        return given.first { $0.isGiven }?.name
    }

    // MARK: Settings

    /// Returns the proxies of the arguments, or else those of the environment. As in curl,
    /// `HTTP_PROXY` in upper case is none of them.
    func proxies(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(HTTPError) -> ProxySettings {
        if let noproxy, ProxyExceptions(noproxy) == nil {
            throw HTTPError(
                .invalidRequest,
                "--noproxy: an entry is not a host, a .suffix, an address, a range or *")
        }
        guard let text = proxyTexts.first else {
            var environment = environment
            environment["HTTP_PROXY"] = nil
            if let noproxy {
                environment["NO_PROXY"] = nil
                environment["no_proxy"] = noproxy
            }
            return try ProxySettings(environment: environment)
        }
        if text.isEmpty { return .none }
        var server = try ProxyServer(text)
        if let proxyUser, let colon = proxyUser.firstIndex(of: ":") {
            server.credentials = ProxyServer.Credentials(
                user: String(proxyUser[..<colon]),
                password: String(proxyUser[colon...].dropFirst()))
        }
        let hosts = noproxy ?? environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        guard let exceptions = ProxyExceptions(hosts) else {
            throw HTTPError(
                .invalidRequest,
                "no_proxy: an entry is not a host, a .suffix, an address, a range or *")
        }
        return .server(server, except: exceptions)
    }

    /// Returns the addresses of `--resolve`, by host.
    func addresses() throws(HTTPError) -> [String: [IPAddress]] {
        var found: [String: [IPAddress]] = [:]
        for text in resolve {
            let parts = (text.hasPrefix("+") ? text.dropFirst() : text[...])
                .split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, !parts[0].isEmpty, parts[0] != "*", UInt16(parts[1]) != nil
            else {
                throw HTTPError(
                    .invalidRequest, "--resolve takes host:port:address[,address], and no *")
            }
            var addresses: [IPAddress] = []
            for part in parts[2].split(separator: ",") {
                let bare =
                    part.hasPrefix("[") && part.hasSuffix("]")
                    ? part.dropFirst().dropLast() : part
                guard let address = IPAddress(String(bare)) else {
                    throw HTTPError(
                        .invalidRequest, "--resolve: the text behind the port is not an address")
                }
                addresses.append(address)
            }
            let host = parts[0].lowercased()
            guard !addresses.isEmpty, found[host] == nil || found[host] == addresses else {
                throw HTTPError(
                    .invalidRequest,
                    "--resolve: a host has the same addresses for all ports, at least one")
            }
            found[host] = addresses
        }
        return found
    }

    /// Adds what is for the origin of the URL only.
    func complete(_ request: inout HTTPRequest) throws {
        let origin = try HTTPOrigin(request.url)
        if let path = unixSocket ?? abstractUnixSocket.map({ "@" + $0 }) {
            request[UnixSocket.self] = try UnixSocket(path, for: origin)
        }
        for text in connectTo where request[ConnectTarget.self] == nil {
            request[ConnectTarget.self] = try Self.target(text, from: origin)
        }
        if let interface {
            guard let address = IPAddress(interface) else {
                throw HTTPError(
                    .unsupportedOption,
                    "--interface takes an address of this machine, not the name of an interface")
            }
            request[LocalAddress.self] = LocalAddress(address)
        }
    }

    /// Returns the target of `host:port:host:port` for an origin; `nil` if it is for another one.
    private static func target(
        _ text: String, from origin: HTTPOrigin
    ) throws(HTTPError) -> ConnectTarget? {
        var parts: [String] = [""]
        var isBracketed = false
        for character in text {
            if character == "[" { isBracketed = true }
            if character == "]" { isBracketed = false }
            if character == ":", !isBracketed {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        guard parts.count == 4, parts[1].isEmpty || UInt16(parts[1]) != nil else {
            throw HTTPError(.invalidRequest, "--connect-to takes host:port:host:port")
        }
        guard parts[0].isEmpty || parts[0].lowercased() == origin.host,
            parts[1].isEmpty || Int(parts[1]) == origin.port
        else { return nil }
        let host = parts[2].isEmpty ? origin.host : parts[2]
        return try ConnectTarget("\(host):\(parts[3].isEmpty ? "\(origin.port)" : parts[3])")
    }
}
