import CHTTPTransportCurl
import HTTPCore
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

@Suite struct TLSSettingsTests {
    private static let openSSL = TLSBackend("OpenSSL/3.0.19", canLogKeys: true)
    // Not stored: LeakSanitizer does not see the pointer inside a `Data` that is never freed.
    private static var pem: Data {
        Data("-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n".utf8)
    }
    private static var key: Data {
        Data("-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n".utf8)
    }
    private static let pin = PublicKeyPin("sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")

    private static func error(
        _ backend: TLSBackend = openSSL, _ change: (inout TLSSettings) -> Void
    ) -> HTTPError? {
        var settings = TLSSettings()
        change(&settings)
        do throws(HTTPError) {
            try settings.check(backend)
            return nil
        } catch {
            return error
        }
    }

    @Test func `the default settings are good for every backend`() {
        for name in ["OpenSSL/3.0.19", "rustls-ffi/0.14", ""] {
            #expect(Self.error(TLSBackend(name, canLogKeys: false)) { _ in } == nil)
        }
    }

    struct Flaw: Sendable {
        let word: String
        var backend = "OpenSSL/3.0.19"
        let change: @Sendable (inout TLSSettings) -> Void
    }

    private static let pins = Set([pin].compactMap(\.self))

    private static let flaws: [Flaw] = [
        Flaw(word: "maximumVersion") {
            $0.minimumVersion = .tls1_3
            $0.maximumVersion = .tls1_2
        },
        Flaw(word: "cipherSuites") { $0.cipherSuites = "" },
        Flaw(word: "cipherSuites") { $0.cipherSuites = "A\nB" },
        Flaw(word: "cipherSuites1_3") { $0.cipherSuites1_3 = "A B" },
        Flaw(word: "host pattern") { $0.publicKeyPins = ["a.*": []] },
        Flaw(word: "no pin") { $0.publicKeyPins = ["example.com": []] },
        Flaw(word: "unsafeNone") {
            $0.publicKeyPins = ["example.com": pins]
            $0.certificateVerification = .unsafeNone
        },
        Flaw(word: "cannot be read") { $0.trust = .only(.file("/nowhere/at/all")) },
        Flaw(word: "cannot be read") { $0.trust = .systemAnd(.file("/tmp")) },
        Flaw(word: "cannot be read") { $0.trust = .only(.directory("/etc/passwd")) },
        Flaw(word: "colon") { $0.trust = .only(.directory("/tmp:/tmp")) },
        Flaw(word: "no certificate") { $0.trust = .only(.pem(Data())) },
        Flaw(word: "no certificate") { $0.trust = .systemAnd(.pem(key)) },
        Flaw(word: "cannot be read") {
            $0.identity = .files(certificate: "/nowhere", key: "/etc/passwd")
        },
        Flaw(word: "private key") { $0.identity = .pem(certificate: pem, key: pem) },
        Flaw(word: "no certificate") { $0.identity = .pem(certificate: key, key: key) },
        Flaw(word: "PKCS #12") { $0.identity = .pkcs12(pem) },
        Flaw(word: "NUL") {
            $0.identity = .pem(certificate: pem, key: key, passphrase: "a\0b")
        },
    ]

    // MARK: Refusals

    @Test(.rows("B-14"), arguments: flaws.indices)
    func `what makes no sense is refused by name`(index: Int) {
        let flaw = Self.flaws[index]
        let error = Self.error(Self.openSSL, flaw.change)
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains(flaw.word) == true)
    }

    private static let limits: [Flaw] = [
        Flaw(word: "publicKeyPins", backend: "rustls-ffi/0.14.0") {
            $0.publicKeyPins = ["example.com": pins]
        },
        Flaw(word: "identity", backend: "GnuTLS/3.8.9") {
            $0.identity = .pem(certificate: pem, key: key)
        },
        Flaw(word: "keyLogFile", backend: "GnuTLS/3.8.9") { $0.keyLogFile = "/tmp/x" },
        Flaw(word: "cipherSuites", backend: "GnuTLS/3.8.9") { $0.cipherSuites = "AES128-SHA" },
        Flaw(word: "cipherSuites1_3", backend: "wolfSSL/5.7.0") {
            $0.cipherSuites1_3 = "TLS_AES_128_GCM_SHA256"
        },
        Flaw(word: "directory", backend: "SecureTransport (LibreSSL/3.3.6)") {
            $0.trust = .only(.directory("/tmp"))
        },
    ]

    @Test(.rows("B-14"), arguments: limits.indices)
    func `what the library cannot do is refused by name`(index: Int) {
        let limit = Self.limits[index]
        let error = Self.error(TLSBackend(limit.backend, canLogKeys: true), limit.change)
        #expect(error?.code == .unsupportedOption)
        #expect(error?.message.contains(limit.word) == true)
        #expect(Self.error(Self.openSSL, limit.change) == nil)
    }

    @Test(
        arguments: [
            ("OpenSSL/3.0.19", .openSSL), ("LibreSSL/3.3.6", .openSSL), ("BoringSSL", .openSSL),
            ("AWS-LC/1.40", .openSSL), ("GnuTLS/3.7.9", .gnuTLS), ("mbedTLS/3.6", .mbedTLS),
            ("wolfSSL/5.7", .wolfSSL), ("(SecureTransport) LibreSSL/3.3.6", .openSSL),
            ("SecureTransport (OpenSSL/3.1)", .secureTransport), ("Schannel", .other), ("", .other),
        ] as [(String, TLSBackend.Family)])
    func `a backend is known by the name that libcurl gives it`(
        text: String, family: TLSBackend.Family
    ) {
        #expect(TLSBackend(text, canLogKeys: true).family == family)
    }

    @Test func `a file URL names a file, and any other URL is refused`() throws {
        let (url, path) = (URL(filePath: "/a b.pem"), "/a b.pem")
        #expect(try TLSSettings.Authorities.file(url) == .file(path))
        #expect(try TLSSettings.Authorities.directory(url) == .directory(path))
        #expect(
            try ClientIdentity.files(certificate: url, key: url, passphrase: "p")
                == .files(certificate: path, key: path, passphrase: "p"))
        let other = try URL(strictly: "https://h/a.pem")
        let refusals: [() throws -> Void] = [
            { _ = try TLSSettings.Authorities.file(other) },
            { _ = try TLSSettings.Authorities.directory(other) },
            { _ = try ClientIdentity.files(certificate: other, key: url) },
            { _ = try ClientIdentity.files(certificate: url, key: other) },
        ]
        for refused in refusals {
            let error = #expect(throws: HTTPError.self) { try refused() }
            #expect(error?.code == .invalidRequest)
        }
    }

    @Test func `an identity does not tell its key`() {
        let identity = ClientIdentity.pem(
            certificate: Self.pem, key: Self.key, passphrase: "s3cret")
        var settings = TLSSettings()
        settings.identity = identity
        for text in [
            "\(identity)", String(reflecting: identity), "\(settings)", "\(dump: settings)",
        ] {
            #expect(!text.contains("s3cret"))
            #expect(!text.contains("PRIVATE"))
        }
    }

    @Test(
        arguments: [
            (CHTTP_E_PEER_FAILED_VERIFICATION, 10, .expired),
            (CHTTP_E_PEER_FAILED_VERIFICATION, 9, .notYetValid),
            (CHTTP_E_PEER_FAILED_VERIFICATION, 18, .selfSigned),
            (CHTTP_E_PEER_FAILED_VERIFICATION, 19, .selfSigned),
            (CHTTP_E_PEER_FAILED_VERIFICATION, 20, .unknownAuthority),
            (CHTTP_E_PEER_FAILED_VERIFICATION, 21, .unknownAuthority),
            (CHTTP_E_PEER_FAILED_VERIFICATION, 62, .wrongHost),
            (CHTTP_E_PEER_FAILED_VERIFICATION, 0, .wrongHost),
            (CHTTP_E_PEER_FAILED_VERIFICATION, 1, .wrongHost),
            (CHTTP_E_PEER_FAILED_VERIFICATION, 23, .revoked),
            (CHTTP_E_PEER_FAILED_VERIFICATION, 66, .tooWeak),
            (CHTTP_E_PEER_FAILED_VERIFICATION, 26, .other),
            (CHTTP_E_SSL_PINNEDPUBKEYNOTMATCH, 0, .notPinned),
            (CHTTP_E_SSL_CACERT_BADFILE, 0, .authoritiesUnreadable),
            (CHTTP_E_SSL_INVALIDCERTSTATUS, 0, .revoked),
        ] as [(Int32, Int, CertificateFailure.Reason)])
    func `a refused certificate has its reason`(
        code: Int32, verification: Int, reason: CertificateFailure.Reason
    ) {
        let failure = CertificateFailure(CurlError(code: code), verificationCode: verification)
        #expect(failure.reason == reason)
        #expect(!failure.message.isEmpty)
    }

    @Test func `without an explanation no reason is made up`() {
        let failure = CertificateFailure(
            CurlError(code: CHTTP_E_PEER_FAILED_VERIFICATION), verificationCode: 0,
            isExplained: false)
        #expect(failure.reason == .other)
    }
}

extension String.StringInterpolation {
    fileprivate mutating func appendInterpolation(dump value: some Any) {
        var text = ""
        dump(value, to: &text)
        appendLiteral(text)
    }
}
