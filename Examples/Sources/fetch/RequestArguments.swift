import ArgumentParser
import HTTPClientKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The arguments that make a request. Everything is checked before anything is sent.
struct RequestArguments: ParsableArguments {
    @Argument(help: "An absolute http or https URL, taken to the letter: nothing is repaired.")
    var url: String

    @Option(
        name: [.customShort("X"), .customLong("request")],
        help: ArgumentHelp(
            "The method; GET unless there is data, then POST.", valueName: "method"))
    var method: String?

    @Option(
        name: [.customShort("H"), .customLong("header")],
        help: ArgumentHelp("A field to send; may be given again.", valueName: "name: value"))
    var headers: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The body: the text itself, or @FILE to stream a file. Its Content-Type is up to you.",
            valueName: "text|@file"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            """
            As --data, for JSON: says so in Content-Type, and asks for JSON in Accept. A text is checked, and             sent to the letter.
            """, valueName: "json|@file"))
    var json: String?

    @Option(
        help: ArgumentHelp(
            "How long the whole call may take, to the last byte of the body.",
            valueName: "seconds"))
    var timeout: Double?

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
            throw HTTPError(.invalidRequest, "--json takes JSON, and this is none: \(error)")
        }
        return request.data(Data(json.utf8), contentType: .json)
    }

    /// Cuts `Name: value` at the first colon. The value is not quoted in a refusal: it may be a secret.
    private static func parse(header: String) throws(HTTPError) -> (HTTPHeaderName, String) {
        guard let colon = header.firstIndex(of: ":") else {
            throw HTTPError(.invalidRequest, "-H takes 'Name: value', and there is no colon in it")
        }
        let value = header[header.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        return (HTTPHeaderName(String(header[..<colon])), String(value))
    }
}
