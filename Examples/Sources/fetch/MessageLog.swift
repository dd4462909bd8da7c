import HTTPCore

/// What `-v` tells on standard error. Values of sensitive fields are redacted: a log is often shared.
struct MessageLog {
    let isOn: Bool

    func sending(_ request: HTTPRequest, to target: HTTPTarget) {
        guard isOn else { return }
        tell("> ", ["\(request.method) \(target.url)"] + request.headers.map(\.description))
        if let length = request.body.length, length > 0 {
            Terminal.say("> (\(length) octets of body)")
        }
    }

    func received(_ response: HTTPResponse) {
        guard isOn else { return }
        tell("< ", [response.head.statusLine] + response.headers.map(\.description))
    }

    /// The timeline is final once the body has ended, and not before.
    func ended(_ response: HTTPResponse) {
        guard isOn else { return }
        if let trailers = response.trailers { tell("< ", trailers.map(\.description)) }
        Terminal.say(response.timeline.waterfall())
    }

    private func tell(_ prefix: String, _ lines: [String]) {
        for line in lines { Terminal.say(prefix + line) }
        Terminal.say(String(prefix.prefix(1)))
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
