import HTTPClientKit
import Testing

@Suite struct ExportsTests {
    @Test func `one import brings the layers`() throws {
        let request = try HTTPRequest(.get, "https://h/")
        #if os(Linux)
            let transport: any HTTPSession = CurlTransport()
        #else
            let transport: any HTTPSession = URLSessionTransport()
        #endif
        _ = HTTPClient(transport: transport, cookies: HTTPCookieJar(), cache: .inMemory(limit: 1))
        let json: HTTPJSON = .bool(true)
        #expect(json != .null)
        let policy: RetryPolicy = .standard
        let validators: [any HTTPValidator] = [HTTPDefaultValidator()]
        let layers: [any HTTPClientMiddleware] = [
            Redirects(), Validation(validators), Retry(policy),
        ]
        #expect(layers.count == 3)
        let coders: (JSONDecoder, JSONEncoder) = (JSONDecoder(), JSONEncoder())
        coders.0.keyDecodingStrategy = .convertFromSnakeCase
        #expect(Data([1]).base64EncodedString() == "AQ==" && Date.distantPast < Date())
        #expect(URL(string: "https://h/")?.host() == "h")
        #expect(request.method == .get)
    }
}
