import HTTPCore

/// Handlers for demonstrations, stress tests and servers in a process of their own.
public enum LoopbackRoutes {
    /// Answers the following targets, and 404 to any other; 400 if a number is none.
    ///
    /// Generated octets are those of the ``LoopbackPattern``.
    ///
    /// | target | answer |
    /// |---|---|
    /// | `/`, `/get` | JSON with the method, target and fields of the request |
    /// | `/echo` | the content of the request, with its type; 413 beyond the content limit |
    /// | `/count` | the number of octets of content, of any length: they are counted and dropped |
    /// | `/bytes/N` | *N* octets of the pattern; `?chunked=1`: in chunks; `?rate=N`: per second |
    /// | `/file/N` | the same as `/bytes/N`, with an entity tag, and in ranges; `?rate=N` |
    /// | `/drip?pieces=10&every=1000&size=1` | chunks of *size* octets, one every *every* ms |
    /// | `/status/N` | the status *N*, without content |
    /// | `/headers?size=N` | fields `X-Filler` of *N* octets in all, names and line ends included |
    /// | `/redirect/N` | 302, *N* times, then `/get` |
    /// | `/delay/MS` | 200 after *MS* milliseconds |
    /// | `/stall` | nothing, until the client leaves |
    /// | `/cut?length=1000&sent=500` | announces 1,000 octets, sends 500 and closes |
    public static let standard: @Sendable (LoopbackRequest) -> LoopbackScript = { request in
        script(for: request) ?? LoopbackResponse.status(400).script(answering: request)
    }

    /// `nil` if a number in the target cannot be used.
    private static func script(for request: LoopbackRequest) -> LoopbackScript? {
        let path = request.path.split(separator: "/")
        let argument = path.count == 2 ? number(path[1]) : nil
        var response: LoopbackResponse
        switch (path.first, path.count) {
        case (nil, 0), ("get", 1):
            response = .json(json(describing: request))
        case ("echo", 1):
            response = .echo(request)
        case ("count", 1):
            return [
                .awaitContentEnd,
                .choose { LoopbackResponse.ok("\($0.contentCount)").script(answering: $0) },
            ]
        case ("bytes", 2):
            guard let argument, let rate = number(request, "rate", or: 0) else { return nil }
            response = .bytes(count: argument, rate: rate > 0 ? rate : nil)
            if request.query("chunked") == "1" { response.framing = .chunked }
        case ("file", 2):
            guard let argument, let rate = number(request, "rate", or: 0) else { return nil }
            return file(argument, rate: rate > 0 ? rate : nil, for: request)
        case ("drip", 1):
            guard let pieces = number(request, "pieces", or: 10), pieces <= 100_000,
                let size = number(request, "size", or: 1), size <= 1 << 20,
                let every = number(request, "every", or: 1000)
            else { return nil }
            let content = (0..<pieces).map { LoopbackPattern.bytes($0 * size..<($0 + 1) * size) }
            response = LoopbackResponse(
                content: .pieces(content, every: .milliseconds(every)), framing: .chunked)
        case ("status", 2):
            guard let argument, (200...999).contains(argument) else { return nil }
            response = .status(argument)
        case ("headers", 1):
            guard let size = number(request, "size", or: 1000), size <= 16 << 20 else { return nil }
            response = .ok()
            response.fields = filler(size)
        case ("redirect", 2):
            guard let argument else { return nil }
            response = .redirect(to: argument > 1 ? "/redirect/\(argument - 1)" : "/get")
        case ("delay", 2):
            guard let argument else { return nil }
            return [.pause(.milliseconds(argument)), .respond(.ok())]
        case ("stall", 1):
            return [.stall]
        case ("cut", 1):
            guard let length = number(request, "length", or: 1000),
                let sent = number(request, "sent", or: 500)
            else { return nil }
            return [
                .send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n"), .generate(sent),
                .close,
            ]
        default:
            response = .status(404)
        }
        return response.script(answering: request)
    }

    /// One range at a time, and only of the version that the client has (RFC 9110 §14.2).
    private static func file(
        _ length: Int, rate: Int?, for request: LoopbackRequest
    ) -> LoopbackScript {
        let tag = "\"\(length)\""
        let parts = request["Range"].flatMap { HTTPRange($0) }?.parts ?? []
        var head = "HTTP/1.1 200 OK\r\nAccept-Ranges: bytes\r\nETag: \(tag)\r\n"
        var range = 0..<length
        if parts.count == 1, request["If-Range"] ?? tag == tag {
            guard let part = parts[0].resolved(inLength: length) else {
                var response = LoopbackResponse.status(416)
                response.fields = [("Content-Range", "bytes */\(length)"), ("ETag", tag)]
                return response.script(answering: request)
            }
            range = part
            head = "HTTP/1.1 206 Partial Content\r\nETag: \(tag)\r\n"
            head += "Content-Range: bytes \(part.lowerBound)-\(part.upperBound - 1)/\(length)\r\n"
        }
        head += "Content-Length: \(range.count)\r\n\r\n"
        var script: LoopbackScript = [.send(head)]
        if request.method != "HEAD" {
            script.steps.append(.generate(range.count, from: range.lowerBound, rate: rate))
        }
        if !request.keepsConnection { script.steps.append(.close) }
        return script
    }

    /// A number that fits arithmetic with milliseconds and nanoseconds.
    private static func number(_ text: some StringProtocol) -> Int? {
        guard let number = Int(text), (0...1 << 50).contains(number) else { return nil }
        return number
    }

    private static func number(_ request: LoopbackRequest, _ name: String, or standard: Int) -> Int?
    {
        request.query(name).map { number($0) } ?? standard
    }

    /// Fields of 1,000 octets, the last one longer, so that there are `size` in all; none if that
    /// is too little.
    private static func filler(_ size: Int) -> [(name: String, value: String)] {
        let overhead = "X-Filler: \r\n".utf8.count
        var fields: [(name: String, value: String)] = []
        var left = size
        while left >= overhead {
            let count = left >= 2000 ? 1000 : left
            fields.append(("X-Filler", String(repeating: "x", count: count - overhead)))
            left -= count
        }
        return fields
    }

    private static func json(describing request: LoopbackRequest) -> String {
        let fields = request.fields.map { "[\(quoted($0.name)), \(quoted($0.value))]" }
        return """
            {"method": \(quoted(request.method)), "target": \(quoted(request.target)), \
            "fields": [\(fields.joined(separator: ", "))], "contentCount": \(request.contentCount)}
            """
    }

    /// A JSON string (RFC 8259 §7).
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\u{0}"..."\u{1F}":
                let hex = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
