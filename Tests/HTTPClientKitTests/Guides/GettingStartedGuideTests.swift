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

/// The code of Docs/Guides/GettingStarted.md, word for word.
@Suite(.timeLimit(.minutes(5))) struct GettingStartedGuideTests {
    private let service = MockSession.userService

    private var client: HTTPClient {
        get throws { try HTTPClient(baseURL: "https://api.example.com/", transport: service) }
    }

    @Test func `a client of one's own`() throws {
        let client = try HTTPClient(
            baseURL: "https://api.example.com/v2", headers: ["User-Agent": "mine/1.0"],
            retry: .standard)
        #expect(client.configuration.retry.maxRetries == 2)
        // The page sends these through the shared client; here, nothing is sent.
        func unsent() async throws {
            let text = try await HTTPClient.shared.get("https://api.example.com/users/1").text()
            _ = text
        }
        _ = unsent
    }

    @Test func `first lines`() async throws {
        let client = try client
        let user = try await client.get("users/1").json(User.self)
        let created: User = try await client.post("users", json: user).json()
        try await client.delete("users/1").response()
        #expect(created.name == "Ada")
    }

    @Test func `what fails`() async throws {
        let client = try client
        do {
            _ = try await client.get("users/7").json(User.self)
        } catch let error as HTTPError where error.status == .notFound {
            print("nobody", error.problemDetails?.title ?? "")
        } catch let error as HTTPError {
            print(error)  // one line, free of secrets: the code, what happened, and the known facts
        }
        let plain = client.deriving { $0.validators = [] }
        let status = try await plain.get("users/7").response().status
        #expect(status == .notFound)
    }

    @Test func `changing it while it runs`() throws {
        let (client, token) = (try client, "t")
        client.update {
            $0.headers[.authorization] = "Bearer \(token)"
            $0.deadline = .seconds(30)
        }
        #expect(client.configuration.deadline == .seconds(30))
    }

    @Test func `testing without a network`() async throws {
        let mock = MockSession { request in
            HTTPResponse(.ok, body: HTTPBody("{\"id\": 1, \"name\": \"Ada\"}"), to: request)
        }
        let tested = HTTPClient(transport: mock)
        let ada = try await tested.get("https://api.example.com/users/1").json(User.self)
        #expect(ada.name == "Ada")
    }

    @Test func `the page shows this code`() throws {
        let page = try GuidePage("GettingStarted")
        #expect(page.blocks.count == 7)
        let paragraphs = page.blocks.flatMap { $0.split(separator: "\n\n") }
        #expect(paragraphs.filter { !page.isTested($0) } == [])
    }
}
