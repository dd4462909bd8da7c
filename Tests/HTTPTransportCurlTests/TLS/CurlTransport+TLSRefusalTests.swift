import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing

@testable import HTTPTransportCurl

/// Handshakes that fail, each for its reason.
@Suite(
    .timeLimit(.minutes(5)), .enabled(if: TestAuthority.isAvailable, "openssl is not installed"),
    .enabled(
        if: (try? CurlLibrary.loaded.get().tls.family) == .openSSL, "libcurl is without OpenSSL"))
struct CurlTransportTLSRefusalTests {
    private static func failure(
        _ session: CurlTransport, _ url: String, _ method: HTTPMethod = .get,
        _ version: HTTPVersion? = nil
    ) async throws -> HTTPError {
        var asking = try HTTPRequest(method, url, body: method == .post ? HTTPBody("x") : .empty)
        asking.version = version
        let request = asking
        return try #require(
            await #expect(throws: HTTPError.self) { _ = try await session.response(for: request) })
    }

    private static func expectRefusal(_ error: HTTPError, _ words: String, _ case: String = "") {
        #expect(error.code == .tlsFailed, "\(`case`): \(error)")
        #expect(error.phase == .securing)
        #expect(!error.isRetryable, "\(`case`): \(error)")
        #expect(!error.mayHaveReachedServer)
        #expect(error.message.contains(words), "\(`case`): \(error)")
    }

    private static func identity(_ certificate: TestAuthority.Certificate) -> ClientIdentity {
        .files(certificate: certificate.certificate, key: certificate.key)
    }

    // MARK: Servers that refuse

    enum Client: String, CaseIterable, Sendable {
        case none, stranger, expired

        func identity(_ authority: TestAuthority) throws -> ClientIdentity? {
            switch self {
            case .none: nil
            case .stranger:
                CurlTransportTLSRefusalTests.identity(
                    try authority.selfSigned("stranger \(Int.random(in: 0...Int.max))", "DNS:a"))
            case .expired:
                CurlTransportTLSRefusalTests.identity(
                    try authority.issue("late \(Int.random(in: 0...Int.max))", "DNS:b", days: -1))
            }
        }

        var words: String {
            switch self {
            case .none: "client certificate and got none"
            case .stranger: "does not trust the authority of the client's certificate"
            case .expired: "the client's certificate has expired"
            }
        }
    }

    /// The refusal in TLS 1.3 comes after the handshake, often together with a reset of the
    /// connection while the request is written.
    @Test(
        .rows("B-14"), arguments: Client.allCases,
        [["-tls1_2"], ["-tls1_3"], ["-tls1_3", "-alpn", "h2"]])
    func `a client's certificate that is missing or refused is the reason`(
        client: Client, arguments: [String]
    ) async throws {
        let authority = try await TestAuthority.shared
        let server = try await TLSServer.start(
            authority.server,
            arguments + [
                "-Verify", "1", "-verify_return_error", "-CAfile",
                authority.root.certificate,
            ])
        let identity = try client.identity(authority)
        for certificateVerification in [TLSSettings.CertificateVerification.full, .unsafeNone] {
            let session = try await TestAuthority.transport {
                $0.tls.identity = identity
                $0.tls.certificateVerification = certificateVerification
            }
            for attempt in 0..<10 {
                let method: HTTPMethod = attempt % 2 == 0 ? .get : .post
                // Older libraries send bodies over HTTP/2 only if it is asked for.
                let error = try await Self.failure(
                    session, server.url, method, arguments.contains("h2") ? .http2 : nil)
                Self.expectRefusal(error, client.words, "\(attempt) \(method)")
            }
        }
    }

    @Test(
        arguments: [
            (["-tls1_3"], 2, 2, nil, "does not speak the offered versions of TLS"),
            (["-tls1_2"], 3, 3, nil, "does not speak the offered versions of TLS"),
            (
                ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES256-GCM-SHA384"], 2, 2,
                "ECDHE-ECDSA-CHACHA20-POLY1305", "none of the offered ciphers"
            ),
        ] as [([String], Int, Int, String?, String)])
    func `settings that have nothing in common are the reason`(
        arguments: [String], minimum: Int, maximum: Int, suites: String?, words: String
    ) async throws {
        let server = try await TLSServer.start(try await TestAuthority.shared.server, arguments)
        let session = try await TestAuthority.transport {
            $0.tls.minimumVersion = try #require(TLSSettings.Version(rawValue: minimum))
            $0.tls.maximumVersion = TLSSettings.Version(rawValue: maximum)
            $0.tls.cipherSuites = suites
        }
        Self.expectRefusal(try await Self.failure(session, server.url), words)
    }

    @Test(arguments: [40, 42, 48, 50, 70, 71, 80, 90, 112, 116, 120, 200] as [UInt8])
    func `every alert is named, and final if it is one of settings`(number: UInt8) async throws {
        let server = try RawListener { connection in
            _ = connection.read(5)
            connection.write([21, 3, 3, 0, 2, 2, number])
            _ = connection.read(upTo: 1 << 16)
        }
        let error = try await Self.failure(
            try await TestAuthority.transport(), "https://127.0.0.1:\(server.port)/")
        let alert = TLSAlert(number)
        #expect(error.code == .tlsFailed)
        #expect(error.message.contains("\(alert)"), "\(error)")
        #expect(error.isRetryable == (alert.refusal(hasIdentity: false) == nil), "\(error)")
        #expect(!error.mayHaveReachedServer)
    }

    // MARK: What is no TLS

    @Test(arguments: ["HTTP/1.1 400 Bad Request\r\n\r\n", "220 mail ready\r\n", "SSH-2.0-x\r\n"])
    func `a server that does not speak TLS is the reason`(answer: String) async throws {
        let server = try RawListener { connection in
            _ = connection.read(5)
            connection.write(answer)
            _ = connection.read(upTo: 1 << 16)
        }
        let error = try await Self.failure(
            try await TestAuthority.transport(), "https://127.0.0.1:\(server.port)/")
        Self.expectRefusal(error, "is not TLS")
    }

    @Test func `a connection that ends in the handshake may be made again`() async throws {
        let server = try RawListener { connection in _ = connection.read(5) }
        let error = try await Self.failure(
            try await TestAuthority.transport(), "https://127.0.0.1:\(server.port)/")
        #expect(error.code == .tlsFailed)
        #expect(error.isRetryable)
        #expect(!error.mayHaveReachedServer)
    }

    // MARK: This side

    @Test func `a key of another certificate is the reason`() async throws {
        let authority = try await TestAuthority.shared
        let server = try await TLSServer.start(authority.server)
        let session = try await TestAuthority.transport {
            $0.tls.identity = .files(
                certificate: authority.client.certificate, key: authority.server.key)
        }
        let error = try await Self.failure(session, server.url)
        Self.expectRefusal(error, "does not belong to its certificate")
        #expect(!"\(error)".contains(authority.server.key))
    }

    // MARK: The end of a connection (RFC 9112 §9.8)

    /// A body that ends with its connection is complete only if TLS was closed.
    @Test(arguments: ["HTTP/1.1", "HTTP/1.0"])
    func `a body whose connection is cut off is not complete`(version: String) async throws {
        let tls = try RawTLS(try await TestAuthority.shared.server)
        let server = try RawListener { connection in
            guard let channel = tls.accept(connection) else { return }
            _ = channel.read(through: Array("\r\n\r\n".utf8))
            channel.write(Array("\(version) 200 OK\r\n\r\ncut off".utf8))
        }
        let session = try await TestAuthority.transport()
        let url = "https://127.0.0.1:\(server.port)/"
        let request = try HTTPRequest(.get, url)
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request).data()
        }
        #expect(error?.code == .bodyIncomplete, "\(String(describing: error))")
        #expect(error?.isRetryable == true)
        #expect(error?.status == .ok)
    }

    @Test(arguments: [
        "Content-Length: 4\r\n\r\nfine", "Transfer-Encoding: chunked\r\n\r\n4\r\nfine\r\n0\r\n\r\n",
    ])
    func `a body that ends by itself needs no close of TLS`(rest: String) async throws {
        let tls = try RawTLS(try await TestAuthority.shared.server)
        let server = try RawListener { connection in
            guard let channel = tls.accept(connection) else { return }
            _ = channel.read(through: Array("\r\n\r\n".utf8))
            channel.write(Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\(rest)".utf8))
        }
        let session = try await TestAuthority.transport()
        let text = try await session.response(for: "https://127.0.0.1:\(server.port)/").text()
        #expect(text == "fine")
    }

    /// The reset of a connection does not take the response with it that came before.
    @Test func `a response that comes while the request is written is read`() async throws {
        let tls = try RawTLS(try await TestAuthority.shared.server)
        let server = try RawListener { connection in
            guard let channel = tls.accept(connection) else { return }
            channel.write(Array("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n".utf8))
        }
        let session = try await TestAuthority.transport()
        let request = try HTTPRequest(
            .post, "https://127.0.0.1:\(server.port)/", body: HTTPBody("x"))
        do {
            let response = try await session.response(for: request)
            #expect(response.status.code == 408)
        } catch let error as HTTPError {
            #expect(error.code == .connectionLost)
        }
    }
}
