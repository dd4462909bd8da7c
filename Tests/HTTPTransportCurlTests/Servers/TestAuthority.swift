import HTTPCore
import HTTPTransportCurl
import PortableFoundation
import PortableLibc

/// Certificates made on the spot, by `openssl`, in a folder that goes with the process.
struct TestAuthority: Sendable {
    struct Certificate: Sendable {
        /// Paths of files in PEM.
        let certificate: String
        let key: String

        /// The pin of its key.
        func pin() throws -> String {
            let key = try ServerProcess.run(
                "openssl", ["x509", "-in", certificate, "-noout", "-pubkey"])
            let folder = try TestAuthority.ownFolder.get()
            let file = "\(folder)/\(UUID().uuidString).pub"
            try (key.joined(separator: "\n") + "\n").write(
                toFile: file, atomically: false, encoding: .utf8)
            let digest = "\(file).sha256"
            try ServerProcess.run(
                "openssl",
                ["pkey", "-pubin", "-in", file, "-outform", "der", "-out", "\(file).der"])
            try ServerProcess.run(
                "openssl", ["dgst", "-sha256", "-binary", "-out", digest, "\(file).der"])
            return try "sha256/" + Data(contentsOf: URL(filePath: digest)).base64EncodedString()
        }
    }

    static var isAvailable: Bool { ServerProcess.has("openssl") }

    fileprivate static let ownFolder = Result<String, any Error> {
        var template = Array("/tmp/http-curl-tests-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw SystemError(errno) }
        return String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
    }

    private static let removal: Void = {
        atexit {
            if let folder = try? TestAuthority.ownFolder.get() {
                try? FileManager.default.removeItem(atPath: folder)
            }
        }
    }()

    /// The one of this process.
    private static let made = Result<TestAuthority, any Error> { try TestAuthority() }
    static var shared: TestAuthority {
        get async throws { try await ServerProcess.onThread { try made.get() } }
    }

    /// Returns a configuration that trusts only the authority.
    static func trusting() async throws -> CurlConfiguration {
        var configuration = CurlConfiguration()
        configuration.tls.trust = .only(.file(try await shared.root.certificate))
        // A handshake takes long where many tests share few processors.
        configuration.timeouts.connect = .after(.seconds(60))
        return configuration
    }

    /// Returns a transport that trusts only the authority.
    @inline(never) static func transport(
        _ change: (inout CurlConfiguration) throws -> Void = { _ in }
    ) async throws -> CurlTransport {
        var configuration = try await trusting()
        try change(&configuration)
        return try CurlTransport(configuration)
    }

    let folder: String
    let root: Certificate
    /// For `localhost` and 127.0.0.1.
    let server: Certificate
    let client: Certificate

    private init() throws {
        folder = try Self.ownFolder.get()
        _ = Self.removal
        root = try Self.selfSigned("root", "CN=Test root", in: folder)
        server = try Self.issue("server", "DNS:localhost,IP:127.0.0.1", by: root, in: folder)
        client = try Self.issue("client", "DNS:client.test", by: root, in: folder)
    }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    private static func key(_ name: String, in folder: String) throws -> String {
        let path = "\(folder)/\(name).key"
        try ServerProcess.run(
            "openssl", ["ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", path])
        return path
    }

    private static func selfSigned(
        _ name: String, _ subject: String, names: String? = nil, in folder: String
    ) throws -> Certificate {
        let key = try key(name, in: folder)
        let path = "\(folder)/\(name).pem"
        try ServerProcess.run(
            "openssl",
            [
                "req", "-x509", "-new", "-key", key, "-out", path, "-days", "2", "-subj",
                "/\(subject)",
            ]
                + (names.map { ["-addext", "subjectAltName=\($0)"] } ?? []))
        return Certificate(certificate: path, key: key)
    }

    private static func issue(
        _ name: String, _ names: String, days: Int = 2, by issuer: Certificate, in folder: String
    ) throws -> Certificate {
        let key = try key(name, in: folder)
        let path = "\(folder)/\(name).pem"
        try ServerProcess.run(
            "openssl",
            ["req", "-new", "-key", key, "-subj", "/CN=\(name)", "-out", "\(folder)/\(name).csr"])
        try "subjectAltName=\(names)\n".write(
            toFile: "\(folder)/\(name).ext", atomically: false, encoding: .utf8)
        func sign(_ validity: [String]) throws {
            try ServerProcess.run(
                "openssl",
                [
                    "x509", "-req", "-in", "\(folder)/\(name).csr", "-CA", issuer.certificate,
                    "-CAkey", issuer.key, "-set_serial", "\(UInt32.random(in: 1 ... .max))",
                    "-extfile", "\(folder)/\(name).ext", "-out", path,
                ] + validity)
        }
        do {
            try sign(["-days", "\(days)"])
        } catch  where days < 0 {
            // From OpenSSL 3.4 on the dates are said as such, and a certificate that ends before it
            // begins is refused.
            try sign(["-not_before", "20200101000000Z", "-not_after", "20200102000000Z"])
        }
        return Certificate(certificate: path, key: key)
    }

    /// Names are of files: each once per process.
    func issue(_ name: String, _ names: String, days: Int = 2) throws -> Certificate {
        try Self.issue(name, names, days: days, by: root, in: folder)
    }

    func selfSigned(_ name: String, _ names: String) throws -> Certificate {
        try Self.selfSigned(name, "CN=\(name)", names: names, in: folder)
    }
}
