import HTTPClientKit
import TransportChoice

/// The output of `-v` and `--waterfall` on standard error: every exchange, also of retries and
/// redirects. Values of sensitive fields are redacted, since a log is often shared.
struct MessageLog: HTTPObserver {
    /// `true` for the messages, `false` for the waterfall only.
    let showsMessages: Bool
    let showsSecrets: Bool
    let transport: TransportName
    /// `true` if the transport asks for compressed responses.
    let decodesContent: Bool
    let palette: Palette

    /// Runs where the event happens: a program with a single call can wait for its terminal.
    func observe(_ event: HTTPEvent) {
        guard showsMessages else { return }
        switch event.kind {
        case .versionChosen(let choice): Terminal.say("* \(choice)")
        case .sending(let request): sending(request)
        case .informational(let head), .head(let head): received(head)
        case .layer(let decision as HTTPRetryEvent): Terminal.say("* \(decision)")
        case .layer(let status as HTTPCacheStatus): Terminal.say("* cache: \(status)")
        case .failed(let error as HTTPError): Terminal.say("* \(error.code)")
        case .layer(HTTPOriginGuardEvent.secretWithheld(let name, let origin)):
            Terminal.say("* \(name) is withheld from \(origin)")
        default: break
        }
    }

    private func sending(_ request: HTTPRequest) {
        let target = target(of: request)
        let lines =
            switch transport {
            case .curl:
                SentFields(request, decodesContent: decodesContent, showsSecrets: showsSecrets)
                    .lines
            // URLSession adds fields that it does not report.
            case .urlsession: request.headers.map { line($0) }
            }
        tell("> ", ["\(request.method) \(target)"] + lines)
    }

    /// Returns the target of a request, without its query unless secrets are shown.
    private func target(of request: HTTPRequest) -> String {
        let target = (try? request.checkedTarget())?.originForm ?? ""
        guard !showsSecrets, let mark = target.firstIndex(of: "?") else { return target }
        return "\(target[...mark])…"
    }

    private func received(_ head: HTTPResponse.Head) {
        tell("< ", [head.statusLine] + head.headers.map { line($0) })
    }

    private func line(_ field: HTTPHeaders.Field) -> String {
        showsSecrets ? "\(field.name): \(field.value)" : field.description
    }

    private func tell(_ prefix: String, _ lines: [String]) {
        for line in lines { Terminal.say(prefix + line) }
        Terminal.say(String(prefix.prefix(1)))
    }

    /// Shows where the time of a call went.
    func show(_ timeline: HTTPTimeline) {
        Terminal.write(palette.paint(waterfall: timeline.waterfall()) + "\n")
    }
}

/// Around the call, since only a middleware that sees the response can observe the end of its body.
extension MessageLog: HTTPClientMiddleware {
    func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        let response = try await next.response(for: request)
        // The timeline is final only then. The closure captures the call, because the response must
        // not retain itself.
        response.body.whenEnded { [call = request.call] end in
            guard case .complete(let trailers) = end else { return }
            if showsMessages, let trailers { tell("< ", trailers.map { line($0) }) }
            if let call { show(call.timeline) }
        }
        return response
    }
}

extension HTTPResponse.Head {
    /// `HTTP/1.1 200 OK`
    var statusLine: String { "\(version?.rawValue ?? "HTTP") \(status)" }

    /// The head as it is sent in HTTP/1.1, except for the line ends. It contains secrets and must
    /// not be logged.
    var text: String {
        statusLine + "\n" + headers.map { "\($0.name): \($0.value)\n" }.joined()
    }
}
