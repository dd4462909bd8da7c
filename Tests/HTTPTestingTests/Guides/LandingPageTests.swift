import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

private struct User: Decodable, Sendable { var name: String }

/// The code of Docs/Site/Site.md, word for word.
@Suite(.timeLimit(.minutes(5))) struct LandingPageTests {
    @Test func `JSON`() throws {
        // The address does not exist: nothing is sent.
        func get() async throws -> User {
            let client = try HTTPClient(baseURL: "https://api.example.com/v2", retry: .standard)
            let user = try await client.get("users/1").json(User.self)
            return user
        }
        _ = get
    }

    @Test func `download`() async throws {
        let server = try LoopbackServer { _ in .ok("bytes") }
        let folder = try DownloadFolder()
        let client = try HTTPClient(baseURL: server.url("/"))
        let path = folder.file()
        let download = try await client.get("files/disk.iso").download(to: path)
        #expect(download.path == path)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "bytes")
    }

    @Test func `without a network`() async throws {
        let stub = Stub(.get, "https://api.example.com/v2/users/1", answers: .json(["name": "Ada"]))
        let client = HTTPClient(transport: StubSession(stub))
        let user = try await client.get("https://api.example.com/v2/users/1").json(User.self)
        #expect(user.name == "Ada")
    }

    @Test func `the page shows this code`() throws {
        let page = try GuidePage("../Site/Site")
        #expect(page.blocks.count == 3)
        #expect(page.untested == [])
    }
}
