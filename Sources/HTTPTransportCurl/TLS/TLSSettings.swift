public import HTTPCore
public import PortableFoundation

/// The settings of TLS connections: the authorities to trust, the client's identity, and the
/// versions and ciphers to agree on.
///
/// A transport has one, ``CurlConfiguration/tls``; a request may have another:
/// `request[TLSSettings.self] = settings`. They are for servers; a proxy has settings of its own,
/// ``ProxyServer/tls``. Connections and TLS sessions are never shared between settings that differ.
/// A transport keeps what it has prepared for the 256 distinct values that it used last, so make
/// few of them, not one per request.
///
/// A request's own settings are bound to the origin that they were given for if they have an
/// ``identity`` or verify no certificate. On a redirect to another origin, the transport's own
/// settings apply.
///
/// A setting that the linked libcurl does not support is refused with `unsupportedOption`, when the
/// transport is made or before the request is sent.
public struct TLSSettings: Hashable, Sendable {
    /// The certificates of authorities.
    public enum Authorities: Hashable, Sendable {
        /// A PEM bundle in a file. It is read once, when the settings are first used.
        case file(String)
        /// A directory of certificates under hashed names, as `openssl rehash` makes them. Those
        /// that a server's chain needs are read for each new connection.
        case directory(String)
        /// A PEM bundle in memory.
        case pem(Data)

        /// A PEM bundle in the file of a file URL. See ``file(_:)-enum.case``.
        public static func file(_ url: URL) throws(HTTPError) -> Self { .file(try url.filePath) }

        /// A directory of certificates by its file URL. See ``directory(_:)-enum.case``.
        public static func directory(_ url: URL) throws(HTTPError) -> Self {
            .directory(try url.filePath)
        }
    }

    /// The authorities that servers' certificates may come from.
    public enum Trust: Hashable, Sendable {
        /// The machine's authorities. A change of their file counts from the next connection on, if
        /// the TLS library is OpenSSL.
        case system
        /// The machine's authorities and these.
        case systemAnd(Authorities)
        /// Only these, without the machine's authorities.
        case only(Authorities)
    }

    /// A version of TLS.
    public enum Version: Int, Comparable, Hashable, Sendable {
        /// TLS 1.2 (RFC 5246).
        case tls1_2 = 2
        /// TLS 1.3 (RFC 8446).
        case tls1_3 = 3

        public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    /// The checks of a server's certificate.
    public enum CertificateVerification: Hashable, Sendable {
        /// The chain leads to a trusted authority, and the certificate names the host.
        case full
        /// Any server may respond, whatever its certificate. A warning is written to standard
        /// error, once per process. This is refused together with pins, because it would make them
        /// worthless.
        case unsafeNone
    }

    /// The authorities to trust: the machine's by default.
    public var trust = Trust.system
    /// The certificate to show to servers that ask for one.
    public var identity: ClientIdentity?
    /// The public keys that servers must have, by host: `"example.com"`, `"*.example.com"` for one
    /// label more, `"**.example.com"` for the host and everything below it. One pin of all patterns
    /// that match must match the key of the server's own certificate. Hosts without a pattern are
    /// not pinned. A failure lists the pins of the chain that the server sent.
    public var publicKeyPins: [String: Set<PublicKeyPin>] = [:]
    /// The earliest version to agree on: TLS 1.2 by default.
    public var minimumVersion = Version.tls1_2
    /// The latest version to agree on; `nil` for the latest that both sides support.
    public var maximumVersion: Version?
    /// The cipher suites of TLS 1.2, in OpenSSL's notation; `nil` leaves the choice to the library.
    public var cipherSuites: String?
    /// The cipher suites of TLS 1.3 by name, separated by colons; `nil` leaves the choice to the
    /// library.
    public var cipherSuites1_3: String?
    /// A file to append the connections' secrets to, in NSS's format, for a protocol analyser.
    /// Anyone with the file can read the traffic.
    ///
    /// Without it, no secret is written, even if `SSLKEYLOGFILE` is set.
    public var keyLogFile: String?
    /// The checks of the server's certificate: all by default.
    public var certificateVerification = CertificateVerification.full

    /// Creates settings with the defaults.
    public init() {}
}

extension TLSSettings {
    /// The part of a transport's settings that applies to a proxy without settings of its own.
    var forProxies: TLSSettings {
        var settings = TLSSettings()
        settings.trust = trust
        settings.minimumVersion = minimumVersion
        settings.maximumVersion = maximumVersion
        settings.keyLogFile = keyLogFile
        return settings
    }
}

extension TLSSettings: HTTPTransportOption {
    /// `nil` means the transport's own settings.
    public static var defaultValue: TLSSettings? { nil }
    /// Returns `true` for settings with an ``identity`` or without ``certificateVerification``.
    /// Neither is meant for another origin.
    public static func isBoundToOrigin(_ value: TLSSettings?) -> Bool {
        guard let value else { return false }
        return value.identity != nil || value.certificateVerification == .unsafeNone
    }
}

/// A certificate with its private key, for servers that authenticate their clients.
public struct ClientIdentity: Hashable, Sendable {
    enum Form: Hashable {
        case files(certificate: String, key: String)
        case pem(certificate: Data, key: Data)
        case pkcs12(Data)
    }

    let form: Form
    let passphrase: String?

    /// Creates an identity from two PEM files. The certificate's file may also contain those of its
    /// issuers.
    public static func files(
        certificate: String, key: String, passphrase: String? = nil
    ) -> Self {
        Self(form: .files(certificate: certificate, key: key), passphrase: passphrase)
    }

    /// Creates an identity from two PEM files by their file URLs. See
    /// ``files(certificate:key:passphrase:)-(String,_,_)``.
    public static func files(
        certificate: URL, key: URL, passphrase: String? = nil
    ) throws(HTTPError) -> Self {
        files(
            certificate: try certificate.filePath, key: try key.filePath, passphrase: passphrase)
    }

    /// Creates an identity from two PEM texts. The certificate's text may also contain those of its
    /// issuers.
    public static func pem(certificate: Data, key: Data, passphrase: String? = nil) -> Self {
        Self(form: .pem(certificate: certificate, key: key), passphrase: passphrase)
    }

    /// Creates an identity from the contents of a `.p12` or `.pfx` file (RFC 7292).
    public static func pkcs12(_ archive: Data, passphrase: String? = nil) -> Self {
        Self(form: .pkcs12(archive), passphrase: passphrase)
    }
}

extension ClientIdentity: CustomStringConvertible, CustomReflectable {
    /// A description that contains nothing of the key or its passphrase.
    public var description: String {
        switch form {
        case .files(let certificate, _): "identity in \(certificate.logSafe)"
        case .pem: "identity in PEM"
        case .pkcs12: "identity in PKCS #12"
        }
    }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

// MARK: - Validation

extension TLSSettings {
    /// - Throws: `invalidRequest` if a setting makes no sense or cannot be read, or
    ///   `unsupportedOption` if `backend` does not support one. The message names the setting.
    func check(_ backend: TLSBackend) throws(HTTPError) {
        if let maximumVersion, maximumVersion < minimumVersion {
            throw Self.invalid("maximumVersion is less than minimumVersion")
        }
        for (name, suites) in [
            ("cipherSuites", cipherSuites), ("cipherSuites1_3", cipherSuites1_3),
        ] {
            if let suites, suites.isEmpty || !suites.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            {
                throw Self.invalid("\(name) is empty or holds a blank or a control character")
            }
        }
        try checkPins(backend)
        switch trust {
        case .system: break
        case .systemAnd(let authorities), .only(let authorities): try authorities.check(backend)
        }
        try identity?.check(backend)
        if keyLogFile?.utf8.contains(0) == true {
            throw Self.invalid("the path of keyLogFile holds a NUL")
        }
        if cipherSuites != nil || cipherSuites1_3 != nil, !backend.takesCipherSuites {
            throw backend.refusal(of: "cipherSuites and cipherSuites1_3")
        }
        if keyLogFile != nil, !backend.logsKeys { throw backend.refusal(of: "keyLogFile") }
    }

    private func checkPins(_ backend: TLSBackend) throws(HTTPError) {
        for (pattern, pins) in publicKeyPins {
            guard HostPattern(pattern) != nil else {
                throw Self.invalid("the host pattern \(pattern.logSafe) of the pins is not valid")
            }
            guard !pins.isEmpty else {
                throw Self.invalid("\(pattern) has no pin: no key could match")
            }
        }
        guard !publicKeyPins.isEmpty else { return }
        if certificateVerification == .unsafeNone {
            throw Self.invalid(
                "publicKeyPins are worthless with certificateVerification .unsafeNone")
        }
        if !backend.pinsKeys { throw backend.refusal(of: "publicKeyPins") }
    }

    static func invalid(_ reason: String) -> HTTPError {
        HTTPError(.invalidRequest, "the TLS settings: \(reason)", phase: .preparing)
    }
}

extension TLSSettings.Authorities {
    fileprivate func check(_ backend: TLSBackend) throws(HTTPError) {
        switch self {
        case .file(let path):
            if let error = ReadableFile.check(path) {
                throw TLSSettings.invalid(
                    "the certificate authority file \(path.logSafe) cannot be read: \(error)")
            }
        case .directory(let path):
            if path.utf8.contains(UInt8(ascii: ":")) {
                throw TLSSettings.invalid(
                    "the certificate authority directory \(path.logSafe) has a colon, which "
                        + "separates directories")
            }
            if let error = ReadableFile.checkDirectory(path) {
                throw TLSSettings.invalid(
                    "the certificate authority directory \(path.logSafe) cannot be read: \(error)")
            }
            if !backend.searchesDirectories {
                throw backend.refusal(of: "a directory of authorities")
            }
        case .pem(let pem):
            guard PEM.isCertificate(pem) else {
                throw TLSSettings.invalid("the certificate authorities hold no certificate in PEM")
            }
        }
    }
}

extension ClientIdentity {
    fileprivate func check(_ backend: TLSBackend) throws(HTTPError) {
        if passphrase?.utf8.contains(0) == true {
            throw TLSSettings.invalid("the identity's passphrase holds a NUL")
        }
        switch form {
        case .files(let certificate, let key):
            for path in [certificate, key] {
                if let error = ReadableFile.check(path) {
                    throw TLSSettings.invalid(
                        "the identity's file \(path.logSafe) cannot be read: \(error)")
                }
            }
        case .pem(let certificate, let key):
            guard PEM.isCertificate(certificate) else {
                throw TLSSettings.invalid("the identity holds no certificate in PEM")
            }
            guard PEM.isPrivateKey(key) else {
                throw TLSSettings.invalid("the identity holds no private key in PEM")
            }
        case .pkcs12(let archive):
            // A PKCS #12 archive is a DER sequence, and longer than this.
            guard archive.count > 16, archive.first == 0x30 else {
                throw TLSSettings.invalid("the identity is not a PKCS #12 archive")
            }
        }
        if !backend.takesIdentities { throw backend.refusal(of: "identity") }
    }
}
