import ArgumentParser
import HTTPClientKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The arguments of a request. All are checked before anything is sent.
struct RequestArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "An http or https URL. An invalid URL is not repaired; without a scheme, it is http.",
            valueName: "url"))
    var location: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The same as the argument <url>.", valueName: "url"))
    var url: String?

    @Option(help: ArgumentHelp("The scheme of a URL without one.", valueName: "scheme"))
    var protoDefault = "http"

    @Option(
        name: [.customShort("X"), .customLong("request")], parsing: .unconditional,
        help: ArgumentHelp(
            "The method; GET unless there is data, then POST or PUT.", valueName: "method"))
    var method: String?

    @Flag(name: [.customShort("I"), .long], help: "Send a HEAD, and write the response's head.")
    var head = false

    @Option(
        name: [.customShort("H"), .customLong("header")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            A field to send; can be repeated. 'Name:' removes a field that is sent by default, \
            'Name;' sends an empty one, and @FILE is a file with a field on each line.
            """, valueName: "name: value"))
    var headers: [String] = []

    @Option(
        name: [.customShort("A"), .long], parsing: .unconditional,
        help: ArgumentHelp("The User-Agent; empty for none.", valueName: "name"))
    var userAgent: String?

    @Option(
        name: [.customShort("e"), .long], parsing: .unconditional,
        help: ArgumentHelp("The Referer.", valueName: "url"))
    var referer: String?

    @Option(
        name: [.customShort("r"), .long], parsing: .unconditional,
        help: ArgumentHelp(
            "The bytes to ask for: 0-99, 100-, or -100 for the last ones.", valueName: "range"))
    var range: String?

    @Flag(help: "Ask for a compressed response, and decode it.")
    var compressed = false

    @Option(
        name: [.customShort("m"), .long, .customLong("max-time")], parsing: .unconditional,
        help: ArgumentHelp(
            "The time limit of the whole call, to the last byte of the body.",
            valueName: "seconds"))
    var timeout: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The time limit of connecting, with TLS.", valueName: "seconds"))
    var connectTimeout: Double?

    @Option(
        name: [.customShort("y"), .long], parsing: .unconditional,
        help: ArgumentHelp(
            "The time limit without a byte sent or received; 60 by default, 0 for none.",
            valueName: "seconds"))
    var speedTime: Double?

    /// The versions that can be asked for.
    enum Version: String, EnumerableFlag {
        case http1_1, http2, http3

        static func name(for value: Self) -> NameSpecification {
            switch value {
            case .http1_1: .customLong("http1.1")
            case .http2: .customLong("http2")
            case .http3: [.customLong("http3"), .customLong("http3-only")]
            }
        }

        static func help(for value: Self) -> ArgumentHelp? {
            "Send over HTTP/\(value.version.rawValue.dropFirst(5)), or fail."
        }

        var version: HTTPVersion {
            switch self {
            case .http1_1: .http1_1
            case .http2: .http2
            case .http3: .http3
            }
        }
    }

    @Flag var version: Version?

    @OptionGroup(title: "Data") var data: DataArguments

    func validate() throws {
        guard (location == nil) != (url == nil) else {
            throw ValidationError(
                location == nil ? "the URL is missing" : "fetch takes one URL: remove --url")
        }
        if head, data.hasBody {
            throw ValidationError("-I sends no data: remove it, or add it to the URL with -G")
        }
        guard referer?.hasSuffix(";auto") != true else {
            throw ValidationError(
                "redirects get no Referer here: remove ;auto, or give a URL for all requests")
        }
    }

    /// Returns the URL with what the data adds to it.
    func makeURL() throws(HTTPError) -> RequestURL {
        var url = try RequestURL(location ?? url ?? "", defaultScheme: protoDefault)
        try data.complete(&url)
        return url
    }

    func makeRequest() throws -> HTTPRequest { try makeRequest(to: makeURL()) }

    func makeRequest(to url: RequestURL) throws -> HTTPRequest {
        let method = self.method.map { HTTPMethod($0) } ?? (head ? .head : data.method)
        var request = try HTTPRequest(method, url.text)
        var removed: [HTTPHeaderName] = []
        for line in try headers.flatMap(HeaderLine.lines) {
            switch line {
            case .field(let name, let value): try request.headers.append(name, value)
            case .removal(let name): removed.append(name)
            }
        }
        try addDefaults(to: &request)
        try data.complete(&request)
        for name in removed { request.headers.remove(name) }
        request.version = version?.version
        return try addingLimits(to: request)
    }

    private func addDefaults(to request: inout HTTPRequest) throws(HTTPError) {
        let userAgent = userAgent ?? "fetch"
        if !userAgent.isEmpty { try request.setDefault(.userAgent, userAgent) }
        if let referer { try request.setDefault(.referer, referer) }
        if let range {
            try request.setDefault(.range, "bytes=\(range)\(range.contains("-") ? "" : "-")")
        }
        try request.setDefault(.accept, data.json.isEmpty ? "*/*" : "application/json")
    }

    private func addingLimits(to original: HTTPRequest) throws(HTTPError) -> HTTPRequest {
        var request = original
        for (name, seconds) in [
            ("--max-time", timeout), ("--connect-timeout", connectTimeout),
        ] {
            guard let seconds else { continue }
            guard seconds > 0, seconds <= 1e9 else {
                throw HTTPError(.invalidRequest, "\(name) takes a number of seconds above zero")
            }
        }
        if let connectTimeout { request.timeouts.connect = .seconds(connectTimeout) }
        if let speedTime {
            guard speedTime >= 0, speedTime <= 1e9 else {
                throw HTTPError(.invalidRequest, "--speed-time takes a number of seconds")
            }
            request.timeouts.idle = speedTime == 0 ? .never : .seconds(speedTime)
        }
        return timeout.map { request.deadline(in: .seconds($0)) } ?? request
    }
}
