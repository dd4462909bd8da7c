import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@testable import HTTPTransportCurl

@Suite struct SystemAuthoritiesTests {
    private static func certificate(_ bytes: String, lineEnd: String = "\n") -> String {
        ["-----BEGIN CERTIFICATE-----", bytes, "MIIB", "-----END CERTIFICATE-----", ""]
            .joined(separator: lineEnd)
    }

    private static let both = certificate("AAAA") + certificate("BBBB")
    private static let hashed = [
        "01234567.0": certificate("AAAA"), "89abcdef.1": certificate("BBBB"),
    ]

    /// Makes a bundle and a directory, and tells whether the latter is used in the former's place.
    private func isDirectoryUsed(_ bundle: String, _ files: [String: String]) throws -> Bool {
        let folder = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
        let directory = folder + "/certs"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(bundle.utf8).write(to: URL(filePath: folder + "/bundle.pem"))
        for (name, text) in files {
            try Data(text.utf8).write(to: URL(filePath: "\(directory)/\(name)"))
        }
        let authorities = SystemAuthorities(file: folder + "/bundle.pem", directory: directory)
        #expect(authorities.directory == nil || authorities.directory == directory)
        return authorities.directory != nil
    }

    @Test func `a directory with what the bundle holds takes its place`() throws {
        #expect(try isDirectoryUsed(Self.both, Self.hashed))
        let reversed = Self.certificate("BBBB", lineEnd: "\r\n") + Self.certificate("AAAA")
        #expect(try isDirectoryUsed(reversed, Self.hashed))
        // A file without a hashed name is not found. A second name for a certificate does no harm.
        let more = ["AAAA.pem": Self.certificate("AAAA"), "01234567.2": Self.certificate("AAAA")]
        #expect(try isDirectoryUsed(Self.both, Self.hashed.merging(more) { a, _ in a }))
    }

    @Test(
        arguments: [
            (both + certificate("CCCC"), hashed), (certificate("AAAA"), hashed),
            (certificate("AAAA") + certificate("CCCC"), hashed), (both, [:]), ("\n", [:]),
            (both, ["AAAA.pem": certificate("AAAA"), "BBBB.pem": certificate("BBBB")]),
            (both, ["01234567.0": certificate("AAAA"), "89abcdef": certificate("BBBB")]),
            (both, ["01234567.0": certificate("AAAA"), "89abcdeg.0": certificate("BBBB")]),
            (both, ["01234567.0": certificate("AAAA"), "89abcdef.r0": certificate("BBBB")]),
            (
                both.replacing("CERTIFICATE", with: "TRUSTED CERTIFICATE"),
                hashed.mapValues { $0.replacing("CERTIFICATE", with: "TRUSTED CERTIFICATE") }
            ),
        ])
    func `a directory that differs from the bundle is not used`(
        bundle: String, files: [String: String]
    ) throws {
        #expect(try !isDirectoryUsed(bundle, files))
    }

    @Test func `without a directory, or without a bundle, there is none`() {
        #expect(SystemAuthorities(file: "/etc/passwd", directory: nil).directory == nil)
        #expect(SystemAuthorities(file: "/nowhere", directory: "/etc/ssl/certs").directory == nil)
        #expect(SystemAuthorities(file: "/nowhere", directory: "/nowhere").directory == nil)
    }
}
