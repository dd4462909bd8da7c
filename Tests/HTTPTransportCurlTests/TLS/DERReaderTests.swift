import HTTPCore
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct DERReaderTests {
    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        switch content.count {
        case ..<0x80: [tag, UInt8(content.count)] + content
        case ..<0x100: [tag, 0x81, UInt8(content.count)] + content
        default: [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
        }
    }

    private static let key = element(0x30, element(0x30, [6, 1, 42]) + element(3, [0, 1, 2, 3]))

    private static func certificate(version: [UInt8]) -> [UInt8] {
        let name = element(0x30, Array(repeating: 7, count: 200))
        let fields =
            version + element(2, [1, 2, 3]) + element(0x30, [5, 0]) + name + element(0x30, [])
            + name + key + element(0xA3, [9, 9])
        return element(0x30, element(0x30, fields) + element(0x30, [5, 0]) + element(3, [0, 1]))
    }

    @Test(arguments: [[], [0xA0, 3, 2, 1, 2]] as [[UInt8]])
    func `the key is found in certificates of version 1 and 3`(version: [UInt8]) {
        let found = DERReader.subjectPublicKeyInfo(of: Self.certificate(version: version))
        #expect(found.map { Array($0) } == Self.key)
    }

    @Test(arguments: [[], [0xA0, 3, 2, 1, 2]] as [[UInt8]])
    func `the subject is found in the beginning of a certificate that holds it`(
        version: [UInt8]
    ) throws {
        let whole = Self.certificate(version: version)
        let subject = try #require(DERReader.subject(of: whole))
        #expect(Array(subject) == Self.element(0x30, Array(repeating: 7, count: 200)))
        for count in 0..<whole.count {
            let found = DERReader.subject(of: Array(whole.prefix(count)))
            #expect(found == (count < subject.endIndex ? nil : subject))
        }
    }

    @Test(
        arguments: [
            [], [0x30], [0x30, 0x80, 0, 0], [0x30, 0x81, 0x05, 1, 2, 3, 4, 5], [0x30, 0x05, 1],
            [0x30, 0x82, 0x00, 0x80], [0x1F, 0x81, 0], [0x30, 0x85, 1, 1, 1, 1, 1],
            [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF],
        ] as [[UInt8]])
    func `what is no element of DER is none`(bytes: [UInt8]) {
        var reader = DERReader(bytes[...])
        #expect(reader.next() == nil)
    }

    @Test func `elements come one after the other, until the end`() {
        var reader = DERReader(([2, 1, 5] + [4, 2, 6, 7])[...])
        let first = reader.next()
        #expect(first?.tag == 2)
        #expect(first?.content == [5])
        let second = reader.next()
        #expect(second?.whole == [4, 2, 6, 7])
        #expect(reader.next() == nil)
    }

    @Test func `a cut certificate has no key, wherever it is cut`() {
        let whole = Self.certificate(version: [0xA0, 3, 2, 1, 2])
        for count in 0..<whole.count {
            #expect(DERReader.subjectPublicKeyInfo(of: Array(whole.prefix(count))) == nil)
        }
    }

    @Test func `no bytes, however wrong, do harm`() {
        var random = SeededRandom(4711)
        let whole = Self.certificate(version: [0xA0, 3, 2, 1, 2])
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] =
                    UInt8.random(in: 0...255, using: &random)
            }
            if let found = DERReader.subjectPublicKeyInfo(of: bytes) {
                #expect(found.startIndex >= 0 && found.endIndex <= bytes.count)
            }
        }
    }

    @Test(.enabled(if: TestAuthority.isAvailable, "openssl is not installed"))
    func `a real certificate's pin is what openssl says`() async throws {
        let authority = try await TestAuthority.shared
        for certificate in [authority.root, authority.server] {
            let text = try String(contentsOfFile: certificate.certificate, encoding: .utf8)
            let bytes = try #require(PEM.certificate(in: text))
            #expect(PublicKeyPin(certificate: bytes)?.description == (try certificate.pin()))
        }
    }
}
