import Testing
import PortableFoundation
@testable import HTTPTransportCurl

@Suite(
    .enabled(if: TestAuthority.isAvailable, "openssl is not installed"),
    .timeLimit(.minutes(5)))
struct SystemAuthoritiesTests {
    private let file = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).pem"

    private static func text(_ certificate: TestAuthority.Certificate) throws -> String {
        try String(contentsOfFile: certificate.certificate, encoding: .utf8)
    }

    private static func subject(_ text: String) throws -> [UInt8] {
        let der = try #require(PEM.certificate(in: text))
        return Array(try #require(DERReader.subject(of: der)))
    }

    private func write(_ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: file), options: .atomic)
    }

    @Test func `a file that changes is read again`() async throws {
        let authority = try await TestAuthority.shared
        let (root, server) = try (Self.text(authority.root), Self.text(authority.server))
        let (first, second) = try (Self.subject(root), Self.subject(server))
        defer { try? FileManager.default.removeItem(atPath: file) }
        try write(root)
        let authorities = SystemAuthorities(file: file, isAsked: true)
        #expect(authorities.current?.count == 1)
        #expect(authorities.certificates(for: first).count == 1)
        #expect(authorities.certificates(for: second).isEmpty)
        try write(root + server)
        #expect(authorities.certificates(for: second).count == 1)
        try write(server)
        #expect(authorities.certificates(for: first).isEmpty)
        #expect(authorities.current?.count == 1)
    }

    @Test(arguments: [true, false])
    func `a file that only the library can read is left to it from the next connection on`(
        isRemoved: Bool
    ) async throws {
        let root = try Self.text(try await TestAuthority.shared.root)
        let subject = try Self.subject(root)
        defer { try? FileManager.default.removeItem(atPath: file) }
        try write(root)
        let authorities = SystemAuthorities(file: file, isAsked: true)
        if isRemoved {
            try FileManager.default.removeItem(atPath: file)
        } else {
            try write(root.replacing("CERTIFICATE", with: "TRUSTED CERTIFICATE"))
        }
        #expect(authorities.certificates(for: subject).count == 1)
        #expect(authorities.current == nil)
    }

    @Test func `the library reads what it does not ask for, and what is no bundle`() async throws {
        let root = try Self.text(try await TestAuthority.shared.root)
        defer { try? FileManager.default.removeItem(atPath: file) }
        try write(root)
        #expect(SystemAuthorities(file: file, isAsked: false).current == nil)
        try write("")
        #expect(SystemAuthorities(file: file, isAsked: true).current == nil)
        #expect(SystemAuthorities(file: "/nowhere", isAsked: true).current == nil)
    }
}
