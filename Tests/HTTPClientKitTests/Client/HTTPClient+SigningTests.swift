import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// Signatures, digests and tokens in a client with all its layers.
@Suite(.timeLimit(.minutes(5))) struct HTTPClientSigningTests {
    private let clock = HTTPTestClock()

    private func client(
        _ transport: any HTTPSession,
        _ configure: (inout HTTPClient.Configuration) throws -> Void
    ) throws -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.clock = clock
        configuration.retry = .standard
        configuration.retry.backoff = .constant(.seconds(1))
        try configure(&configuration)
        return HTTPClient(configuration, transport: transport)
    }

    /// Returns the value of `work`, while each wait on the test clock ends at once.
    private func passingTime<Value: Sendable>(
        waits: Int, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await work() }
        for _ in 0..<waits {
            try await clock.waitForSleepers(1)
            clock.advance(by: .seconds(1))
        }
        return try await task.value
    }

    @Test func `every attempt has a signature of its own, over what is sent`() async throws {
        let key = try HMACSHA256(key: "secret")
        let count = Locked(0)
        let mock = MockSession { request in
            let number = count.withLock {
                $0 += 1
                return $0
            }
            return HTTPResponse(number < 3 ? .serviceUnavailable : .ok, to: request)
        }
        let jar = HTTPCookieJar()
        let client = try client(mock) {
            $0.cookies = jar
            $0.authentication = [
                BearerAuthentication(for: try HTTPOrigin("https://hooks")) { "t" }
            ]
            $0.attemptMiddleware = [
                DigestFields(),
                RequestSigning { request, date in
                    let message = [
                        "\(Int(date.timeIntervalSince1970))", request.headers[.authorization],
                        request.headers["Content-Digest"],
                    ].compactMap(\.self).joined(separator: "\n")
                    return ["X-Proof": key.hexadecimalCode(for: Data(message.utf8))]
                },
            ]
        }
        let request = try HTTPRequest(.post, "https://hooks/", body: HTTPBody("1"))
            .idempotencyKey()
        let response = try await passingTime(waits: 2) {
            try await client.response(for: request)
        }
        #expect(response.status == .ok && mock.requests.count == 3)
        let digest = "sha-256=:a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s=:"
        #expect(
            mock.requests.map { $0.headers["X-Proof"] }
                == (784_111_777...784_111_779).map {
                    key.hexadecimalCode(for: Data("\($0)\nBearer t\n\(digest)".utf8))
                })
        #expect(Set(mock.requests.map { $0.headers[.idempotencyKey] }).count == 1)
    }

    @Test func `a wrong digest is a failed attempt, and is retried`() async throws {
        let count = Locked(0)
        let mock = MockSession { request in
            let number = count.withLock {
                $0 += 1
                return $0
            }
            var headers = HTTPHeaders()
            headers.contentDigest = [HTTPDigest(.sha256, of: Data("good".utf8))]
            let source = ScriptedBodySource([number == 1 ? "bad" : "good"])
            return HTTPResponse(.ok, headers: headers, body: HTTPBody(source: source), to: request)
        }
        let client = try client(mock) { $0.attemptMiddleware = [DigestFields()] }
        let text = try await passingTime(waits: 1) {
            try await client.get("https://api/").text()
        }
        #expect(text == "good" && mock.requests.count == 2)

        // As a stream, the caller gets the error where the body ends.
        count.withLock { $0 = 0 }
        let response = try await client.response(for: HTTPRequest("https://api/"))
        let error = await #expect(throws: HTTPError.self) { try await response.data() }
        #expect(error?.code == .digestMismatch && mock.requests.count == 3)
    }

    @Test func `a cache stores nothing whose digest is wrong`() async throws {
        let count = Locked(0)
        let mock = MockSession { request in
            let number = count.withLock {
                $0 += 1
                return $0
            }
            var headers: HTTPHeaders = [.cacheControl: "max-age=100"]
            headers.reprDigest = [HTTPDigest(.sha256, of: Data("good".utf8))]
            let source = ScriptedBodySource([number == 1 ? "bad" : "good"])
            return HTTPResponse(.ok, headers: headers, body: HTTPBody(source: source), to: request)
        }
        let client = try client(mock) {
            $0.cache = HTTPCache(store: HTTPMemoryCacheStore())
            $0.attemptMiddleware = [DigestFields()]
        }
        let bad = try await client.response(for: HTTPRequest("https://api/"))
        await #expect(throws: HTTPError.self) { try await bad.data() }
        for _ in 0..<2 {
            #expect(try await client.response(for: HTTPRequest("https://api/")).text() == "good")
        }
        #expect(mock.requests.count == 2)
    }

    /// Its bytes are on the disk when the mismatch is found, and a later call must not continue
    /// with them.
    @Test func `a download whose digest is wrong leaves no part`() async throws {
        let folder = try DownloadFolder()
        let isBad = Locked(true)
        let mock = MockSession { request in
            guard request.headers[.range] == nil else {
                return HTTPResponse(
                    .rangeNotSatisfiable, headers: [.contentRange: "bytes */4"], to: request)
            }
            var headers: HTTPHeaders = [.eTag: "\"v1\"", .contentLength: "4"]
            headers.contentDigest = [HTTPDigest(.sha256, of: Data("good".utf8))]
            let text = isBad.withLock { $0 } ? "evil" : "good"
            let source = ScriptedBodySource([.piece(Data(text.utf8))])
            return HTTPResponse(
                .ok, headers: headers, body: HTTPBody(source: source, length: 4), to: request)
        }
        let client = try client(mock) {
            $0.retry = .none
            $0.attemptMiddleware = [DigestFields()]
        }
        let path = folder.file()
        let error = await #expect(throws: HTTPError.self) {
            try await client.download("https://h/file", to: path)
        }
        #expect(error?.code == .digestMismatch && mock.requests.count == 1)
        isBad.withLock { $0 = false }
        _ = try await client.download("https://h/file", to: path)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "good")
        #expect(mock.requests.count == 2 && mock.requests[1].headers[.range] == nil)
    }

    @Test func `a token of the client credentials grant goes through all layers`() async throws {
        let tokens = Locked(0)
        let mock = MockSession { request in
            guard request.url.host() == "login" else {
                let isGood = request.headers[.authorization] == "Bearer t2"
                return HTTPResponse(isGood ? .ok : .unauthorized, to: request)
            }
            let number = tokens.withLock {
                $0 += 1
                return $0
            }
            return HTTPResponse(
                .ok,
                body: HTTPBody("{\"access_token\":\"t\(number)\",\"token_type\":\"Bearer\"}"),
                to: request)
        }
        let credentials = try OAuthClientCredentials(
            tokenEndpoint: "https://login/token", clientID: "me", clientSecret: "hunter2")
        let client = try client(mock) {
            $0.baseURL = URL(string: "https://api/v1/")
            $0.query = [URLQueryItem(name: "key", value: "k")]
            $0.headers = ["X-API-Key": "k", "X-Plain": "p"]
            $0.authentication = [
                try RefreshingAuthentication(
                    for: try HTTPOrigin("https://api"), clientCredentials: credentials)
            ]
            $0.attemptMiddleware = [
                DigestFields(), RequestSigning { _, _ in ["X-Proof": "1"] },
            ]
        }
        #expect(try await client.get("users").response().status == .ok)
        #expect(
            mock.requests.map(\.description) == [
                "POST https://login/token", "GET https://api/v1/users?…",
                "POST https://login/token", "GET https://api/v1/users?…",
            ])
        for token in [mock.requests[0], mock.requests[2]] {
            #expect(token.url.query() == nil)
            #expect(Set(token.headers.map(\.name)) == [.authorization, .contentType, .accept])
            #expect(token.headers[.authorization]?.hasPrefix("Basic ") == true)
        }
        #expect(mock.requests[3].headers["X-Proof"] == "1")
    }
}
