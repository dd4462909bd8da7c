import HTTPCore
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct AuthorityIndexTests {
    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        content.count < 0x80
            ? [tag, UInt8(content.count)] + content
            : [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
    }

    private enum Text: UInt8 {
        case utf8 = 0x0C
        case printable = 0x13
        case universal = 0x1C
        case bmp = 0x1E

        func encoded(_ text: String) -> [UInt8] {
            switch self {
            case .utf8, .printable: Array(text.utf8)
            case .bmp: text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            case .universal:
                text.unicodeScalars.flatMap { scalar in
                    [24, 16, 8, 0].map { UInt8(scalar.value >> $0 & 0xFF) }
                }
            }
        }
    }

    /// A name with one attribute in each set.
    private static func name(_ values: String..., as text: Text = .utf8) -> [UInt8] {
        element(
            0x30,
            values.flatMap {
                element(
                    0x31,
                    element(
                        0x30,
                        element(6, [0x55, 4, 3]) + element(text.rawValue, text.encoded($0))))
            })
    }

    private static func key(_ name: [UInt8]) -> SubjectKey { SubjectKey(name[...]) }

    @Test(arguments: [
        name("Authority 1", "Łódź"),
        name("AUTHORITY  1", "łódź"), name("authority1 ", " Łódź"),
        name("Authority 1", "Łódź", as: .bmp), name("Authority 1", "Łódź", as: .universal),
        name("Łódź", "Authority 1"),
    ])
    func `names that OpenSSL regards as the same have one key`(name: [UInt8]) {
        #expect(Self.key(name) == Self.key(Self.name("Authority 1", "Łódź")))
    }

    @Test func `a string type without other letters has the same key`() {
        #expect(
            Self.key(Self.name("Root CA", as: .printable)) == Self.key(Self.name("root ca")))
    }

    @Test(arguments: [
        name("Authority 2"), name("Authority 1", "x"), name("Authority"), [], [0x30], [0x30, 5, 1],
    ])
    func `other names have other keys`(name: [UInt8]) {
        #expect(Self.key(name) != Self.key(Self.name("Authority 1")))
    }

    @Test func `no bytes, however wrong, do harm`() {
        var random = SeededRandom(30)
        let whole = Self.name("Authority 1", "Łódź", as: .bmp)
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] =
                    UInt8.random(in: 0...255, using: &random)
            }
            _ = Self.key(bytes)
        }
    }

    @Test(.enabled(if: TestAuthority.isAvailable, "openssl is not installed"))
    func `certificates are found by their subjects, and parsed once`() async throws {
        let authority = try await TestAuthority.shared
        let root = try String(contentsOfFile: authority.root.certificate, encoding: .utf8)
        let server = try String(contentsOfFile: authority.server.certificate, encoding: .utf8)
        let index = try #require(AuthorityIndex(pem: Array((root + server).utf8)))
        #expect(index.count == 2)
        for text in [root, server] {
            let der = try #require(PEM.certificate(in: text))
            let subject = Array(try #require(DERReader.subject(of: der)))
            let found = index.certificates(for: subject)
            #expect(found.count == 1)
            #expect(found.first === index.certificates(for: subject).first)
        }
        #expect(index.certificates(for: Self.name("another")).isEmpty)
    }

    @Test(arguments: [
        "", "text\n", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n",
    ])
    func `a bundle without certificates, or with one that is none, has no index`(bundle: String) {
        #expect(AuthorityIndex(pem: Array(bundle.utf8)) == nil)
    }

    private static let bundle = CurlTransport.systemAuthorityFile

    @Test(.enabled(if: bundle != nil, "this machine has no bundle of authorities"))
    func `each of the machine's authorities is found by its subject`() throws {
        let text = try String(contentsOfFile: try #require(Self.bundle), encoding: .utf8)
        let pieces = text.split(
            separator: "-----BEGIN ", omittingEmptySubsequences: false
        ).dropFirst()
        let index = try #require(AuthorityIndex(pem: Array(text.utf8)))
        #expect(index.count == pieces.count)
        for piece in pieces {
            let der = try #require(PEM.certificate(in: "-----BEGIN \(piece)"))
            let subject = Array(try #require(DERReader.subject(of: der)))
            #expect(!index.certificates(for: subject).isEmpty)
        }
    }
}

extension CurlTransport {
    fileprivate static var systemAuthorityFile: String? {
        try? CurlLibrary.loaded.get().certificateAuthorityFile
    }
}
