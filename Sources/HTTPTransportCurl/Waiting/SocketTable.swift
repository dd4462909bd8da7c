/// The descriptors that the poller watches, and those that libcurl wants watched.
///
/// Removal is lazy where that is safe. Between two requests on a kept connection, libcurl withdraws
/// its interest and then asks for the same again, which would cost two system calls for nothing. A
/// socket that the transport opened and that was last watched for reading therefore stays
/// registered while it is not wanted. If it becomes ready meanwhile, it is removed.
///
/// Other descriptors (the resolver's) are closed without notice, so they are removed at once. The
/// same holds for sockets that were last watched for writing, because libcurl before 8.2 may also
/// close them without notice. Those that have carried a response are the exception: they have
/// connected, and must be watched while idle.
struct SocketTable {
    /// A change of interest, in the bits of libcurl's `CURL_POLL_*`: 1 for reading, 2 for writing.
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

    mutating func opened(_ descriptor: Int32) {
        guard grow(to: descriptor) else { return }
        entries[Int(descriptor)] = Entry(isOurs: true)
    }

    /// Forgets a closed descriptor. The kernel forgets it by itself.
    mutating func closed(_ descriptor: Int32) {
        guard entries.indices.contains(Int(descriptor)) else { return }
        entries[Int(descriptor)] = Entry()
    }

    /// Records that another socket has taken the number of a descriptor. The kernel has forgotten
    /// the one that had it.
    mutating func replaced(_ descriptor: Int32) -> Change? {
        guard entries.indices.contains(Int(descriptor)) else { return nil }
        entries[Int(descriptor)].registered = 0
        return register(descriptor, entries[Int(descriptor)].wanted)
    }

    /// - Parameters:
    ///   - pool: The number of the pool whose socket it is.
    ///   - watchesIdle: `true` to watch the socket for reading when libcurl does not.
    mutating func want(
        _ descriptor: Int32, _ interest: Int32, in pool: Int = 0, watchesIdle: Bool = false
    ) -> Change? {
        guard grow(to: descriptor) else { return nil }
        let entry = entries[Int(descriptor)]
        entries[Int(descriptor)].wanted = interest
        entries[Int(descriptor)].pool = pool
        if interest == 0, entry.isOurs, entry.registered == 1 { return nil }
        if interest == 0, entry.isOurs, watchesIdle { return register(descriptor, 1) }
        // From here on, the number may belong to any file, until the transport opens it again.
        if interest == 0 { entries[Int(descriptor)].isOurs = false }
        return register(descriptor, interest)
    }

    enum Readiness: Equatable {
        /// The event is for the pool with this number.
        case report(Int)
        /// Nothing waits for the socket. The change removes it.
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
