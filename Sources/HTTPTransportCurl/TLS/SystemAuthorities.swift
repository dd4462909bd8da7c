import CHTTPTransportCurl
import HTTPCore

/// The certificates of the authorities that a machine trusts: a file with all of them, in PEM.
///
/// OpenSSL needs some 25 ms to parse them all, once for each pool of connections. It therefore asks
/// for those that it needs, if it can.
final class SystemAuthorities: Sendable {
    private struct State {
        /// The last content of the file that could be indexed.
        var index: AuthorityIndex?
        var version: FileVersion?
        var isCurrent = false

        /// Reads the file. A connection that is being verified keeps the last index if the file is
        /// gone, or is a bundle that only OpenSSL can read. The next connection leaves it to
        /// OpenSSL.
        mutating func read(_ file: String) {
            // A change after this is noticed the next time.
            version = FileVersion(file)
            let new = (try? ReadableFile.contents(file)).flatMap { AuthorityIndex(pem: $0) }
            isCurrent = new != nil
            index = new ?? index
        }
    }

    let file: String
    private let state: Locked<State>

    /// The authorities of this machine, read once; `nil` if their place is unknown.
    static let here: SystemAuthorities? = {
        guard case .success(let library) = CurlLibrary.loaded,
            let file = library.certificateAuthorityFile
        else { return nil }
        return unsafe SystemAuthorities(
            file: file, isAsked: library.ownsTrust && chttp_tls_set_authority_finder(finder) != 0)
    }()

    /// - Parameter isAsked: `true` if the TLS library asks for authorities.
    init(file: String, isAsked: Bool) {
        self.file = file
        var state = State()
        if isAsked { state.read(file) }
        self.state = Locked(state)
    }

    /// The index, if new connections are to ask for authorities. If it is `nil`, the library is to
    /// parse the file.
    var current: AuthorityIndex? { state.withLock { $0.isCurrent ? $0.index : nil } }

    /// The index of the last content of the file that could be indexed, even if it is not current.
    var last: AuthorityIndex? { state.withLock { $0.index } }

    /// Returns all certificates that may have this subject, and perhaps others. Reads the file
    /// again if it has changed.
    ///
    /// - Parameter subject: A Name in DER.
    func certificates(for subject: [UInt8]) -> [TLSCertificate] {
        let index = state.withLock { state in
            if FileVersion(file) != state.version { state.read(file) }
            return state.index
        }
        return index?.certificates(for: subject) ?? []
    }

    /// Answers OpenSSL.
    private static let finder: chttp_authority_finder = { search, subject, count in
        let subject = unsafe Array(UnsafeBufferPointer(start: subject, count: count))
        for certificate in here?.certificates(for: subject) ?? [] {
            unsafe certificate.found(by: search)
        }
    }
}
