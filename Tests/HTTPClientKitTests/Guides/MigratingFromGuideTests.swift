import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

private struct User: Codable {
    var id: Int
    var name: String
}

/// The code of Docs/Guides/MigratingFrom.md, word for word.
@Suite(.timeLimit(.minutes(5))) struct MigratingFromGuideTests {
    private let service = MockSession.userService

    private var client: HTTPClient {
        get throws { try HTTPClient(baseURL: "https://api.example.com/", transport: service) }
    }

    @Test func `from other libraries`() async throws {
        let url = try #require(URL(string: "https://api.example.com/"))
        func unsent(_ folder: String, _ path: String) async throws {
            _ = (HTTPClient(cookies: .inMemory), HTTPClient(cache: .inMemory(limit: 64 << 20)))
            _ = try HTTPClient(cache: .disk(at: folder, limit: 256 << 20))
            _ = try HTTPCookieJar.file(at: path)
            let client = try HTTPClient(baseURL: "https://api.example.com/")
            _ = (client, HTTPClient(baseURL: url), HTTPClient())
            _ = try await HTTPRequest(url: url).fetch()
        }
        _ = unsent
        let client = try client
        let (v, validator) = ("mine/1.0", HTTPDefaultValidator())
        client.update { $0.headers[.userAgent] = v }
        client.update { $0.headers["X"] = "1" }
        client.update { $0.validators.insert(validator, at: 0) }
        client.update { $0.validators.append(StatusValidator { 200..<300 ~= $0 }) }
        client.update { $0.retry = .standard }
        client.update { $0.redirects.mode = .manual }

        let (user, bytes) = (User(id: 1, name: "Ada"), Data("x".utf8))
        let request = try HTTPRequest(.post, "users")
        let response = try await request.fetch(client)
        _ = try await request.fetch(client, User.self)
        _ = try await request.deadline(in: .seconds(5)).fetch(client)
        let requests = [
            try request.json(user), request.maxRetries(3), request.header("X", "1"),
            request.data(bytes), request.timeout(.seconds(10)),
            request.redirects(.followWithOriginalSettings),
            request.redirects(.followCustom { $0.isCrossOrigin ? nil : $0.next() }),
            HTTPRequest(url: url),
        ]
        #expect(requests.count == 8)
        let jar = HTTPCookieJar.inMemory
        let cookie = try HTTPCookieJar.Cookie("a", "1", domain: "api.example.com")
        jar.set(cookie)
        #expect(jar.count == 1 && response.timeline.cacheStatuses.last?.isHit == nil)
        _ = [
            request.cachePolicy(.reload), request.cachePolicy(.onlyStored),
            request.cachePolicy(.preferStored),
        ]
        _ = try { (url: String) in try HTTPRequest(url) }("https://api.example.com/")

        _ = try await client.get("users/1").json(User.self)
        let form = MultipartForm()
        let lines = [
            client.post("users", json: user), client.get("search", query: ["q": "x"]),
            client.post("files", .multipart(form)),
        ]
        for line in lines { try await line.response() }
        _ = try await response.data(upTo: 1 << 20)
        #expect(response.status.code == 200)
        try await client.get("log").withResponse { response in
            for try await piece in response.body { #expect(!piece.isEmpty) }
        }
        do {
            try await client.get("users/7").response()
        } catch let error as HTTPError {
            #expect(error.status == .notFound)
        }
        let types: [Any.Type] = [
            (any HTTPRequestInterceptor).self, RefreshingAuthentication.self,
            (any HTTPObserver).self, ChallengeAuthentication.self, MockSession.self,
        ]
        #expect(types.count == 5)
    }

    @Test func `the page shows this code`() throws {
        let page = try GuidePage("MigratingFrom")
        #expect(page.blocks.count == 1)
        let paragraphs = page.blocks.flatMap { $0.split(separator: "\n\n") }
        #expect(paragraphs.filter { !page.isTested($0) } == [])
    }

    @Test func `the tables show this code on the right`() throws {
        let page = try GuidePage("MigratingFrom")
        var count = 0
        for row in page.text.split(separator: "\n") where row.hasPrefix("| ") {
            let cells = row.split(separator: " | ")
            guard cells.count == 2, let cell = cells.last, cell.hasPrefix("`") else { continue }
            let shown = cell.split(separator: "`").first ?? ""
            let isTested = page.isTested(shown)
            #expect(isTested, "\(shown)")
            count += 1
        }
        #expect(count == 52)
    }
}
