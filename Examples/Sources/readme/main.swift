import HTTPClientKit

struct Repository: Decodable { var name: String, stargazers_count: Int }
let github = try HTTPClient(
    baseURL: "https://api.github.com", headers: ["User-Agent": "newcomer"], retry: .standard)

let swift = try await github.get("repos/swiftlang/swift").json(Repository.self)
print(swift.name, swift.stargazers_count)

let events = try HTTPRequest(.get, "events").deadline(in: .seconds(30))
try await github.withResponse(for: events) { response in  // as it arrives
    for try await line in response.body.lines { print(response.status, line) }
}
