import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

/// The TLS of a proxy and the TLS of servers have settings of their own.
@Suite(
    .timeLimit(.minutes(5)), .enabled(if: TestAuthority.isAvailable, "openssl is not installed"),
    .enabled(
        if: (try? CurlLibrary.loaded.get().tls.family) == .openSSL, "libcurl is without OpenSSL"))
struct CurlTransportHTTPSProxyTests {
    /// A server that says how its connection is secured, behind a proxy that is reached over TLS.
    private struct Way {
        let server: TLSServer
        let proxy: TestProxy
        let front: TLSFront

        /// - Parameters:
        ///   - server: The certificate of the server.
        ///   - proxy: The certificate of the proxy.
        init(
            server: TestAuthority.Certificate, _ serverArguments: [String] = [],
            proxy: TestAuthority.Certificate, _ proxyArguments: [String] = []
        ) async throws {
            self.server = try await TLSServer.start(server, serverArguments)
            self.proxy = try TestProxy(to: self.server.port)
            front = try await TLSFront.start(
                proxy, before: self.proxy.port, connections: 8, proxyArguments)
        }

        var proxyURL: String { "https://alice:s3cret@localhost:\(front.port)" }
        var serverURL: String { "https://localhost:\(server.port)/" }
    }

    private static func transport(
        _ way: Way, _ tls: TLSSettings?, _ change: (inout CurlConfiguration) -> Void = { _ in }
    ) async throws -> CurlTransport {
        var proxy = try ProxyServer(way.proxyURL)
        proxy.tls = tls
        return try await TestAuthority.transport {
            $0.proxies = .server(proxy)
            $0.addressFamily = .ipv4
            change(&$0)
        }
    }

    private static func failure(
        _ session: CurlTransport, _ request: HTTPRequest
    ) async throws -> HTTPError {
        try #require(
            await #expect(throws: HTTPError.self) { _ = try await session.response(for: request) })
    }

    private static func trusting(_ certificate: TestAuthority.Certificate) -> TLSSettings {
        var settings = TLSSettings()
        settings.trust = .only(.file(certificate.certificate))
        return settings
    }

    private static func rehashed(
        _ certificate: TestAuthority.Certificate, _ authority: TestAuthority
    ) throws -> String {
        let folder = authority.path("hashed \(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: certificate.certificate, toPath: "\(folder)/root.pem")
        try ServerProcess.run("openssl", ["rehash", folder])
        return folder
    }

    private static func selfSigned(_ authority: TestAuthority) throws -> TestAuthority.Certificate {
        try authority.selfSigned("own \(UInt64.random(in: 0 ... .max))", "DNS:localhost")
    }

    // MARK: Verification

    /// The flaw of a proxy's certificate. All but the first have a trusted authority.
    enum Unfit: CaseIterable {
        case selfSigned, ofAnotherHost, expired

        var reason: CertificateFailure.Reason {
            switch self {
            case .selfSigned: .selfSigned
            case .ofAnotherHost: .wrongHost
            case .expired: .expired
            }
        }

        fileprivate func certificate() async throws -> TestAuthority.Certificate {
            let authority = try await TestAuthority.shared
            let name = "proxy \(UInt64.random(in: 0 ... .max))"
            switch self {
            case .selfSigned: return try authority.selfSigned(name, "DNS:localhost")
            case .ofAnotherHost: return try authority.issue(name, "DNS:other.test,IP:127.0.0.1")
            case .expired: return try authority.issue(name, "DNS:localhost", days: -1)
            }
        }
    }

    /// Neither a request nor a transport that verifies no servers gives its proxy's credentials to
    /// whatever is on the path.
    @Test(arguments: Unfit.allCases, [(true, "http"), (false, "http"), (true, "https")])
    func `a proxy is verified, whatever is verified of servers`(
        unfit: Unfit, request kind: (verifiesNoServer: Bool, scheme: String)
    ) async throws {
        let (isOfRequest, scheme) = kind
        let authority = try await TestAuthority.shared
        let way = try await Way(server: authority.server, proxy: await unfit.certificate())
        let session = try await Self.transport(way, nil) {
            if !isOfRequest { $0.tls.certificateVerification = .unsafeNone }
        }
        var request = try HTTPRequest(.get, "\(scheme)://localhost:\(way.server.port)/")
        if isOfRequest {
            var settings = TLSSettings()
            settings.certificateVerification = .unsafeNone
            request[TLSSettings.self] = settings
        }
        let error = try await Self.failure(session, request)
        #expect(error.code == .serverNotTrusted, "\(error)")
        #expect(error.message.contains("the proxy's certificate"), "\(error)")
        #expect((error.underlyingError as? CertificateFailure)?.reason == unfit.reason)
        #expect(!error.isRetryable && !error.mayHaveReachedServer)
        #expect(way.proxy.log.isEmpty)
    }

    @Test func `a proxy that is not verified does not make its servers so`() async throws {
        let authority = try await TestAuthority.shared
        let own = try Self.selfSigned(authority)
        let way = try await Way(server: own, proxy: own)
        var settings = TLSSettings()
        settings.certificateVerification = .unsafeNone
        let session = try await Self.transport(way, settings)
        let error = try await Self.failure(session, HTTPRequest(.get, way.serverURL))
        #expect(error.code == .serverNotTrusted, "\(error)")
        #expect(error.message.contains("the server's certificate"), "\(error)")
        #expect(way.proxy.log.count == 1)
    }

    // MARK: Authorities

    /// The authorities for each side come from a file, or from a directory or the machine, which
    /// OpenSSL is asked for.
    @Test(
        arguments: [("file", "directory"), ("directory", "file"), ("directory", "directory")])
    func `each side is trusted by its own authorities`(
        forms: (server: String, proxy: String)
    ) async throws {
        let authority = try await TestAuthority.shared
        let (one, other) = (try Self.selfSigned(authority), try Self.selfSigned(authority))
        let way = try await Way(server: one, proxy: other)
        func settings(
            _ certificate: TestAuthority.Certificate, _ form: String
        ) throws -> TLSSettings {
            var settings = Self.trusting(certificate)
            if form == "directory" {
                settings.trust = .only(.directory(try Self.rehashed(certificate, authority)))
            }
            return settings
        }
        let session = try await Self.transport(way, try settings(other, forms.proxy))
        var request = try HTTPRequest(.get, way.serverURL)
        request[TLSSettings.self] = try settings(one, forms.server)
        #expect(try await session.response(for: request).text().contains("Protocol  : TLS"))

        // The other way round, none is trusted.
        let swapped = try await Self.transport(way, try settings(one, forms.proxy))
        request[TLSSettings.self] = try settings(other, forms.server)
        let error = try await Self.failure(swapped, request)
        #expect(error.message.contains("the proxy's certificate"), "\(error)")
        let again = try await Way(server: one, proxy: other)
        let half = try await Self.transport(again, try settings(other, forms.proxy))
        request.url = try #require(URL(string: again.serverURL))
        let second = try await Self.failure(half, request)
        #expect(second.message.contains("the server's certificate"), "\(second)")
    }

    @Test func `authorities of a request are not a proxy's`() async throws {
        let authority = try await TestAuthority.shared
        let own = try Self.selfSigned(authority)
        let way = try await Way(server: own, proxy: authority.server)
        let session = try await Self.transport(way, nil)
        var request = try HTTPRequest(.get, way.serverURL)
        request[TLSSettings.self] = Self.trusting(own)
        #expect(try await session.response(for: request).text().contains("Protocol  : TLS"))
    }

    // MARK: Versions

    @Test(arguments: [("-tls1_2", "-tls1_3"), ("-tls1_3", "-tls1_2")])
    func `versions of a request are not a proxy's`(
        versions: (server: String, proxy: String)
    ) async throws {
        let authority = try await TestAuthority.shared
        let way = try await Way(
            server: authority.server, [versions.server], proxy: authority.server, [versions.proxy])
        let session = try await Self.transport(way, nil)
        var request = try HTTPRequest(.get, way.serverURL)
        var settings = Self.trusting(authority.root)
        settings.minimumVersion = versions.server == "-tls1_2" ? .tls1_2 : .tls1_3
        settings.maximumVersion = settings.minimumVersion
        request[TLSSettings.self] = settings
        #expect(try await session.response(for: request).text().contains("Protocol  : TLS"))
    }

    @Test func `a proxy's versions are its own`() async throws {
        let authority = try await TestAuthority.shared
        let way = try await Way(
            server: authority.server, ["-tls1_2"], proxy: authority.server, ["-tls1_2"])
        var settings = Self.trusting(authority.root)
        settings.minimumVersion = .tls1_3
        let session = try await Self.transport(way, settings)
        let error = try await Self.failure(session, HTTPRequest(.get, way.serverURL))
        #expect(error.code == .tlsFailed, "\(error)")
        #expect(error.message.contains("the proxy https://localhost"), "\(error)")
        #expect(!error.isRetryable)
        #expect(!"\(error)".contains("s3cret"))
    }

    // MARK: Pins

    @Test(arguments: [true, false])
    func `a proxy's key may be pinned`(isRight: Bool) async throws {
        let authority = try await TestAuthority.shared
        let way = try await Way(server: authority.client, proxy: authority.server)
        let pinned = isRight ? authority.server : authority.client
        var settings = Self.trusting(authority.root)
        settings.publicKeyPins = ["localhost": [try #require(PublicKeyPin(try pinned.pin()))]]
        let session = try await Self.transport(way, settings) {
            // The pins are not for the server, whose name is the same.
            $0.tls.certificateVerification = .unsafeNone
        }
        let request = try HTTPRequest(.get, way.serverURL)
        if isRight {
            #expect(try await session.response(for: request).status == .ok)
        } else {
            let error = try await Self.failure(session, request)
            #expect(error.code == .serverNotTrusted, "\(error)")
            #expect((error.underlyingError as? CertificateFailure)?.reason == .notPinned)
            #expect(way.proxy.log.isEmpty)
        }
    }

    // MARK: Identities

    @Test func `each side gets the certificate that is meant for it`() async throws {
        let authority = try await TestAuthority.shared
        let asking = [
            "-tls1_2", "-Verify", "1", "-verify_return_error", "-CAfile",
            authority.root.certificate,
        ]
        let way = try await Way(
            server: authority.server, ["-verify", "1", "-CAfile", authority.root.certificate],
            proxy: authority.server, asking)
        let identity = ClientIdentity.files(
            certificate: authority.client.certificate, key: authority.client.key)
        // That of requests is not for the proxy.
        let mistaken = try await Self.transport(way, nil) { $0.tls.identity = identity }
        let error = try await Self.failure(mistaken, HTTPRequest(.get, way.serverURL))
        #expect(error.code == .tlsFailed, "\(error)")
        #expect(error.message.contains("the proxy"), "\(error)")
        #expect(error.message.contains("client certificate and got none"), "\(error)")
        #expect(!error.isRetryable)
        #expect(way.proxy.log.isEmpty)
        // That of the proxy is not for the server.
        var settings = Self.trusting(authority.root)
        settings.identity = identity
        let session = try await Self.transport(way, settings)
        let page = try await session.response(for: way.serverURL).text()
        #expect(page.contains("no client certificate available"))
    }

    // MARK: Key logs

    @Test(arguments: [true, false])
    func `secrets of one side are not in the log of the other`(isOfServer: Bool) async throws {
        let authority = try await TestAuthority.shared
        let way = try await Way(server: authority.server, proxy: authority.server)
        let file = authority.path("keys-\(isOfServer ? "server" : "proxy").log")
        var logging = Self.trusting(authority.root)
        logging.keyLogFile = file
        let session = try await Self.transport(way, isOfServer ? nil : logging)
        var request = try HTTPRequest(.get, way.serverURL)
        if isOfServer { request[TLSSettings.self] = logging }
        _ = try await session.response(for: request).text()
        let log = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
        #expect(log.split(separator: "\n").count { $0.hasPrefix("CLIENT_TRAFFIC_SECRET_0 ") } == 1)
    }
}
