import ConformanceVectors
import HTTPCore
import HTTPFormats
import Testing

@testable import HTTPMiddleware

@Suite(.enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped))
struct DigestAnswerConformanceTests {
    struct Case: Decodable {
        var id: String
        var username: String
        var password: String
        var realm: String
        var method: String
        var uri: String
        var nonce: String
        var algorithm: String?
        var qop: String?
        var cnonce: String?
        var nc: String?
        var opaque: String?
        var response: String
    }

    @Test func `responses are those of RFC 7616, RFC 2617, RFC 2069 and of others' clients`() throws
    {
        var report = ConformanceReport("digest-auth/digest")
        for value in try ConformanceData.cases("digest-auth/digest.json", as: Case.self) {
            var line = "Digest realm=\(value.realm.quoted), nonce=\(value.nonce.quoted)"
            for (name, text) in [
                ("algorithm", value.algorithm), ("qop", value.qop), ("opaque", value.opaque),
            ] {
                line += text.map { ", \(name)=\($0.quoted)" } ?? ""
            }
            let challenge = try #require(DigestChallenge(AuthenticationChallenge.only(in: line)))
            let answer = DigestAnswer(
                challenge: challenge,
                credentials: PasswordCredentials(
                    user: value.username, password: value.password,
                    for: try HTTPOrigin("http://h")),
                clientNonce: value.cnonce ?? "",
                count: try #require(UInt32(value.nc ?? "1", radix: 16)))
            let response = answer.response(method: HTTPMethod(value.method), uri: value.uri)
            report.record(value.id, response == value.response, response)
        }
        report.finish()
    }
}

extension AuthenticationChallenge {
    /// The challenge of a line that contains one.
    static func only(in line: String) throws -> AuthenticationChallenge {
        let challenges = challenges(in: line)
        try #require(challenges.count == 1)
        return challenges[0]
    }
}
