import ConformanceVectors
import HTTPCore
import HTTPMiddleware
import HTTPTesting
import Testing

@Suite(.enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped))
struct ChallengeAuthenticationConformanceTests {
    struct Case: Decodable {
        var id: String
        var lines: [String]
        /// The challenges, present for the cases of greenbytes; `null` if there is nothing to
        /// answer.
        var basicRealm: String??

        enum CodingKeys: String, CodingKey {
            case id, lines
            case basicRealm = "basic_realm"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            id = try values.decode(String.self, forKey: .id)
            lines = try values.decode([String].self, forKey: .lines)
            if values.contains(.basicRealm) {
                basicRealm = .some(try values.decodeIfPresent(String.self, forKey: .basicRealm))
            }
        }
    }

    private static let differences = [
        "greenbytes/missingquote":
            "a quoted string without an end is none, and no realm to answer (RFC 9110 §5.6.4)"
    ]

    @Test func `a client that knows only Basic asks for the realm that others show`() async throws {
        var report = ConformanceReport(
            "auth-challenge/basic-realm", differences: Self.differences)
        for value in try ConformanceData.cases("auth-challenge/challenges.json", as: Case.self) {
            guard let expected = value.basicRealm else { continue }
            var headers = HTTPHeaders()
            for line in value.lines {
                // Each character stands for one byte.
                let bytes = "WWW-Authenticate: ".utf8 + line.unicodeScalars.map { UInt8($0.value) }
                let isField = headers.append(line: bytes.span)
                try #require(isField)
            }
            let asked = Locked([ProtectionSpace]())
            let mock = MockSession { [headers] in
                HTTPResponse(.unauthorized, headers: headers, to: $0)
            }
            let authentication = ChallengeAuthentication(schemes: [.basic]) { space in
                asked.withLock { $0.append(space) }
                return nil
            }
            _ = try await mock.with(authentication).response(for: "https://h/")
            let realms = asked.withLock { $0.map { $0.realm ?? "" } }
            let bytes = expected?.unicodeScalars.map { UInt8($0.value) }
            let realm = bytes.map { String(decoding: $0, as: UTF8.self) }
            report.record(value.id, realms.first == realm, "\(realms)")
        }
        report.finish()
    }
}
