import HTTPCore
import HTTPTransportCurl

struct Repository: Decodable { var name: String, stargazers_count: Int }
let session = CurlTransport()

var request = try HTTPRequest(.get, "https://api.github.com/repos/swiftlang/swift")
request.headers[.userAgent] = "newcomer"
request = request.deadline(in: .seconds(10))
let repository = try await session.response(Repository.self, for: request)  // the body, decoded
print(repository.name, repository.stargazers_count)

try await session.withResponse(for: "https://www.swift.org/") { response in  // or as it arrives
    for try await piece in response.body { print(response.status, piece.count) }
}
