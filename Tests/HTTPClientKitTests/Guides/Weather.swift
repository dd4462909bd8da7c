import HTTPCore
import HTTPFormats

struct Weather {
    struct Report: Codable {
        var degrees: Double
    }

    let session: any HTTPSession

    func report(for city: String) async throws -> Report {
        try await session.response(
            Report.self, for: HTTPRequest("https://weather.example.com/cities/\(city)"))
    }
}
