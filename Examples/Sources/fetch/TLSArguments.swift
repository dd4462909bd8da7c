import ArgumentParser
import HTTPClientKit
import HTTPTransportCurl

/// The arguments for TLS, for the transport with libcurl.
struct TLSArguments: ParsableArguments {
    @Flag(
        name: [.customShort("k"), .long],
        help: "Accept any server certificate. Others can then read and change everything.")
    var insecure = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Trust the authorities in this PEM file instead of the machine's.", valueName: "file"))
    var cacert: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Trust the authorities in this folder instead of the machine's.", valueName: "folder"))
    var capath: String?

    @Option(
        name: [.customShort("E"), .long], parsing: .unconditional,
        help: ArgumentHelp(
            "The client's certificate, with its password behind a colon.",
            valueName: "file[:password]"))
    var cert: String?

    @Option(help: ArgumentHelp("The form of --cert: PEM or P12.", valueName: "type"))
    var certType = "PEM"

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The private key of --cert, if it is not in the same file.", valueName: "file"))
    var key: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The password of the private key.", valueName: "password"))
    var pass: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The hashes of keys of which the URL's server must have one, separated by semicolons.",
            valueName: "sha256//base64"))
    var pinnedpubkey: String?

    /// The earliest versions that can be asked for.
    enum Version: String, EnumerableFlag {
        case tlsv1_2, tlsv1_3

        static func name(for value: Self) -> NameSpecification {
            .customLong(value == .tlsv1_2 ? "tlsv1.2" : "tlsv1.3")
        }

        static func help(for value: Self) -> ArgumentHelp? {
            value == .tlsv1_2 ? "Use TLS 1.2 or later, which is the default." : "Use TLS 1.3."
        }
    }

    @Flag var version: Version?

    @Option(help: ArgumentHelp("The latest version of TLS: 1.2 or 1.3.", valueName: "version"))
    var tlsMax: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The cipher suites of TLS 1.2.", valueName: "list"))
    var ciphers: String?

    @Option(
        name: .customLong("tls13-ciphers"), parsing: .unconditional,
        help: ArgumentHelp("The cipher suites of TLS 1.3.", valueName: "list"))
    var ciphers1_3: String?

    func validate() throws {
        guard cacert == nil || capath == nil else {
            throw ValidationError("give the authorities as a file or as a folder, not both")
        }
        guard key == nil && pass == nil || cert != nil else {
            throw ValidationError("--key and --pass belong to a certificate: --cert")
        }
        guard ["PEM", "P12"].contains(certType.uppercased()) else {
            throw ValidationError("--cert-type is PEM or P12")
        }
        guard tlsMax == nil || tlsMax == "1.2" || tlsMax == "1.3" || tlsMax == "default" else {
            throw ValidationError("--tls-max is 1.2 or 1.3")
        }
        guard !insecure || pinnedpubkey == nil else {
            throw ValidationError("-k makes --pinnedpubkey worthless: remove one of them")
        }
        if pinnedpubkey != nil { _ = try pins }
    }

    /// The name of an option that is given, or `nil` if all have their defaults.
    var givenOption: String? {
        let given: [(name: String, isGiven: Bool)] = [
            ("-k", insecure), ("--cacert", cacert != nil), ("--capath", capath != nil),
            ("--cert", cert != nil), ("--pinnedpubkey", pinnedpubkey != nil),
            ("--tlsv1.2 and --tlsv1.3", version != nil), ("--tls-max", tlsMax != nil),
            ("--ciphers", ciphers != nil), ("--tls13-ciphers", ciphers1_3 != nil),
        ]
        return given.first { $0.isGiven }?.name
    }

    /// Returns the settings for all servers.
    ///
    /// - Parameter origin: The origin of the URL, to which the pins belong.
    func settings(for origin: HTTPOrigin) throws -> TLSSettings {
        var settings = TLSSettings()
        if insecure { settings.certificateVerification = .unsafeNone }
        if let cacert { settings.trust = .only(.file(cacert)) }
        if let capath { settings.trust = .only(.directory(capath)) }
        if pinnedpubkey != nil { settings.publicKeyPins = [origin.host: try pins] }
        if version == .tlsv1_3 { settings.minimumVersion = .tls1_3 }
        switch tlsMax {
        case "1.2": settings.maximumVersion = .tls1_2
        case "1.3": settings.maximumVersion = .tls1_3
        default: break
        }
        settings.cipherSuites = ciphers
        settings.cipherSuites1_3 = ciphers1_3
        return settings
    }

    /// The certificate of the client, for the origin of the URL only.
    var identity: ClientIdentity? {
        get throws(HTTPError) {
            guard let cert else { return nil }
            // A colon in the name of a file is written \: as in curl.
            var path = ""
            var password: String?
            var rest = cert[...]
            while let character = rest.popFirst() {
                if character == "\\", let next = rest.first, next == ":" || next == "\\" {
                    path.append(next)
                    rest = rest.dropFirst()
                } else if character == ":" {
                    password = String(rest)
                    break
                } else {
                    path.append(character)
                }
            }
            if certType.uppercased() == "P12" {
                return .pkcs12(try InputFile(path).read(), passphrase: pass ?? password)
            }
            return .files(certificate: path, key: key ?? path, passphrase: pass ?? password)
        }
    }

    private var pins: Set<PublicKeyPin> {
        get throws {
            var pins: Set<PublicKeyPin> = []
            for text in (pinnedpubkey ?? "").split(separator: ";") {
                guard let pin = PublicKeyPin(String(text)) else {
                    throw ValidationError(
                        "--pinnedpubkey takes hashes, sha256//base64, and no file with a key")
                }
                pins.insert(pin)
            }
            return pins
        }
    }
}
