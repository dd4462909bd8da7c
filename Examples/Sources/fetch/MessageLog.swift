import HTTPClientKit

/// What `-v` tells on standard error: every exchange, of retries and redirects, too. Values of
/// sensitive fields are redacted: a log is often shared.
struct MessageLog: HTTPObserver {
    /// Where the event happens: a program with a single call can wait for its terminal.
    func observe(_ event: HTTPEvent) {
        switch event.kind {
        case .sending(let request): sending(request)
        case .informational(let head), .head(let head): received(head)
        case .retry(let ruling): Terminal.say("* \(ruling)")
        case .failed(let error as HTTPError): Terminal.say("* \(error.code)")
        case .secretWithheld(let name, let origin):
            Terminal.say("* \(name) is withheld from \(origin)")
        default: break
        }
    }

    private func sending(_ request: HTTPRequest) {
        let url = (try? HTTPTarget(request.url).url) ?? "\(request.url)"
        tell("> ", ["\(request.method) \(url)"] + request.headers.map(\.description))
        if let length = request.body.length, length > 0 {
            Terminal.say("> (\(length) bytes of body)")
        }
    }

    private func received(_ head: HTTPResponse.Head) {
        tell("< ", [head.statusLine] + head.headers.map(\.description))
    }

    private func tell(_ prefix: String, _ lines: [String]) {
        for line in lines { Terminal.say(prefix + line) }
        Terminal.say(String(prefix.prefix(1)))
    }
}

/// Around the call, since only who sees the response hears of its body's end.
extension MessageLog: HTTPClientMiddleware {
    func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        let response = try await next.response(for: request)
        // The timeline is final then, and not before. Of the call, since the response is not to hold
        // itself.
        response.body.whenEnded { [call = request.call] end in
            guard case .complete(let trailers) = end else { return }
            if let trailers { tell("< ", trailers.map(\.description)) }
            if let call { Terminal.say(call.timeline.waterfall()) }
        }
        return response
    }
}

extension HTTPResponse.Head {
    /// `HTTP/1.1 200 OK`
    var statusLine: String { "\(version?.rawValue ?? "HTTP") \(status)" }

    /// As on the wire of HTTP/1.1, but for the line ends. Secrets are in it: not for a log.
    var text: String {
        statusLine + "\n" + headers.map { "\($0.name): \($0.value)\n" }.joined()
    }
}
