/// What the poller watches, and what libcurl wants watched.
///
/// Lazy where that is safe: between two requests on a kept connection libcurl takes its interest
/// back and asks for the same again, two system calls for nothing. A socket that we opened and that
/// was last watched for reading stays registered, unwanted; if it turns ready meanwhile, it is taken
/// out. Other descriptors (the resolver's) are closed without telling us and are taken out at once,
/// and so are sockets last watched for writing, which before libcurl 8.2 may be, too: unless they
/// have carried a response, and so have connected, and must be watched while idle.
struct SocketTable {
    /// Bits as libcurl's `CURL_POLL_*`: 1 for reading, 2 for writing.
    struct Change: Equatable {
        var descriptor: Int32
        var previous: Int32
        var interest: Int32
    }

    private struct Entry {
        var wanted: Int32 = 0
        var registered: Int32 = 0
        var isOurs = false
        var pool = 0
    }

    private var entries: [Entry] = []
    /// Sockets that we opened and libcurl has not closed.
    private(set) var openCount = 0

    mutating func opened(_ descriptor: Int32) {
        guard grow(to: descriptor) else { return }
        openCount += 1
        entries[Int(descriptor)] = Entry(isOurs: true)
    }

    /// The kernel forgets a closed descriptor by itself.
    mutating func closed(_ descriptor: Int32) {
        openCount -= 1
        guard entries.indices.contains(Int(descriptor)) else { return }
        entries[Int(descriptor)] = Entry()
    }

    /// - Parameters:
    ///   - pool: whose socket it is, by its number.
    ///   - watchesIdle: whether to watch the socket for reading when libcurl does not.
    mutating func want(
        _ descriptor: Int32, _ interest: Int32, in pool: Int = 0, watchesIdle: Bool = false
    ) -> Change? {
        guard grow(to: descriptor) else { return nil }
        let entry = entries[Int(descriptor)]
        entries[Int(descriptor)].wanted = interest
        entries[Int(descriptor)].pool = pool
        if interest == 0, entry.isOurs, entry.registered == 1 { return nil }
        if interest == 0, entry.isOurs, watchesIdle { return register(descriptor, 1) }
        // From here on its number may be anybody's, until we hear that we opened it again.
        if interest == 0 { entries[Int(descriptor)].isOurs = false }
        return register(descriptor, interest)
    }

    enum Readiness: Equatable {
        /// To the pool of this number.
        case report(Int)
        /// Nobody waits for it: take it out.
        case ignore(Change?)
    }

    mutating func ready(_ descriptor: Int32) -> Readiness {
        guard entries.indices.contains(Int(descriptor)) else { return .ignore(nil) }
        let entry = entries[Int(descriptor)]
        if entry.wanted != 0 { return .report(entry.pool) }
        return .ignore(register(descriptor, 0))
    }

    private mutating func register(_ descriptor: Int32, _ interest: Int32) -> Change? {
        let previous = entries[Int(descriptor)].registered
        guard previous != interest else { return nil }
        entries[Int(descriptor)].registered = interest
        return Change(descriptor: descriptor, previous: previous, interest: interest)
    }

    private mutating func grow(to descriptor: Int32) -> Bool {
        guard descriptor >= 0 else { return false }
        while entries.count <= Int(descriptor) { entries.append(Entry()) }
        return true
    }
}
