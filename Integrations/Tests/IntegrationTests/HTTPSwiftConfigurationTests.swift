import Configuration
import HTTPClientKit
import HTTPSwiftConfiguration
import HTTPTesting
import Testing

@Suite struct HTTPSwiftConfigurationTests {
    private func config(_ values: [AbsoluteConfigKey: ConfigValue]) -> ConfigReader {
        ConfigReader(provider: InMemoryProvider(values: values)).scoped(to: "http")
    }

    @Test func `each key sets what it names`() async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        let client = try HTTPClient(
            config: config([
                "http.baseURL": ConfigValue(.string(server.url("/v2")), isSecret: false),
                "http.userAgent": "tests/1",
                "http.bearerToken": ConfigValue(.string("Hidden"), isSecret: true),
                "http.deadlineSeconds": 12.5, "http.connectTimeoutSeconds": "3",
                "http.idleTimeoutSeconds": 4, "http.maxRetries": 2,
                "http.maxConcurrentRequests": 7,
            ]))
        let configuration = client.configuration
        #expect(configuration.deadline == .seconds(12.5))
        #expect(configuration.timeouts.connect == .seconds(3))
        #expect(configuration.timeouts.idle == .seconds(4))
        #expect(configuration.timeouts.total == HTTPTimeouts.Limit.standard)
        #expect(configuration.retry.maxRetries == 2)
        #expect(configuration.concurrencyLimit != nil)
        #expect(try await client.get("a").text() == "fine")
        let request = try await server.nextRequest()
        #expect(request.target == "/v2/a")
        #expect(request["User-Agent"] == "tests/1")
        #expect(request["Authorization"] == "Bearer Hidden")
        #expect(!"\(client) \(configuration)".contains("Hidden"))
    }

    @Test func `absent keys leave the defaults`() throws {
        let configuration = try HTTPClient(config: config([:])).configuration
        #expect(configuration.baseURL == nil && configuration.deadline == nil)
        #expect(configuration.timeouts == HTTPTimeouts())
        #expect(configuration.retry.maxRetries == 0 && configuration.concurrencyLimit == nil)
    }

    @Test(
        arguments: [
            ("deadlineSeconds", "Hidden"), ("deadlineSeconds", "0"), ("deadlineSeconds", "-1"),
            ("connectTimeoutSeconds", "nan"), ("idleTimeoutSeconds", "inf"),
            ("maxRetries", "-1"), ("maxRetries", "1.5"), ("maxConcurrentRequests", "0"),
            ("maxRetries", "1e300"), ("baseURL", "no url"), ("baseURL", "/relative"),
            ("userAgent", "a\nb"),
        ])
    func `a value that is not of its kind throws, before anything is sent`(
        key: String, value: String
    ) throws {
        let error = try #require(
            #expect(throws: HTTPError.self) {
                try HTTPClient(
                    config: config([
                        AbsoluteConfigKey(["http", key]): ConfigValue(
                            .string(value), isSecret: false)
                    ]))
            })
        #expect(error.code == .invalidRequest)
        #expect(!error.description.contains("Hidden"))
        if key.hasSuffix("Seconds") || key.hasPrefix("max") {
            #expect(error.message.contains(key))
        }
    }

    @Test func `a token without an origin, and a value of another type, throw`() {
        #expect(throws: HTTPError.self) {
            try HTTPClient(config: config(["http.bearerToken": "Hidden"]))
        }
        #expect(throws: HTTPError.self) {
            try HTTPClient(config: config(["http.maxRetries": true]))
        }
    }
}
