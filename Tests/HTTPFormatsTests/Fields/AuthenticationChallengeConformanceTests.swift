import ConformanceVectors
import HTTPCore
import HTTPFormats
import Testing

@Suite(.enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped))
struct AuthenticationChallengeConformanceTests {
    struct Case: Decodable {
        struct Challenge: Decodable, Equatable {
            var scheme: String
            var token68: String?
            var params: [[String]]
        }
        var id: String
        var lines: [String]
        var grammatical: Bool
        var challenges: [Challenge]?
        var challenges_if_lenient: [Challenge]?
    }

    /// The parser drops a challenge that violates the grammar, which is the last one read, as the
    /// vectors allow.
    @Test func `challenges are read as RFC 9110 §11_6_1 says`() throws {
        var report = ConformanceReport("auth-challenge")
        for value in try ConformanceData.cases("auth-challenge/challenges.json", as: Case.self) {
            let found = value.lines.flatMap(AuthenticationChallenge.challenges).map {
                Case.Challenge(
                    scheme: $0.scheme, token68: $0.token68,
                    params: $0.parameters.map { [$0.name, $0.value] })
            }
            let expected =
                value.grammatical
                ? value.challenges : value.challenges_if_lenient.map { Array($0.dropLast()) }
            report.record(value.id, found == expected, "\(value.lines) gives \(found)")
        }
        report.finish()
    }
}
