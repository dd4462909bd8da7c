import CHTTPTransportCurl
import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation
import PortableLibc

@Suite(
    .timeLimit(.minutes(5)), .enabled(if: TestAuthority.isAvailable, "openssl is not installed"))
struct CurlTransportTLSTests {
    @inline(never) private static func transport(
        _ change: (inout TLSSettings) throws -> Void = { _ in }
    ) async throws -> CurlTransport {
        var configuration = try await TestAuthority.trusting()
        try change(&configuration.tls)
        return try CurlTransport(configuration)
    }

    private static func failure(
        _ session: CurlTransport, _ url: String
    ) async throws -> HTTPError {
        let request = try HTTPRequest(.get, url)
        return try #require(
            await #expect(throws: HTTPError.self) { _ = try await session.response(for: request) })
    }

    // MARK: Trust

    @Test(
        .rows("B-14"),
        arguments: [
            "file", "directory", "pem", "systemAnd file", "systemAnd directory", "systemAnd pem",
        ])
    func `an authority is trusted wherever it comes from`(form: String) async throws {
        let authority = try await TestAuthority.shared
        let server = try await TLSServer.start(authority.server)
        let pem = try Data(contentsOf: URL(filePath: authority.root.certificate))
        let session = try await Self.transport { tls in
            switch form {
            case "file": tls.trust = .only(.file(authority.root.certificate))
            case "directory", "systemAnd directory":
                let folder = authority.path("authorities of \(form)")
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true)
                try pem.write(to: URL(filePath: "\(folder)/root.pem"))
                try ServerProcess.run("openssl", ["rehash", folder])
                tls.trust =
                    form == "directory" ? .only(.directory(folder)) : .systemAnd(.directory(folder))
            case "pem": tls.trust = .only(.pem(pem))
            case "systemAnd file": tls.trust = .systemAnd(.file(authority.root.certificate))
            default: tls.trust = .systemAnd(.pem(pem))
            }
        }
        let response = try await session.response(for: server.url)
        #expect(try await response.text().contains("TLSv1.3"))
        #expect(response.timeline.exchanges.first?.secured != nil)
    }

    /// libcurl keeps TLS sessions, and in some versions parsed authorities, for settings that look
    /// the same to it.
    @Test(.rows("B-14"), arguments: [false, true])
    func `the authorities of one request are not trusted for the next`(
        startsWithout: Bool
    ) async throws {
        let authority = try await TestAuthority.shared
        let server = try await TLSServer.start(authority.server)
        let folder = authority.path("authorities of one request \(startsWithout)")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try Data(contentsOf: URL(filePath: authority.root.certificate)).write(
            to: URL(filePath: "\(folder)/root.pem"))
        try ServerProcess.run("openssl", ["rehash", folder])
        var configuration = CurlConfiguration()
        configuration.eventLoops = 1
        let session = try CurlTransport(configuration)
        let trusts: [TLSSettings.Trust] = [
            .systemAnd(.directory(folder)), .system, .only(.directory(folder)), .system,
            .systemAnd(.directory(folder)),
        ]
        for trust in startsWithout ? trusts.dropFirst() : trusts[...] {
            var settings = TLSSettings()
            settings.trust = trust
            var request = try HTTPRequest(.get, server.url)
            request[TLSSettings.self] = settings
            if trust == .system {
                let error = await #expect(throws: HTTPError.self) {
                    _ = try await session.response(for: request)
                }
                #expect(error?.code == .serverNotTrusted)
            } else {
                #expect(try await session.response(for: request).status == .ok)
            }
        }
    }

    @Test(.rows("B-14"))
    func `the machine's authorities do not vouch for a test's`() async throws {
        let server = try await TLSServer.start(try await TestAuthority.shared.server)
        let error = try await Self.failure(CurlTransport(), server.url)
        #expect(error.code == .serverNotTrusted)
        #expect(error.phase == .securing)
        #expect(!error.mayHaveReachedServer)
        let reason = (error.underlyingError as? CertificateFailure)?.reason
        #expect(reason == .unknownAuthority)
    }

    @Test(
        .rows("B-14"),
        arguments: [("expired", .expired), ("other", .wrongHost), ("self", .selfSigned)]
            as [(String, CertificateFailure.Reason)])
    func `a certificate is refused for its reason`(
        name: String, reason: CertificateFailure.Reason
    ) async throws {
        let authority = try await TestAuthority.shared
        let certificate =
            switch name {
            case "expired": try authority.issue(name, "IP:127.0.0.1", days: -1)
            case "other": try authority.issue(name, "DNS:other.test,IP:127.0.0.2")
            default: try authority.selfSigned(name, "IP:127.0.0.1")
            }
        let server = try await TLSServer.start(certificate)
        let error = try await Self.failure(await Self.transport(), server.url)
        #expect(error.code == .serverNotTrusted)
        #expect(!error.isRetryable)
        #expect((error.underlyingError as? CertificateFailure)?.reason == reason)
        #expect(
            error.message
                == CertificateFailure(
                    CurlError(code: CHTTP_E_PEER_FAILED_VERIFICATION),
                    verificationCode: [.expired: 10, .selfSigned: 18][reason] ?? 0
                ).message)
    }

    @Test(.rows("B-14"))
    func `without verification any server is accepted, with one warning`() async throws {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            alarm(300)
            let authority = try await TestAuthority.shared
            let server = try await TLSServer.start(
                try authority.selfSigned("other", "DNS:other.test"))
            for _ in 0..<2 {
                var configuration = CurlConfiguration()
                configuration.tls.certificateVerification = .unsafeNone
                let session = try CurlTransport(configuration)
                _ = try await session.response(for: server.url).text()
                await session.close()
            }
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.split(separator: "\n").count { $0.contains(".unsafeNone") } == 1)
    }

    @Test(.rows("S1-9", "B-14"))
    func `a request's own settings hold for it alone`() async throws {
        let server = try await TLSServer.start(try await TestAuthority.shared.server)
        let session = CurlTransport()
        var request = try HTTPRequest(.get, server.url)
        var settings = TLSSettings()
        settings.trust = .only(.file(try await TestAuthority.shared.root.certificate))
        request[TLSSettings.self] = settings
        _ = try await session.response(for: request).text()
        #expect(try await Self.failure(session, server.url).code == .serverNotTrusted)
        _ = try await session.response(for: request).text()
    }

    // MARK: Pins

    @Test(.rows("B-14"))
    func `a pinned key is accepted, whatever else is pinned beside it`() async throws {
        let authority = try await TestAuthority.shared
        let server = try await TLSServer.start(authority.server)
        let pin = try #require(PublicKeyPin(try authority.server.pin()))
        let other = try #require(PublicKeyPin(try authority.client.pin()))
        for pins: [String: Set<PublicKeyPin>] in [
            ["127.0.0.1": [pin]], ["127.0.0.1": [other, pin]], ["other.test": [other]],
        ] {
            let session = try await Self.transport { $0.publicKeyPins = pins }
            _ = try await session.response(for: server.url).text()
        }
    }

    @Test(.rows("B-14"))
    func `a key that is not pinned is refused, and the chain's pins are said`() async throws {
        let authority = try await TestAuthority.shared
        let server = try await TLSServer.start(
            authority.server, ["-cert_chain", authority.root.certificate])
        let wrong = try #require(PublicKeyPin(try authority.client.pin()))
        let session = try await Self.transport { $0.publicKeyPins = ["127.0.0.1": [wrong]] }
        let error = try await Self.failure(session, server.url)
        #expect(error.code == .serverNotTrusted)
        let failure = try #require(error.underlyingError as? CertificateFailure)
        #expect(failure.reason == .notPinned)
        let expected = [try authority.server.pin(), try authority.root.pin()]
        #expect(failure.chainPins.map(\.description) == expected)
        #expect(error.message.contains(expected[0]))
    }

    @Test(.rows("B-14"))
    func `an authority's key is no pin of its servers`() async throws {
        let authority = try await TestAuthority.shared
        let server = try await TLSServer.start(
            authority.server, ["-cert_chain", authority.root.certificate])
        let root = try #require(PublicKeyPin(try authority.root.pin()))
        let session = try await Self.transport { $0.publicKeyPins = ["127.0.0.1": [root]] }
        #expect(try await Self.failure(session, server.url).code == .serverNotTrusted)
    }

    // MARK: Versions, suites, sessions

    @Test func `no later version than the latest allowed is spoken`() async throws {
        let server = try await TLSServer.start(try await TestAuthority.shared.server)
        let session = try await Self.transport { $0.maximumVersion = .tls1_2 }
        let page = try await session.response(for: server.url).text()
        #expect(page.contains("Protocol  : TLSv1.2"))
    }

    @Test func `no earlier version than the earliest allowed is spoken`() async throws {
        let server = try await TLSServer.start(try await TestAuthority.shared.server, ["-tls1_2"])
        let session = try await Self.transport { $0.minimumVersion = .tls1_3 }
        let error = try await Self.failure(session, server.url)
        #expect(error.code == .tlsFailed)
        #expect(error.phase == .securing)
    }

    @Test func `the suites are the ones that were asked for`() async throws {
        let server = try await TLSServer.start(try await TestAuthority.shared.server)
        let session = try await Self.transport {
            $0.maximumVersion = .tls1_2
            $0.cipherSuites = "ECDHE-ECDSA-CHACHA20-POLY1305"
        }
        let page = try await session.response(for: server.url).text()
        #expect(page.contains("Cipher is ECDHE-ECDSA-CHACHA20-POLY1305"))
        let other = try await Self.transport { $0.cipherSuites1_3 = "TLS_CHACHA20_POLY1305_SHA256" }
        let otherPage = try await other.response(for: server.url).text()
        #expect(otherPage.contains("Cipher is TLS_CHACHA20_POLY1305_SHA256"))
    }

    @Test func `a second connection resumes the first one's session`() async throws {
        let server = try await TLSServer.start(try await TestAuthority.shared.server)
        let session = try await Self.transport()
        let pages = [
            try await session.response(for: server.url).text(),
            try await session.response(for: server.url).text(),
        ]
        #expect(pages[0].contains("New, TLSv1.3"))
        #expect(pages[1].contains("Reused, TLSv1.3"))
    }

    // MARK: Clients' certificates

    @Test(.rows("B-14"), arguments: ["files", "encrypted", "pem", "pkcs12"])
    func `a server that asks for a certificate gets it`(form: String) async throws {
        let authority = try await TestAuthority.shared
        let client = authority.client
        let server = try await TLSServer.start(
            authority.server,
            ["-Verify", "1", "-verify_return_error", "-CAfile", authority.root.certificate])
        let identity: ClientIdentity
        switch form {
        case "files": identity = .files(certificate: client.certificate, key: client.key)
        case "encrypted":
            let key = authority.path("encrypted.key")
            try ServerProcess.run(
                "openssl",
                [
                    "pkcs8", "-topk8", "-in", client.key, "-out", key, "-passout", "pass:s3cret",
                ])
            identity = .files(certificate: client.certificate, key: key, passphrase: "s3cret")
        case "pem":
            identity = .pem(
                certificate: try Data(contentsOf: URL(filePath: client.certificate)),
                key: try Data(contentsOf: URL(filePath: client.key)))
        default:
            let archive = authority.path("client.p12")
            try ServerProcess.run(
                "openssl",
                [
                    "pkcs12", "-export", "-in", client.certificate, "-inkey", client.key, "-out",
                    archive, "-passout", "pass:s3cret",
                ])
            identity = .pkcs12(
                try Data(contentsOf: URL(filePath: archive)), passphrase: "s3cret")
        }
        let session = try await Self.transport { $0.identity = identity }
        let page = try await session.response(for: server.url).text()
        #expect(page.contains("client.test"))
    }

    @Test(.rows("B-14"))
    func `without the certificate that it asks for, a server ends the handshake`()
        async throws
    {
        let authority = try await TestAuthority.shared
        let server = try await TLSServer.start(
            authority.server,
            [
                "-tls1_2", "-Verify", "1", "-verify_return_error", "-CAfile",
                authority.root.certificate,
            ])
        #expect(try await Self.failure(await Self.transport(), server.url).code == .tlsFailed)
    }

    @Test(.rows("B-14"), arguments: [nil, "wrong"])
    func `a key that stays locked fails without a prompt at the terminal`(
        passphrase: String?
    ) async throws {
        let authority = try await TestAuthority.shared
        let server = try await TLSServer.start(authority.server)
        let key = authority.path("locked-\(passphrase ?? "none").key")
        try ServerProcess.run(
            "openssl",
            [
                "pkcs8", "-topk8", "-in", authority.client.key, "-out", key, "-passout",
                "pass:s3cret",
            ])
        let session = try await Self.transport {
            $0.identity = .files(
                certificate: authority.client.certificate, key: key, passphrase: passphrase)
        }
        let error = try await Self.failure(session, server.url)
        #expect(error.code == .tlsFailed)
        #expect(!error.isRetryable)
    }

    // MARK: Secrets

    @Test func `secrets are written where the settings say`() async throws {
        let authority = try await TestAuthority.shared
        let server = try await TLSServer.start(authority.server)
        let file = authority.path("keys-asked.log")
        let session = try await Self.transport { $0.keyLogFile = file }
        _ = try await session.response(for: server.url).text()
        let log = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
        #expect(log.contains("CLIENT_TRAFFIC_SECRET_0 "))
        #expect(log.hasSuffix("\n"))
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test(arguments: ["owner", "link", "pipe"])
    func `a log of keys that another user has prepared is not written`(trap: String) async throws {
        let file = try TemporaryFile("")
        switch trap {
        case "owner":
            // Only root can give a file to another user.
            guard geteuid() == 0 else { return }
            try #require(unsafe chown(file.path, 65_534, 65_534) == 0)
        case "link": try #require(unsafe link(file.path, file.path + ".link") == 0)
        default:
            _ = unsafe unlink(file.path)
            try #require(unsafe mkfifo(file.path, 0o600) == 0)
        }
        defer { _ = unsafe unlink(file.path + ".link") }
        // Opening a pipe waits for a reader.
        let reader = trap == "pipe" ? unsafe open(file.path, O_RDONLY | O_NONBLOCK) : -1
        defer { if reader >= 0 { _ = close(reader) } }
        let error = await #expect(throws: HTTPError.self) {
            let session = try await Self.transport { $0.keyLogFile = file.path }
            _ = try await session.response(for: "https://127.0.0.1:1/")
        }
        #expect(error?.message.contains("is not written") == true, "\(error as Any)")
        if trap != "pipe" { #expect(Self.size(of: file.path) == 0) }
    }

    private static func size(of path: String) -> Int {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    @Test func `the environment makes no secret be written`() async throws {
        await #expect(processExitsWith: .success) {
            alarm(300)
            let authority = try await TestAuthority.shared
            let file = authority.path("keys-environment.log")
            _ = unsafe setenv("SSLKEYLOGFILE", file, 1)
            let server = try await TLSServer.start(authority.server)
            var configuration = CurlConfiguration()
            configuration.tls.trust = .only(.file(authority.root.certificate))
            let quiet = try CurlTransport(configuration)
            _ = try await quiet.response(for: server.url).text()
            await quiet.close()
            guard try CurlLibrary.loaded.get().logsKeysByEnvironment else { exit(2) }
            guard Self.size(of: file) == 0 else { exit(3) }
            // A transport that is asked to may still.
            configuration.tls.keyLogFile = file
            let talkative = try CurlTransport(configuration)
            _ = try await talkative.response(for: server.url).text()
            await talkative.close()
            guard Self.size(of: file) > 0 else { exit(4) }
        }
    }

    // MARK: The end

    /// A thread may be at work with OpenSSL while the process ends: what it needs is not freed.
    @Test(
        .enabled(
            if: (try? CurlLibrary.loaded.get().tls.logsKeys) == true, "libcurl is without OpenSSL"))
    func `the end of the process takes nothing of OpenSSL from threads at work`() async throws {
        await #expect(processExitsWith: .success) {
            alarm(300)
            let authority = try await TestAuthority.shared
            let server = try await TLSServer.start(authority.server)
            let session = try await Self.transport { _ in }
            _ = try await session.response(for: server.url).text()
            // Carried out before OpenSSL frees what it has.
            typealias Register = @convention(c) (@convention(c) () -> Void) -> Int32
            guard let symbol = unsafe dlsym(nil, "OPENSSL_atexit") else { exit(2) }
            guard unsafe unsafeBitCast(symbol, to: Register.self)({ _exit(3) }) == 1 else {
                exit(4)
            }
        }
    }
}
