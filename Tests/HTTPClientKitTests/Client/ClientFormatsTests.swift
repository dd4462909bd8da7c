import HTTPClientKit
import HTTPTesting
import Synchronization
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct ClientFormatsTests {
    private struct Repository: Codable, Sendable, Equatable {
        var stargazersCount: Int
    }

    private struct ServiceError: Codable, Sendable, Equatable {
        var errorCode: Int
    }

    private static let json = "{\"stargazers_count\":3}"
    private let star = Repository(stargazersCount: 3)

    private let mock = MockSession { request in
        switch request.url.path {
        case "/missing":
            HTTPResponse(.notFound, body: HTTPBody("{\"error_code\":7}"), to: request)
        case "/lines":
            HTTPResponse(.ok, body: HTTPBody("\(json)\n\(json)\n"), to: request)
        case "/events":
            HTTPResponse(
                .ok, headers: [.contentType: "text/event-stream"],
                body: HTTPBody("data: \(json)\n\n"), to: request)
        default:
            HTTPResponse(
                .ok, headers: [.contentType: "application/json"], body: HTTPBody(json),
                to: request)
        }
    }

    private var client: HTTPClient {
        get throws {
            try HTTPClient(baseURL: "https://h/", transport: mock) {
                $0.decoder.keyDecodingStrategy = .convertFromSnakeCase
                $0.encoder.keyEncodingStrategy = .convertToSnakeCase
                $0.queryEncoding = QueryEncoding(array: .noBrackets, bool: .asLiterals)
            }
        }
    }

    private var lastBody: String {
        get throws {
            String(decoding: try #require(mock.requests.last?.body.bytes), as: UTF8.self)
        }
    }

    private struct Star: HTTPGetEndpoint {
        typealias Success = Repository
        var route: String { "r" }
    }

    private struct Missing: HTTPPostEndpoint {
        typealias Success = Repository
        typealias ErrorResponse = ServiceError
        var body: Repository
        var route: String { "missing" }
        var query: [String: Any?] { ["a": [true, false]] }
    }

    // MARK: Decoding

    @Test func `every convenience decodes with the client's decoder`() async throws {
        let client = try client
        let request = try HTTPRequest("r")
        let values: [() async throws -> Repository] = [
            { try await client.get("r").json() },
            { try await client.get("r").response().json() },
            { try await client.get("r").withResponse { try await $0.json() } },
            { try await client.get("r").answer(Repository.self, orError: HTTPJSON.self).get() },
            { try await client.response(Repository.self, for: request) },
            { try await client.response(Repository.self, orError: HTTPJSON.self, for: request) },
            { try await request.fetch(client, Repository.self) },
            { try await request.run(Repository.self, in: client).value },
            {
                try await client.pipeline(for: request).decode(type: Repository.self).value()
                    .decoded
            },
            { try await Star().fetch(client) },
            {
                try await client.pages(Repository.self, of: request).reduce(nil) { $1 }
                    ?? Repository(stargazersCount: -1)
            },
            {
                try await client.get("lines").jsonLines(of: Repository.self).reduce(nil) { $1 }
                    ?? Repository(stargazersCount: -1)
            },
            {
                try await client.get("lines").withResponse { response in
                    try await response.jsonLines(of: Repository.self).reduce(nil) { $1 }
                } ?? Repository(stargazersCount: -1)
            },
            {
                try await client.post("events").events(of: Repository.self).reduce(nil) { $1 }
                    ?? Repository(stargazersCount: -1)
            },
            {
                try await client.post("events").events().reduce(nil) { try $1.json() }
                    ?? Repository(stargazersCount: -1)
            },
            { try await client.with(UserAgent("a/1")).get("r").json() },
            { try await MiddlewareSession(client).get("r").json() },
        ]
        for (index, value) in values.enumerated() {
            #expect(try await value() == star, "\(index)")
        }
    }

    @Test func `a call's own decoder takes precedence`() async throws {
        let client = try client
        let error = await #expect(throws: HTTPError.self) {
            try await client.get("r").json(Repository.self, decoder: JSONDecoder())
        }
        #expect(error?.code == .decodingFailed)
        #expect(error?.message.contains("\"stargazersCount\" is missing") == true)
    }

    @Test func `an error's body is decoded with the client's decoder`() async throws {
        let expected = ServiceError(errorCode: 7)
        var client = try client
        for retry in [RetryPolicy.none, .standard] {
            client = client.deriving { $0.retry = retry }
            let agent = try UserAgent("a/1")
            for session in [client, client.with(agent), MiddlewareSession(client)]
                as [any HTTPSession]
            {
                let answers = [
                    await session.get("missing")
                        .answer(Repository.self, orError: ServiceError.self),
                    await session.answer(
                        Repository.self, orError: ServiceError.self, for: "missing"),
                    await Missing(body: star).answer(session),
                ]
                for (index, answer) in answers.enumerated() {
                    guard case .errorResponse(expected, _) = answer else {
                        Issue.record("\(index) over \(type(of: session)): \(answer)")
                        continue
                    }
                }
            }
        }
    }

    @Test func `JSON of any shape keeps the names of its members`() async throws {
        let client = try client
        #expect(try await client.get("r").json(HTTPJSON.self)["stargazers_count"]?.int == 3)
        let answer = await client.get("missing").answer(HTTPJSON.self, orError: HTTPJSON.self)
        guard case .errorResponse(let json, _) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(json["error_code"]?.int == 7)
    }

    // MARK: Encoding

    @Test func `every content of a client is encoded with the client's encoder`() async throws {
        let client = try client
        try await client.post("r", json: star).response()
        #expect(try lastBody == Self.json)
        try await client.put("r", .json(star)).response()
        #expect(try lastBody == Self.json)
        try await client.with(UserAgent("a/1")).patch("r", json: star).response()
        #expect(try lastBody == Self.json)
        _ = await Missing(body: star).answer(client)
        #expect(try lastBody == Self.json)
        try await client.post("r", .json(star, encoder: .sortedJSON)).response()
        #expect(try lastBody == "{\"stargazersCount\":3}")
        try await mock.post("https://h/r", json: star).response()
        #expect(try lastBody == "{\"stargazersCount\":3}")
    }

    @Test func `a form of a client is written in its query encoding`() async throws {
        let client = try client
        try await client.post("r", .form(["a": [true, false]])).response()
        #expect(try lastBody == "a=true&a=false")
        try await client.post("r", .form(["a": [true]], encoding: QueryEncoding())).response()
        #expect(try lastBody == "a%5B%5D=1")
        try await client.post("r", .form(propertiesOf: ["a": true], encoding: QueryEncoding()))
            .response()
        #expect(try lastBody == "a=1")
    }

    // MARK: Queries

    @Test func `parameters are written in the client's query encoding`() async throws {
        let client = try client
        let parameters: [String: Any?] = ["a": [1, 2], "b": true, "c": nil]
        try await client.get("r", query: parameters).response()
        try await client.get("r").query(parameters).response()
        _ = try await client.response(for: HTTPRequest("https://h/r").query(parameters))
        _ = await Missing(body: star).answer(client)
        try await client.get("r?x=1").addingQuery("b", true).query("a", [1, 2]).response()
        try await client.get("r").query(parameters).queryEncoding(QueryEncoding()).response()
        try await client.get("r?x=1").response()
        #expect(
            mock.requests.map { $0.url.absoluteString } == [
                "https://h/r?a=1&a=2&b=true", "https://h/r?a=1&a=2&b=true",
                "https://h/r?a=1&a=2&b=true", "https://h/missing?a=true&a=false",
                "https://h/r?x=1&a=1&a=2&b=true", "https://h/r?a[]=1&a[]=2&b=1".escaped,
                "https://h/r?x=1",
            ])
    }

    // MARK: Coders are copied

    @Test func `a client keeps its coders, whatever happens to those it was given`() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.baseURL = try HTTPRequest("https://h/").url
        configuration.decoder.keyDecodingStrategy = .convertFromSnakeCase
        configuration.decoder.dateDecodingStrategy = .secondsSince1970
        let client = HTTPClient(configuration, transport: mock)
        configuration.decoder.keyDecodingStrategy = .useDefaultKeys
        client.configuration.decoder.keyDecodingStrategy = .useDefaultKeys
        let other = client.deriving { $0.decoder.keyDecodingStrategy = .useDefaultKeys }
        #expect(try await client.get("r").json(Repository.self) == star)
        await #expect(throws: HTTPError.self) { try await other.get("r").json(Repository.self) }

        let escaped = client.update { configuration in
            configuration.decoder.keyDecodingStrategy = .useDefaultKeys
            return configuration.decoder
        }
        escaped.keyDecodingStrategy = .convertFromSnakeCase
        await #expect(throws: HTTPError.self) { try await client.get("r").json(Repository.self) }
        guard case .secondsSince1970 = client.configuration.decoder.dateDecodingStrategy else {
            Issue.record("another setting was lost")
            return
        }
    }

    @Test func `a subclass of a coder is used as it is`() async throws {
        final class Counting: JSONDecoder, @unchecked Sendable {
            // Proven by the type: an atomic number is the only state.
            let count = Atomic(0)
            override func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
                count.add(1, ordering: .relaxed)
                return try super.decode(type, from: data)
            }
        }
        let decoder = Counting()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let client = try HTTPClient(baseURL: "https://h/", transport: mock) {
            $0.decoder = decoder
        }
        #expect(try await client.get("r").json(Repository.self) == star)
        #expect(decoder.count.load(ordering: .relaxed) == 1)
    }

    @Test func `every setting of a coder is copied`() throws {
        let key = try #require(CodingUserInfoKey(rawValue: "k"))
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        decoder.assumesTopLevelDictionary = true
        decoder.dataDecodingStrategy = .deferredToData
        decoder.dateDecodingStrategy = .iso8601
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "+", negativeInfinity: "-", nan: "?")
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.userInfo[key] = 1
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted]
        encoder.dataEncodingStrategy = .deferredToData
        encoder.dateEncodingStrategy = .iso8601
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "+", negativeInfinity: "-", nan: "?")
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.userInfo = [key: 1]
        #expect(described(decoder.copy) == described(decoder))
        #expect(described(decoder) != described(JSONDecoder()))
        #expect(described(encoder.copy) == described(encoder))
        #expect(described(encoder) != described(JSONEncoder()))
    }

    /// Each setting as text; none of them can be compared otherwise.
    private func described(_ decoder: JSONDecoder) -> [String] {
        [
            "\(decoder.allowsJSON5)", "\(decoder.assumesTopLevelDictionary)",
            "\(decoder.dataDecodingStrategy)", "\(decoder.dateDecodingStrategy)",
            "\(decoder.nonConformingFloatDecodingStrategy)", "\(decoder.keyDecodingStrategy)",
            "\(decoder.userInfo)",
        ]
    }

    private func described(_ encoder: JSONEncoder) -> [String] {
        [
            "\(encoder.outputFormatting)", "\(encoder.dataEncodingStrategy)",
            "\(encoder.dateEncodingStrategy)", "\(encoder.nonConformingFloatEncodingStrategy)",
            "\(encoder.keyEncodingStrategy)", "\(encoder.userInfo)",
        ]
    }
}

extension String {
    fileprivate var escaped: String { replacing("[]", with: "%5B%5D") }
}
