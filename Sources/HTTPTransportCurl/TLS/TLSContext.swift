import CHTTPTransportCurl
import HTTPCore
import Synchronization
import PortableFoundation
import PortableLibc

/// TLS settings prepared for libcurl: files are read once, and authorities in memory have a path.
///
/// libcurl tells trust stores apart by their path, so a path of one in memory is never used again.
/// See ``path(to:)``. The descriptor behind the path stays open for the context's life. Lanes hold
/// the contexts of their connections, so no connection in use outlives its context.
final class TLSContext: Sendable {
    private enum Store {
        /// The machine's authorities, and those of a directory.
        case system(and: String?)
        case paths(file: String?, directory: String?)
        case blob([UInt8])
    }

    /// The places of authorities for libcurl, or a setup that takes their place.
    private struct Trust {
        var file: String?
        var directory: String?
        var blob: [UInt8]?
        var setup: TLSSetup?
    }

    let settings: TLSSettings
    private let store: Store
    private let memoryFile: Int32?
    /// The descriptor of the key log. -1 keeps the library from writing secrets. `nil` means that
    /// there is no log and nothing to prevent.
    private let keyLog: Int32?
    /// The setup of connections that trust what other options name; `nil` if there is nothing to
    /// tell.
    private let setup: TLSSetup?
    /// The setup of connections that trust nothing else, if the store has one.
    private let owningSetup: TLSSetup?
    private let library: CurlLibrary
    private let retired = Atomic(false)

    /// `true` if the context has a key log. A connection's TLS library keeps the descriptor of the
    /// log for as long as the connection lives.
    var logsKeys: Bool { keyLog.map { $0 >= 0 } ?? false }

    /// `true` if no request will get this context any more.
    var isRetired: Bool { retired.load(ordering: .relaxed) }
    fileprivate func retire() { retired.store(true, ordering: .relaxed) }

    init(_ settings: TLSSettings, _ library: CurlLibrary) throws(HTTPError) {
        try settings.check(library.tls)
        try Self.checkTrust(settings.trust, library)
        let store: Store
        var memoryFile: Int32?
        switch settings.trust {
        case .system: store = .system(and: nil)
        case .only(.file(let path)): store = .paths(file: path, directory: nil)
        case .only(.directory(let path)): store = .paths(file: nil, directory: path)
        case .only(.pem(let pem)): (store, memoryFile) = try Self.inMemory(Array(pem))
        case .systemAnd(.directory(let path)): store = .system(and: path)
        case .systemAnd(.file(let path)):
            (store, memoryFile) = try Self.inMemory(try Self.system(library) + Self.contents(path))
        case .systemAnd(.pem(let pem)):
            (store, memoryFile) = try Self.inMemory(try Self.system(library) + pem)
        }
        do throws(HTTPError) {
            keyLog =
                try settings.keyLogFile.map { path throws(HTTPError) in
                    try Self.opened(keyLog: path)
                }
                ?? (library.logsKeysByEnvironment && library.tls.logsKeys
                    ? CHTTP_KEY_LOG_NONE : nil)
        } catch {
            if let memoryFile { chttp_close(memoryFile) }
            throw error
        }
        setup = keyLog.map { TLSSetup(keyLog: $0) }
        let log = keyLog ?? CHTTP_KEY_LOG_DEFAULT
        owningSetup =
            switch store {
            case .system(let directory):
                TLSSetup(keyLog: log, asksForAuthorities: true, directory: directory)
            case .paths(nil, let directory?) where library.ownsTrust:
                TLSSetup(keyLog: log, directory: directory)
            case .paths, .blob: nil
            }
        self.library = library
        self.settings = settings
        self.store = store
        self.memoryFile = memoryFile
        if settings.certificateVerification == .unsafeNone { _ = Self.warning }
    }

    /// Reads the machine's authorities if they are needed, once per process. Neither a loop nor a
    /// program that needs no authorities should spend that time.
    func findAuthorities() {
        if case .system = store { _ = SystemAuthorities.here }
    }

    /// `true` if new connections ask for the machine's authorities, as long as their file can be
    /// indexed.
    var asksForAuthorities: Bool {
        guard case .system = store else { return false }
        return SystemAuthorities.here?.current != nil
    }

    deinit {
        if let memoryFile { chttp_close(memoryFile) }
        if let keyLog, keyLog >= 0 { chttp_close(keyLog) }
    }

    /// Writes a warning once per process, however many settings ask for it.
    private static let warning: Void = {
        StandardError.write(
            "HTTPTransportCurl: a transport was told not to verify certificates (.unsafeNone)")
    }()

    private static func inMemory(_ bytes: [UInt8]) throws(HTTPError) -> (Store, Int32?) {
        let descriptor = unsafe bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return Int32(-1) }
            return unsafe chttp_memory_file(base, bytes.count)
        }
        // If the system has no such files, or no way to open them again, libcurl parses the
        // authorities for each connection.
        guard descriptor >= 0 else { return (.blob(bytes), nil) }
        let path = Self.path(to: descriptor)
        guard ReadableFile.check(path) == nil else {
            chttp_close(descriptor)
            return (.blob(bytes), nil)
        }
        return (.paths(file: path, directory: nil), descriptor)
    }

    private static let lastSerial = Atomic<UInt64>(0)

    /// Returns a path to the descriptor that has not been used before. libcurl stores parsed
    /// authorities by path, and the system gives the number of a closed descriptor to the next
    /// file. The paths differ in a serial number whose binary digits are `//` and `/./`, which lead
    /// to the same file.
    private static func path(to descriptor: Int32) -> String {
        var serial = lastSerial.wrappingAdd(1, ordering: .relaxed).newValue
        var path = "/proc/self/fd/"
        while serial > 0 {
            path += serial & 1 == 1 ? "./" : "/"
            serial >>= 1
        }
        return "\(path)\(descriptor)"
    }

    /// The file from which libcurl reads the authorities, if it reads them from one file.
    var authorityFile: String? {
        if case .paths(let file, _) = store { file } else { nil }
    }

    private static func system(_ library: CurlLibrary) throws(HTTPError) -> [UInt8] {
        guard let path = library.certificateAuthorityFile else {
            throw TLSSettings.invalid(
                "no file with the machine's authorities was found: use .only, or install "
                    + "ca-certificates")
        }
        return try contents(path) + "\n".utf8
    }

    private static func contents(_ path: String) throws(HTTPError) -> [UInt8] {
        do {
            return try ReadableFile.contents(path)
        } catch {
            throw TLSSettings.invalid(
                "the certificate authority file \(path.logSafe) cannot be read: \(error)")
        }
    }

    private static func opened(keyLog path: String) throws(HTTPError) -> Int32 {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw TLSSettings.invalid(
                "keyLogFile \(path.logSafe) cannot be opened: \(SystemError(errno))")
        }
        // A file that another user has prepared would give the secrets away.
        var status = stat()
        if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFCHR,
            let flaw = FileFlaw(status, for: .writing), flaw != .mode
        {
            _ = close(descriptor)
            throw TLSSettings.invalid("keyLogFile \(path.logSafe) is not written, because \(flaw)")
        }
        return descriptor
    }
}

extension TLSContext: Hashable {
    /// Contexts are made once per distinct settings.
    static func == (a: TLSContext, b: TLSContext) -> Bool { a === b }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// MARK: - Applying

extension TLSContext {
    /// Applies the settings to the connections of a handle with one peer, and to no other.
    ///
    /// - Parameter observesSteps: `true` if the handle's events include handshakes.
    func apply(
        to easy: CurlEasyHandle, for peer: TLSPeer, host: String, asksForAuthorities: Bool,
        observesSteps: Bool
    ) {
        let options = TLSOptions.options(for: peer)
        let isVerified = settings.certificateVerification == .full
        easy.expectTLS(with: peer)
        easy.set(options.verifyPeer, isVerified ? 1 : 0)
        easy.set(options.verifyHost, isVerified ? 2 : 0)
        easy.setTLSVersions(
            settings.minimumVersion.rawValue, settings.maximumVersion?.rawValue ?? 0, for: peer)
        let trust = trust(asking: asksForAuthorities)
        if let trust {
            easy.set(options.authorityFile, trust.file)
            easy.set(options.authorityDirectory, trust.directory)
            if let blob = trust.blob { easy.set(options.authorities, blob) }
        }
        if let suites = settings.cipherSuites { easy.set(options.suites, suites) }
        if let suites = settings.cipherSuites1_3 { easy.set(options.suites1_3, suites) }
        settings.identity?.apply(to: easy, options)
        if !settings.publicKeyPins.isEmpty, let pins = settings.publicKeyPins.pins(for: host) {
            easy.set(
                options.pins, pins.map { "sha256//\($0.base64)" }.sorted().joined(separator: ";"))
            easy.set(CHTTP_OPT_CERTIFICATE_INFO, true)
        }
        // A handshake through another TLS connection has to be observed for its errors.
        let isObserved = observesSteps || easy.hasTLSProxy
        (trust?.setup ?? setup ?? (isObserved ? .observing : nil))?.apply(to: easy, for: peer)
    }

    /// - Returns: `nil` for the library's own places.
    private func trust(asking: Bool) -> Trust? {
        switch store {
        case .system(let directory):
            guard let here = SystemAuthorities.here else {
                return directory.map { Trust(directory: $0) }
            }
            guard asking, let index = here.last else {
                return Trust(file: here.file, directory: directory ?? noDirectory)
            }
            // The setup decides what is trusted. The directory tells libcurl these settings from
            // others, whose TLS sessions it would resume, and keeps 7.87 to 8.3 from storing the
            // setup's trust for settings that name no file. The certificate takes the place of the
            // library's own file, which is slow to read.
            return Trust(
                directory: directory.map { "\(Self.noDirectory):\($0)" } ?? Self.noDirectory,
                blob: library.restoresFile ? index.sample : nil, setup: owningSetup)
        case .paths(let file, let directory):
            return Trust(file: file, directory: directory ?? noDirectory, setup: owningSetup)
        case .blob(let bytes): return Trust(directory: noDirectory, blob: bytes)
        }
    }

    /// A directory in which OpenSSL finds nothing.
    private static let noDirectory = "/dev/null"

    /// The directory to name so that the library searches none, not even one of its own.
    private var noDirectory: String? {
        library.restoresDirectory && library.tls.family == .openSSL ? Self.noDirectory : nil
    }

    /// - Throws: `unsupportedOption` if the library would trust other authorities as well.
    private static func checkTrust(
        _ trust: TLSSettings.Trust, _ library: CurlLibrary
    ) throws(HTTPError) {
        let isKept =
            switch trust {
            case .system, .systemAnd: true
            case .only(.directory): !library.restoresFile || library.ownsTrust
            case .only: !library.restoresDirectory || library.tls.family == .openSSL
            }
        guard isKept else {
            throw library.tls.refusal(of: "trust in certain authorities alone")
        }
    }
}

extension ClientIdentity {
    fileprivate func apply(to easy: CurlEasyHandle, _ options: TLSOptions) {
        // Never `nil`: OpenSSL would ask for the passphrase at the terminal.
        easy.set(options.keyPassword, passphrase ?? "")
        switch form {
        case .files(let certificate, let key):
            easy.set(options.certificateType, "PEM")
            easy.set(options.certificateFile, certificate)
            easy.set(options.keyType, "PEM")
            easy.set(options.keyFile, key)
        case .pem(let certificate, let key):
            easy.set(options.certificateType, "PEM")
            easy.set(options.certificate, Array(certificate))
            easy.set(options.keyType, "PEM")
            easy.set(options.key, Array(key))
        case .pkcs12(let archive):
            easy.set(options.certificateType, "P12")
            easy.set(options.certificate, Array(archive))
        }
    }
}

// MARK: - Contexts of a transport

/// The contexts that a transport has made: its own, and those of the settings that its requests
/// used last. A context that is no longer used lives as long as its connections.
final class TLSContexts: Sendable {
    private struct Entry {
        let context: TLSContext
        var lastUse: UInt64
    }

    private struct State {
        /// The transport's own context, found without hashing.
        var own: TLSContext?
        var entries: [TLSSettings: Entry] = [:]
        var uses: UInt64 = 0
        var retirements = 0

        /// Removes the least recently used context, except those that log keys. Returns `false` if
        /// there is none to remove.
        mutating func makeRoom() -> Bool {
            let oldest = entries.filter { !$0.value.context.logsKeys }
                .min { $0.value.lastUse < $1.value.lastUse }
            guard let oldest else { return false }
            entries[oldest.key] = nil
            oldest.value.context.retire()
            retirements += 1
            return true
        }
    }

    /// A limit on the contexts of requests. Each may hold two descriptors.
    static let limit = 256

    private let own: TLSSettings
    private let state = Locked(State())

    init(own: TLSSettings) { self.own = own }

    /// The number of contexts that have made room for others so far.
    var retirements: Int { state.withLock { $0.retirements } }

    /// Returns the context for `settings`, which is made if there is none.
    ///
    /// - Parameter settings: The settings of a request, or `nil` for the transport's own.
    func context(
        for settings: TLSSettings?, _ library: CurlLibrary
    ) throws(HTTPError) -> TLSContext {
        try state.withLock { state throws(HTTPError) in
            guard let settings, settings != own else {
                if let context = state.own { return context }
                let context = try TLSContext(own, library)
                state.own = context
                return context
            }
            state.uses += 1
            if let index = state.entries.index(forKey: settings) {
                state.entries.values[index].lastUse = state.uses
                return state.entries.values[index].context
            }
            let context = try TLSContext(settings, library)
            guard state.entries.count < Self.limit || state.makeRoom() else {
                throw HTTPError(
                    .unsupportedOption,
                    "a transport logs the keys of no more than \(Self.limit) different TLS "
                        + "settings: use fewer, or another transport",
                    phase: .preparing)
            }
            state.entries[settings] = Entry(context: context, lastUse: state.uses)
            return context
        }
    }
}
