import HTTPClientKit

struct Repository: Decodable { var name: String, stargazersCount: Int }
let github = try HTTPClient(
    baseURL: "https://api.github.com", headers: ["User-Agent": "newcomer"], retry: .standard
) { $0.decoder.keyDecodingStrategy = .convertFromSnakeCase }

let swift = try await github.get("repos/swiftlang/swift").json(Repository.self)
print(swift.name, swift.stargazersCount)

for try await line in github.get("events").deadline(in: .seconds(30)).lines {  // as it arrives
    print(line)
}
