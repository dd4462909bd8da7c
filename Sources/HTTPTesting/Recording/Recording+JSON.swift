public import HTTPCore
import HTTPFormats
public import PortableFoundation

// The format on disk: readable in a review, and the same for equal recordings. Only this file knows
// it. Another format is an extension like this one, and `RecordingFile` would choose by the name.

extension Recording {
    /// The end of the name of a file in this format.
    static let fileExtension = "json"

    private static let version = 1
    private static let redacted = "<redacted>"

    /// Returns the recording as indented JSON with a line feed at the end.
    public func serialized() -> Data {
        let json: HTTPJSON = [
            "version": .number(HTTPJSON.Number(Self.version)),
            "exchanges": .array(exchanges.map(Self.json)),
        ]
        return Data((json.indented() + "\n").utf8)
    }

    /// - Throws: `decodingFailed`, which says what is wrong and where.
    public init(parsing bytes: Data) throws(HTTPError) {
        let json: HTTPJSON
        do {
            json = try HTTPJSON(parsing: bytes)
        } catch {
            throw HTTPError(
                .decodingFailed, "the recording is not JSON", underlyingError: error)
        }
        guard json["version"]?.int == Self.version else {
            throw HTTPError(
                .decodingFailed,
                "the recording does not have version \(Self.version): record it again")
        }
        for (index, exchange) in (json["exchanges"]?.array ?? []).enumerated() {
            guard let exchange = Self.exchange(exchange) else {
                throw HTTPError(
                    .decodingFailed,
                    "exchange \(index + 1) of the recording is incomplete: record it again")
            }
            append(exchange)
        }
    }

    // MARK: Writing

    private static func json(_ exchange: Exchange) -> HTTPJSON {
        let request = exchange.request
        var members: HTTPJSON.Object = [
            "method": .string(request.method), "url": .string(request.url),
        ]
        members["headers"] = json(request.fields)
        members["body"] = json(request.body)
        var json: HTTPJSON.Object = ["request": .object(members)]
        switch exchange.outcome {
        case .failure(let failure): json["failure"] = Self.json(failure)
        case .response(let response):
            var members: HTTPJSON.Object = ["status": .number(HTTPJSON.Number(response.status))]
            members["headers"] = Self.json(response.fields)
            members["body"] = Self.json(response.body)
            members["trailers"] = Self.json(response.trailers)
            members["failure"] = response.failure.map(Self.json)
            json["response"] = .object(members)
        }
        return .object(json)
    }

    private static func json(_ fields: [Field]) -> HTTPJSON? {
        fields.isEmpty
            ? nil : .array(fields.map { .string("\($0.name): \($0.value ?? redacted)") })
    }

    /// Returns the body as JSON if that restores the same bytes, else as text, else in base64.
    private static func json(_ body: Data) -> HTTPJSON? {
        if body.isEmpty { return nil }
        if let json = try? HTTPJSON(parsing: body), (try? json.serialized()) == body {
            return ["json": json]
        }
        if let text = String(validating: body, as: UTF8.self) { return ["text": .string(text)] }
        return ["base64": .string(body.base64EncodedString())]
    }

    private static func json(_ failure: Failure) -> HTTPJSON {
        var members: HTTPJSON.Object = [
            "code": .string(failure.code), "message": .string(failure.message),
        ]
        members["phase"] = (failure.phase?.rawValue).map(HTTPJSON.string)
        members["timer"] = failure.timer.map { timer in
            [
                "name": .string(timer.name.rawValue),
                "nanoseconds": .number(HTTPJSON.Number(timer.limit.nanoseconds)),
            ]
        }
        if failure.isRetryable { members["isRetryable"] = true }
        if !failure.mayHaveReachedServer { members["mayHaveReachedServer"] = false }
        return .object(members)
    }

    // MARK: Reading

    private static func exchange(_ json: HTTPJSON) -> Exchange? {
        guard let request = json["request"], let method = request["method"]?.string,
            let url = request["url"]?.string, let body = body(request["body"])
        else { return nil }
        var recorded = Request(method, url)
        recorded.fields = fields(request["headers"])
        recorded.body = body
        if let failure = failure(json["failure"]) { return Exchange(recorded, .failure(failure)) }
        guard let answer = json["response"], let status = answer["status"]?.int,
            let content = Self.body(answer["body"])
        else { return nil }
        var response = Response(status: status)
        response.fields = fields(answer["headers"])
        response.body = content
        response.trailers = fields(answer["trailers"])
        response.failure = failure(answer["failure"])
        return Exchange(recorded, .response(response))
    }

    private static func fields(_ json: HTTPJSON?) -> [Field] {
        (json?.array ?? []).compactMap { element in
            // By scalars: a space followed by a combining mark is a different `Character`.
            guard let line = element.string?.unicodeScalars, let colon = line.firstIndex(of: ":")
            else { return nil }
            let value = String(line[colon...].dropFirst().drop { $0 == " " })
            return Field(String(line[..<colon]), value == redacted ? nil : value)
        }
    }

    private static func body(_ json: HTTPJSON?) -> Data? {
        guard let json else { return Data() }
        if let value = json["json"] { return try? value.serialized() }
        if let text = json["text"]?.string { return Data(text.utf8) }
        return json["base64"]?.string.flatMap { Data(base64Encoded: $0) }
    }

    private static func failure(_ json: HTTPJSON?) -> Failure? {
        guard let code = json?["code"]?.string else { return nil }
        var failure = Failure(code: code, message: json?["message"]?.string ?? "")
        failure.phase = (json?["phase"]?.string).flatMap(HTTPError.Phase.init)
        if let timer = json?["timer"], let limit = timer["nanoseconds"]?.int,
            let name = (timer["name"]?.string).flatMap(HTTPError.Timer.Name.init)
        {
            failure.timer = HTTPError.Timer(name, .nanoseconds(limit))
        }
        failure.isRetryable = json?["isRetryable"]?.bool ?? failure.isRetryable
        failure.mayHaveReachedServer =
            json?["mayHaveReachedServer"]?.bool ?? failure.mayHaveReachedServer
        return failure
    }
}

extension HTTPJSON {
    /// Returns the JSON text with one line per member and element, indented by two spaces per
    /// level.
    fileprivate func indented(_ margin: String = "") -> String {
        let deeper = margin + "  "
        switch self {
        case .array(let elements) where !elements.isEmpty:
            let lines = elements.map { deeper + $0.indented(deeper) }
            return "[\n\(lines.joined(separator: ",\n"))\n\(margin)]"
        case .object(let members) where !members.isEmpty:
            let lines = members.map {
                "\(deeper)\(HTTPJSON.string($0.name)): \($0.value.indented(deeper))"
            }
            return "{\n\(lines.joined(separator: ",\n"))\n\(margin)}"
        default: return description
        }
    }
}
