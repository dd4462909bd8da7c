public import HTTPCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// How connections are secured: whom to trust, as whom to appear, and what to agree on.
///
/// A transport has one, ``CurlConfiguration/tls``; a request may have another:
/// `request[TLSSettings.self] = settings`. Connections and TLS sessions are never shared between
/// settings that differ. A transport keeps what it has prepared for the 256 distinct values it met
/// last, so make few of them, not one per request.
///
/// A request's own that have an ``identity`` or verify no certificate are bound to the origin that
/// they were given for: on a redirect to another one, the transport's own settings hold.
///
/// What the linked libcurl cannot do is refused with `unsupportedOption`, when the transport is made
/// or before the request is sent.
public struct TLSSettings: Hashable, Sendable {
    /// Certificates of authorities.
    public enum Authorities: Hashable, Sendable {
        /// A PEM bundle. Read once, when the settings are first used.
        case file(String)
        /// Certificates under hashed names, as `openssl rehash` makes them; those that a server's
        /// chain needs are read for each connection that is made.
        case directory(String)
        /// A PEM bundle.
        case pem(Data)
    }

    public enum Trust: Hashable, Sendable {
        /// The machine's authorities: from a directory of hashed names that holds what the bundle
        /// holds, as Debian and Alpine have one, so that few are read; else from the bundle.
        case system
        /// The machine's authorities, and these.
        case systemAnd(Authorities)
        /// These, and not the machine's.
        case only(Authorities)
    }

    public enum Version: Int, Comparable, Hashable, Sendable {
        case tls1_2 = 2
        case tls1_3 = 3

        public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    public enum CertificateVerification: Hashable, Sendable {
        /// The chain leads to a trusted authority, and the certificate names the host.
        case full
        /// Anybody may answer. A warning is written to standard error, once per process. Refused
        /// together with pins, which it would make worthless.
        case unsafeNone
    }

    public var trust = Trust.system
    /// The certificate to show to servers that ask for one.
    public var identity: ClientIdentity?
    /// Public keys that servers must have, by host: `"example.com"`, `"*.example.com"` for one label
    /// more, `"**.example.com"` for the host and everything below it. Of all patterns that match, one
    /// pin must match the key of the server's own certificate; hosts without a pattern are not
    /// pinned. A failure lists the pins of the chain that the server sent.
    public var publicKeyPins: [String: Set<PublicKeyPin>] = [:]
    public var minimumVersion = Version.tls1_2
    /// `nil` is the latest that both sides know.
    public var maximumVersion: Version?
    /// Cipher suites of TLS 1.2, in OpenSSL's notation; `nil` leaves the library's choice.
    public var cipherSuites: String?
    /// Cipher suites of TLS 1.3, by their names, separated by colons.
    public var cipherSuites1_3: String?
    /// A file to append the connections' secrets to, in NSS's format, for a protocol analyser. Whoever
    /// reads it can read the traffic.
    ///
    /// Without it no secret is written, not even where `SSLKEYLOGFILE` is set.
    public var keyLogFile: String?
    public var certificateVerification = CertificateVerification.full

    public init() {}
}

extension TLSSettings: HTTPTransportOption {
    /// `nil` is the transport's own.
    public static var defaultValue: TLSSettings? { nil }
    public static var name: String { "TLS settings" }
    /// With an ``identity``, or without ``certificateVerification``: neither is for another origin.
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

    /// Two files in PEM; the certificate's may go on with those of its issuers.
    public static func files(
        certificate: String, key: String, passphrase: String? = nil
    ) -> Self {
        Self(form: .files(certificate: certificate, key: key), passphrase: passphrase)
    }

    /// Two texts in PEM; the certificate's may go on with those of its issuers.
    public static func pem(certificate: Data, key: Data, passphrase: String? = nil) -> Self {
        Self(form: .pem(certificate: certificate, key: key), passphrase: passphrase)
    }

    /// The contents of a `.p12` or `.pfx` file (RFC 7292).
    public static func pkcs12(_ archive: Data, passphrase: String? = nil) -> Self {
        Self(form: .pkcs12(archive), passphrase: passphrase)
    }
}

extension ClientIdentity: CustomStringConvertible, CustomReflectable {
    /// Nothing of the key or its passphrase.
    public var description: String {
        switch form {
        case .files(let certificate, _): "identity in \(certificate.logSafe)"
        case .pem: "identity in PEM"
        case .pkcs12: "identity in PKCS #12"
        }
    }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

// MARK: - What cannot be

extension TLSSettings {
    /// - Throws: `invalidRequest` for what makes no sense or cannot be read, `unsupportedOption` for
    ///   what `backend` cannot do; the message names the setting.
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
        if keyLogFile != nil, !backend.logsKeys { throw backend.refusal(of: "keyLogFile") }
    }

    private func checkPins(_ backend: TLSBackend) throws(HTTPError) {
        for (pattern, pins) in publicKeyPins {
            guard HostPattern(pattern) != nil else {
                throw Self.invalid("the pins' host pattern \(pattern.logSafe) is not one")
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
                    "the certificate authority directory \(path.logSafe) has a colon, which separates directories"
                )
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
            // A sequence, its length in a form that fits real archives.
            guard archive.count > 16, archive.first == 0x30 else {
                throw TLSSettings.invalid("the identity is no PKCS #12 archive")
            }
        }
        if !backend.takesIdentities { throw backend.refusal(of: "identity") }
    }
}
