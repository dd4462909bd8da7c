import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing

#if canImport(HTTPTransportCurl)
    import HTTPTransportCurl
#endif
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

private struct User: Codable {
    var name: String
}

/// The code of Docs/Guides/ChoosingTargets.md, word for word.
@Suite(.timeLimit(.minutes(5))) struct ChoosingTargetsGuideTests {
    @Test func `a library takes any session`() async throws {
        let mock = MockSession {
            HTTPResponse(.ok, body: HTTPBody(#"{"degrees": 21.5}"#), to: $0)
        }
        let weather = Weather(session: mock)
        #expect(try await weather.report(for: "ulm").degrees == 21.5)
        #expect(
            try await Weather(session: HTTPClient(transport: mock)).report(for: "x").degrees > 0)
        #expect(
            mock.requests.map(\.url.absoluteString).first
                == "https://weather.example.com/cities/ulm")
    }

    @Test func `a stack of its own`() async throws {
        let transport = MockSession { HTTPResponse(.ok, body: HTTPBody("page"), to: $0) }
        let session = transport.with(
            Validation([HTTPDefaultValidator()]), Redirects(), Retry(.standard))
        let page = try await session.response(for: "https://example.com/").text()
        #expect(page == "page")
    }

    #if canImport(HTTPTransportCurl)
        @Test func `a transport alone is one exchange`() async throws {
            // The page asks another server; here, nothing is sent.
            func small() async throws {
                let transport = CurlTransport()
                let response = try await transport.response(for: "https://example.com/")
                _ = response
            }
            _ = small
            let server = try LoopbackServer { _ in .redirect(to: "/elsewhere") }
            let response = try await CurlTransport().response(for: server.url("/"))
            #expect(response.status == .found)
            #expect(server.log.count == 1)
        }
    #endif

    @Test func `no name of Foundation is needed`() async throws {
        let mock = MockSession {
            HTTPResponse(.ok, body: HTTPBody(#"{"name": "Ada"}"#), to: $0)
        }
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: mock)
        let user = try await client.get("users/1").json(User.self)
        let bytes = try await client.get("users/1/picture").data()
        print(user.name, bytes.count)
        #expect(mock.requests.count == 2)
    }

    @Test func `the page shows this code`() throws {
        let page = try GuidePage(
            "ChoosingTargets", others: ["Tests/HTTPClientKitTests/Guides/Weather.swift"])
        #expect(page.blocks.count == 5)
        #expect(page.untested == [])
    }

    /// The version of a manifest's line is that of the release that exists, or is prepared.
    @Test func `every page names the version of the changelog`() throws {
        let pages = try GuidePage.all()
        let changelog = try #require(pages["CHANGELOG.md"])
        // The first heading is that of what is unreleased.
        let heading = try #require(changelog.components(separatedBy: "\n## ").dropFirst(2).first)
        let newest = heading.prefix { $0 != " " }
        var count = 0
        for (path, text) in pages {
            for line in text.split(separator: "\n") {
                for part in line.split(separator: "from: \"").dropFirst()
                where line.contains("swift-http-session") || line.contains("upToNextMinor") {
                    let version = part.prefix { $0 != "\"" }
                    #expect(version == newest, "\(path): \(line)")
                    count += 1
                }
            }
        }
        #expect(count >= 3 && pages.count > 40)
    }

    @Test func `every product has a row or a sentence`() throws {
        let page = try GuidePage("ChoosingTargets").text
        let root = #filePath.split(separator: "/Tests/").dropLast().joined(separator: "/Tests/")
        let manifest = try String(contentsOfFile: "\(root)/Package.swift", encoding: .utf8)
        let products = manifest.split(separator: ".library(name: \"").dropFirst().compactMap {
            $0.split(separator: "\"").first
        }
        #expect(products.count >= 11)
        #expect(products.filter { !page.contains("`\($0)`") } == [])
    }
}
