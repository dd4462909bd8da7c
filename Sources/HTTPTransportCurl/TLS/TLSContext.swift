import CHTTPTransportCurl
import HTTPCore
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Settings made ready for libcurl: files read once, authorities in memory behind a path.
///
/// libcurl tells trust stores apart by their path, so that a path in memory is never used again: see
/// ``path(to:)``. The descriptor behind it stays open for the context's life. Lanes hold the contexts of
/// their connections, so that those under way outlast none.
final class TLSContext: Sendable {
    private enum Store {
        /// The machine's.
        case system
        case paths(file: String?, directory: String?)
        case blob([UInt8])
    }

    let settings: TLSSettings
    private let store: Store
    private let memoryFile: Int32?
    /// -1 keeps the library from writing secrets, `nil` has nothing to keep it from.
    private let keyLog: Int32?
    private let retired = Atomic(false)

    /// A connection's TLS library has the descriptor of its log for as long as the connection lives.
    var logsKeys: Bool { keyLog.map { $0 >= 0 } ?? false }

    /// No request will be given this context any more.
    var isRetired: Bool { retired.load(ordering: .relaxed) }
    fileprivate func retire() { retired.store(true, ordering: .relaxed) }

    init(_ settings: TLSSettings, _ library: CurlLibrary) throws(HTTPError) {
        try settings.check(library.tls)
        let store: Store
        var memoryFile: Int32?
        switch settings.trust {
        case .system: store = .system
        case .only(.file(let path)): store = .paths(file: path, directory: nil)
        case .only(.directory(let path)): store = .paths(file: nil, directory: path)
        case .only(.pem(let pem)): (store, memoryFile) = try Self.inMemory(pem)
        case .systemAnd(.directory(let path)):
            if let searched = SystemAuthorities.here?.directory {
                store = .paths(file: nil, directory: "\(searched):\(path)")
            } else {
                store = .paths(file: library.certificateAuthorityFile, directory: path)
            }
        case .systemAnd(.file(let path)):
            (store, memoryFile) = try Self.inMemory(try Self.system(library) + Self.contents(path))
        case .systemAnd(.pem(let pem)):
            (store, memoryFile) = try Self.inMemory(try Self.system(library) + pem)
        }
        do throws(HTTPError) {
            keyLog =
                try settings.keyLogFile.map { path throws(HTTPError) in
                    try Self.opened(keyLog: path)
                } ?? (library.logsKeysByEnvironment && library.tls.logsKeys ? -1 : nil)
        } catch {
            if let memoryFile { chttp_close(memoryFile) }
            throw error
        }
        self.settings = settings
        self.store = store
        self.memoryFile = memoryFile
        if settings.certificateVerification == .unsafeNone { _ = Self.warning }
    }

    /// Looks for the machine's authorities where they are needed, once per process: some milliseconds,
    /// which neither a loop nor a program that needs none should spend.
    func findAuthorities() {
        if case .system = store { _ = SystemAuthorities.here }
    }

    deinit {
        if let memoryFile { chttp_close(memoryFile) }
        if let keyLog, keyLog >= 0 { chttp_close(keyLog) }
    }

    /// Once per process, however many settings ask for it.
    private static let warning: Void = {
        var text =
            "HTTPTransportCurl: a transport was told not to verify certificates (.unsafeNone)\n"
        text.withUTF8 { bytes in _ = unsafe write(2, bytes.baseAddress, bytes.count) }
    }()

    private static func inMemory(_ pem: Data) throws(HTTPError) -> (Store, Int32?) {
        let bytes = Array(pem)
        let descriptor = unsafe bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return Int32(-1) }
            return unsafe chttp_memory_file(base, bytes.count)
        }
        // Where there are no such files, or no way to open them again, libcurl parses the authorities
        // for each connection.
        guard descriptor >= 0 else { return (.blob(bytes), nil) }
        let path = Self.path(to: descriptor)
        guard ReadableFile.check(path) == nil else {
            chttp_close(descriptor)
            return (.blob(bytes), nil)
        }
        return (.paths(file: path, directory: nil), descriptor)
    }

    private static let lastSerial = Atomic<UInt64>(0)

    /// A path to the descriptor that has not been used before: libcurl keeps what it has parsed by path,
    /// and the system gives a closed descriptor's number to the next file. One way among many to write the
    /// same: `//` and `/./` are the digits of a serial number.
    private static func path(to descriptor: Int32) -> String {
        var serial = lastSerial.wrappingAdd(1, ordering: .relaxed).newValue
        var path = "/proc/self/fd/"
        while serial > 0 {
            path += serial & 1 == 1 ? "./" : "/"
            serial >>= 1
        }
        return "\(path)\(descriptor)"
    }

    /// Where libcurl reads the authorities, if it reads them from one file.
    var authorityFile: String? {
        if case .paths(let file, _) = store { file } else { nil }
    }

    private static func system(_ library: CurlLibrary) throws(HTTPError) -> Data {
        guard let path = library.certificateAuthorityFile else {
            throw TLSSettings.invalid(
                "no file with the machine's authorities was found: use .only, or install ca-certificates"
            )
        }
        return try contents(path) + Data("\n".utf8)
    }

    private static func contents(_ path: String) throws(HTTPError) -> Data {
        do {
            return try Data(contentsOf: URL(filePath: path))
        } catch {
            throw TLSSettings.invalid(
                "the certificate authority file \(path.logSafe) cannot be read")
        }
    }

    private static func opened(keyLog path: String) throws(HTTPError) -> Int32 {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw TLSSettings.invalid(
                "keyLogFile \(path.logSafe) cannot be opened: \(SystemError(errno))")
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
    func apply(to easy: CurlEasyHandle, host: String) {
        let isVerified = settings.certificateVerification == .full
        easy.set(CHTTP_OPT_VERIFY_PEER, isVerified ? 1 : 0)
        easy.set(CHTTP_OPT_VERIFY_HOST, isVerified ? 2 : 0)
        easy.setTLSVersions(settings.minimumVersion, settings.maximumVersion)
        switch store {
        case .system:
            guard let here = SystemAuthorities.here else { break }
            easy.set(CHTTP_OPT_CA_FILE, here.searched.file)
            easy.set(CHTTP_OPT_CA_DIRECTORY, here.searched.directory)
        case .paths(let file, let directory):
            easy.set(CHTTP_OPT_CA_FILE, file)
            easy.set(CHTTP_OPT_CA_DIRECTORY, directory)
        case .blob(let bytes):
            easy.set(CHTTP_OPT_CA_FILE, nil)
            easy.set(CHTTP_OPT_CA_DIRECTORY, nil)
            easy.set(CHTTP_BLOB_CA, bytes)
        }
        if let suites = settings.cipherSuites { easy.set(CHTTP_OPT_CIPHERS, suites) }
        if let suites = settings.cipherSuites1_3 { easy.set(CHTTP_OPT_TLS_1_3_CIPHERS, suites) }
        settings.identity?.apply(to: easy)
        if !settings.publicKeyPins.isEmpty, let pins = settings.publicKeyPins.pins(for: host) {
            easy.set(
                CHTTP_OPT_PINNED_PUBLIC_KEY,
                pins.map { "sha256//\($0.base64)" }.sorted().joined(separator: ";"))
            easy.set(CHTTP_OPT_CERTIFICATE_INFO, true)
        }
        if let keyLog { easy.setKeyLog(keyLog) }
    }
}

extension TLSContext {
    /// For a proxy that is itself reached over TLS: whom to trust, and what to agree on.
    func applyToProxy(of easy: CurlEasyHandle) {
        let isVerified = settings.certificateVerification == .full
        easy.set(CHTTP_OPT_PROXY_VERIFY_PEER, isVerified ? 1 : 0)
        easy.set(CHTTP_OPT_PROXY_VERIFY_HOST, isVerified ? 2 : 0)
        easy.setTLSVersions(settings.minimumVersion, settings.maximumVersion)
        switch store {
        case .system:
            guard let here = SystemAuthorities.here else { break }
            easy.set(CHTTP_OPT_PROXY_CA_FILE, here.searched.file)
            easy.set(CHTTP_OPT_PROXY_CA_DIRECTORY, here.searched.directory)
        case .paths(let file, let directory):
            easy.set(CHTTP_OPT_PROXY_CA_FILE, file)
            easy.set(CHTTP_OPT_PROXY_CA_DIRECTORY, directory)
        case .blob(let bytes): easy.set(CHTTP_BLOB_PROXY_CA, bytes)
        }
    }
}

extension ClientIdentity {
    fileprivate func apply(to easy: CurlEasyHandle) {
        // Never none: OpenSSL would ask at the terminal.
        easy.set(CHTTP_OPT_KEY_PASSWORD, passphrase ?? "")
        switch form {
        case .files(let certificate, let key):
            easy.set(CHTTP_OPT_CERTIFICATE_TYPE, "PEM")
            easy.set(CHTTP_OPT_CERTIFICATE_FILE, certificate)
            easy.set(CHTTP_OPT_KEY_TYPE, "PEM")
            easy.set(CHTTP_OPT_KEY_FILE, key)
        case .pem(let certificate, let key):
            easy.set(CHTTP_OPT_CERTIFICATE_TYPE, "PEM")
            easy.set(CHTTP_BLOB_CERTIFICATE, Array(certificate))
            easy.set(CHTTP_OPT_KEY_TYPE, "PEM")
            easy.set(CHTTP_BLOB_KEY, Array(key))
        case .pkcs12(let archive):
            easy.set(CHTTP_OPT_CERTIFICATE_TYPE, "P12")
            easy.set(CHTTP_BLOB_CERTIFICATE, Array(archive))
        }
    }
}

// MARK: - One per distinct settings

/// The contexts that a transport has made: its own, and those of the settings that its requests had
/// last. One that is used no more lives as long as its connections do.
final class TLSContexts: Sendable {
    private struct Entry {
        let context: TLSContext
        var lastUse: UInt64
    }

    private struct State {
        /// The transport's own, found without hashing.
        var own: TLSContext?
        var entries: [TLSSettings: Entry] = [:]
        var uses: UInt64 = 0
        var retirements = 0

        /// Takes out the context that was used least recently, but for those that log keys.
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

    /// Each may hold two descriptors.
    static let limit = 256

    private let own: TLSSettings
    private let state = Locked(State())

    init(own: TLSSettings) { self.own = own }

    /// How many contexts have made room for others so far.
    var retirements: Int { state.withLock { $0.retirements } }

    /// - Parameter settings: of a request, `nil` for the transport's own.
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
                    "a transport logs the keys of no more than \(Self.limit) different TLS settings: use fewer, or another transport",
                    phase: .preparing)
            }
            state.entries[settings] = Entry(context: context, lastUse: state.uses)
            return context
        }
    }
}
