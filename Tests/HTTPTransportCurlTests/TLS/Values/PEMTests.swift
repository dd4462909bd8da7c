import HTTPCore
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct PEMTests {
    private static let begin = "-----BEGIN CERTIFICATE-----"
    private static let end = "-----END CERTIFICATE-----"

    /// The texts of the certificates in a bundle, or `nil` if it is not one of certificates alone.
    private static func texts(_ bundle: String) -> [String]? {
        let bytes = Array(bundle.utf8)
        return PEM.certificates(in: bytes)?
            .map {
                String(decoding: bytes[$0], as: UTF8.self).filter { !$0.isNewline }
            }
    }

    @Test func `the certificates of a bundle are found between any text`() {
        let bundle = """
            \(Self.begin)
            AAAA
            BBBB
            \(Self.end)
            # An authority - and a dash

            \(Self.begin)
            CCCC
            \(Self.end)
            """
        #expect(Self.texts(bundle) == ["AAAABBBB", "CCCC"])
        #expect(Self.texts(bundle + "\n") == ["AAAABBBB", "CCCC"])
        #expect(Self.texts(bundle.replacing("\n", with: "\r\n")) == ["AAAABBBB", "CCCC"])
        #expect(Self.texts("") == [])
        #expect(Self.texts("no certificate\n") == [])
    }

    @Test(arguments: [
        begin, "\(begin)\nAAAA\n", end, "\(begin)\nAAAA\n\(begin)\n", "-", "text\n-text\n",
        "\(begin)\nAA-A\n\(end)\n", "\(begin)\nAAAA\(end)\n", " \(begin)\nAAAA\n\(end)\n",
        "\(begin) \nAAAA\n\(end)\n", "\(begin)\nAAAA\n\(end) \n",
        "-----BEGIN TRUSTED CERTIFICATE-----\nAAAA\n-----END TRUSTED CERTIFICATE-----\n",
        "-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----\n",
        "\(begin)\nAAAA\n-----END X509 CERTIFICATE-----\n",
        "\(begin)\nAAAA\n\(end)\n-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
    ])
    func `a bundle with anything else is none of certificates alone`(bundle: String) {
        #expect(PEM.certificates(in: Array(bundle.utf8)) == nil)
    }

    @Test(arguments: 0..<200, ["\n", "\r\n"])
    func `Base64 in lines is decoded, whole or from its beginning`(count: Int, lineEnd: String) {
        var random = SeededRandom(UInt64(count))
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        let width = Int.random(in: 1...80, using: &random)
        var lines = ""
        for (place, digit) in Data(bytes).base64EncodedString().enumerated() {
            if place % width == 0 { lines += lineEnd }
            lines.append(digit)
        }
        let text = Array(lines.utf8)
        #expect(PEM.decoded(text[...]) == bytes)
        for least in [1, count / 2, count, count + 1] {
            let beginning = PEM.decoded(text[...], atLeast: least) ?? []
            #expect(beginning.count >= min(least, count))
            #expect(bytes.starts(with: beginning))
        }
    }

    @Test(arguments: [
        "A", "AA", "AAA", "AAAAA", "=AAA", "A=AA", "A===", "AA=A", "AA==AAAA", "AA A",
        "AA==\nAAAA", "AA-_", "A:AA", "AAA\u{E9}",
    ])
    func `what is not Base64 is not decoded`(text: String) {
        #expect(PEM.decoded(Array(text.utf8)[...]) == nil)
    }
}
