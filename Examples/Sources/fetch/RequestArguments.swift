import ArgumentParser
import HTTPClientKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The arguments of a request. All are checked before anything is sent.
struct RequestArguments: ParsableArguments {
    @Argument(help: "An absolute http or https URL; an invalid URL is not repaired.")
    var url: String

    @Option(
        name: [.customShort("X"), .customLong("request")],
        help: ArgumentHelp(
            "The method; GET unless there is data, then POST.", valueName: "method"))
    var method: String?

    @Option(
        name: [.customShort("H"), .customLong("header")],
        help: ArgumentHelp("A field to send; can be repeated.", valueName: "name: value"))
    var headers: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The body: text, or @FILE to stream a file. Set its Content-Type with -H.",
            valueName: "text|@file"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            """
            The same as --data, for JSON: sets Content-Type, and asks for JSON in Accept. Text is \
            checked, and sent unchanged.
            """, valueName: "json|@file"))
    var json: String?

    @Option(
        help: ArgumentHelp(
            "The time limit of the whole call, to the last byte of the body.",
            valueName: "seconds"))
    var timeout: Double?

    /// The versions that can be asked for.
    enum Version: String, EnumerableFlag {
        case http1_1, http2, http3

        static func name(for value: Self) -> NameSpecification {
            .customLong(value == .http1_1 ? "http1.1" : value.rawValue)
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

    func validate() throws {
        guard data == nil || json == nil else {
            throw ValidationError("a request has one body: --data or --json")
        }
    }

    func makeRequest() throws(HTTPError) -> HTTPRequest {
        let hasBody = data != nil || json != nil
        let method = self.method.map { HTTPMethod($0) } ?? (hasBody ? .post : .get)
        var request = try HTTPRequest(method, url)
        for header in headers {
            let (name, value) = try Self.parse(header: header)
            try request.headers.append(name, value)
        }
        if let data { request.body = try Self.body(data) }
        if let json { request = try Self.adding(json: json, to: request) }
        request.version = version?.version
        if let timeout {
            guard timeout > 0, timeout <= 1e9 else {
                throw HTTPError(.invalidRequest, "--timeout takes a number of seconds above zero")
            }
            request = request.deadline(in: .seconds(timeout))
        }
        return request
    }

    private static func body(_ data: String) throws(HTTPError) -> HTTPBody {
        data.hasPrefix("@") ? try HTTPBody(file: String(data.dropFirst())) : HTTPBody(data)
    }

    private static func adding(
        json: String, to original: HTTPRequest
    ) throws(HTTPError) -> HTTPRequest {
        var request = original
        if !request.headers.contains(.accept) { request.headers.accept = Accept(.json) }
        if json.hasPrefix("@") {
            return try request.file(String(json.dropFirst()), contentType: .json)
        }
        do throws(HTTPJSON.ParseError) {
            _ = try HTTPJSON(parsing: json)
        } catch {
            throw HTTPError(.invalidRequest, "--json takes JSON: \(error)")
        }
        return request.data(Data(json.utf8), contentType: .json)
    }

    /// Splits `Name: value` at the first colon. Errors do not quote the value: it may be a secret.
    private static func parse(header: String) throws(HTTPError) -> (HTTPHeaderName, String) {
        guard let colon = header.firstIndex(of: ":") else {
            throw HTTPError(.invalidRequest, "-H takes 'Name: value', but there is no colon")
        }
        let value = header[header.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        return (HTTPHeaderName(String(header[..<colon])), String(value))
    }
}
