import ArgumentParser
import HTTPCore

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
            "How long the whole call may take, to the last octet of the body.",
            valueName: "seconds"))
    var timeout: Double?

    func makeRequest() throws(HTTPError) -> HTTPRequest {
        let method = self.method.map { HTTPMethod($0) } ?? (data == nil ? .get : .post)
        var request = try HTTPRequest(method, url)
        for header in headers {
            let (name, value) = try Self.parse(header: header)
            try request.headers.append(name, value)
        }
        if let data { request.body = try Self.body(data) }
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

    /// Cuts `Name: value` at the first colon. The value is not quoted in a refusal: it may be a secret.
    private static func parse(header: String) throws(HTTPError) -> (HTTPHeaderName, String) {
        guard let colon = header.firstIndex(of: ":") else {
            throw HTTPError(.invalidRequest, "-H takes 'Name: value', and there is no colon in it")
        }
        let value = header[header.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        return (HTTPHeaderName(String(header[..<colon])), String(value))
    }
}
