import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

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

    /// The bridges are those of the package `Integrations`.
    @Test func `no page says that something is missing for which there is a bridge`() throws {
        let words = [
            "combine", "tracing", "spans", "swift-log", "metrics", "lifecycle", "http-types",
            "swift-configuration",
        ]
        var found = 0
        for (path, text) in try GuidePage.all() where path.contains("/MigratingFrom") {
            let sections = text.components(separatedBy: "\n## What this package does not have\n")
            guard sections.count == 2 else { continue }
            found += 1
            for item in sections[1].components(separatedBy: "\n- ") {
                for word in words where item.lowercased().contains(word) {
                    #expect(item.contains("[bridge](Integrations.md)"), "\(path): \(item)")
                }
            }
        }
        #expect(found >= 5)
    }

    @Test func `from other libraries`() async throws {
        let url = try #require(URL(string: "https://api.example.com/"))
        func unsent(_ folder: String, _ path: String) throws {
            _ = (HTTPClient(cookies: .inMemory), HTTPClient(cache: .inMemory(limit: 64 << 20)))
            _ = try HTTPClient(cache: .disk(at: folder, limit: 256 << 20))
            _ = try HTTPCookieJar.file(at: path)
            let client = try HTTPClient(baseURL: "https://api.example.com/")
            _ = (client, HTTPClient(baseURL: url))
        }
        _ = unsent
        let client = try client
        let (v, validator) = ("mine/1.0", HTTPDefaultValidator())
        client.update { $0.headers[.userAgent] = v }
        client.update { $0.validators.insert(validator, at: 0) }

        let user = User(id: 1, name: "Ada")
        let request = try HTTPRequest(.post, "users")
        let response = try await request.fetch(client)
        #expect(response.status == .ok && service.requests[0].headers[.userAgent] == v)
        _ = try await request.fetch(client, User.self)
        let requests = [
            try request.json(user), request.maxRetries(3),
            request.redirects(.followWithOriginalSettings), request.cachePolicy(.reload),
            request.cachePolicy(.onlyStored), request.cachePolicy(.preferStored),
        ]
        #expect(
            requests.map(\.cachePolicy) == [nil, nil, nil, .reload, .onlyStored, .preferStored])
        do {
            try await client.get("users/7").response()
        } catch let error as HTTPError {
            #expect(error.status == .notFound)
        }

        let jar = HTTPCookieJar.inMemory
        let cookie = try HTTPCookieJar.Cookie("a", "1", domain: "api.example.com")
        jar.set(cookie)
        #expect(jar.count == 1 && response.timeline.cacheStatuses.last?.isHit == nil)
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
        #expect(count == 23)
    }

    @Test func `the page names all pages of its kind`() throws {
        let page = try GuidePage("MigratingFrom")
        let names = ["URLSession", "Alamofire", "AsyncHTTPClient", "Get", "Moya"]
        for name in names { #expect(page.text.contains("](MigratingFrom\(name).md)")) }
    }
}
