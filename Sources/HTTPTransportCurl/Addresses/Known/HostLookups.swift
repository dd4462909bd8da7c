/// The answers of a resolver, and the exchanges that wait for one.
///
/// This type makes decisions without I/O: it returns the questions to ask and to give up.
struct HostLookups {
    /// A host that connections are made to, and the port, to which libcurl binds addresses.
    struct Name: Hashable {
        let host: String
        let port: Int

        /// `true` if a resolver is asked about the host. An address needs no look-up, and the names
        /// of this machine are not looked up (RFC 6761 §6.3).
        var isLookedUp: Bool {
            let name = host.last == "." ? host.dropLast() : host[...]
            return name != "localhost" && !name.hasSuffix(".localhost") && IPAddress(host) == nil
        }
    }

    /// One call of the resolver.
    struct Question: Hashable {
        let name: Name
        fileprivate let serial: Int
    }

    private struct Entry {
        var addresses: [IPAddress] = []
        /// The time up to which connections may be made to the addresses without asking again.
        var due = Int64.min
        var question: Question?
        /// The numbers of the exchanges that wait for the question's answer, in order of arrival.
        var waiting: [Int] = []
    }

    private var entries: [Name: Entry] = [:]
    private var lastSerial = 0

    /// The maximum number of names that are kept.
    static let limit = 1024
    /// The addresses that were last found, however old; empty if none are known.
    func addresses(of name: Name) -> [IPAddress] { entries[name]?.addresses ?? [] }

    /// Returns `true` if connections may be made to the addresses of a name.
    func isFresh(_ name: Name, at now: Int64) -> Bool {
        entries[name].map { $0.due > now } ?? false
    }

    /// Has an exchange wait for the addresses of a name. Returns the question if it is to be asked
    /// now.
    mutating func wait(_ slot: Int, for name: Name, at now: Int64) -> Question? {
        if entries[name] == nil, entries.count >= Self.limit { makeRoom(at: now) }
        entries[name, default: Entry()].waiting.append(slot)
        guard entries[name]?.question == nil else { return nil }
        lastSerial += 1
        let question = Question(name: name, serial: lastSerial)
        entries[name]?.question = question
        return question
    }

    /// Forgets names whose addresses are too old, or else the one that is next to be. Those that
    /// are asked for stay.
    private mutating func makeRoom(at now: Int64) {
        entries = entries.filter { $0.value.question != nil || $0.value.due > now }
        guard entries.count >= Self.limit,
            let next = entries.filter({ $0.value.question == nil })
                .min(by: { $0.value.due < $1.value.due })
        else { return }
        entries[next.key] = nil
    }

    /// Ends the wait of an exchange. Returns the question if no other one waits for its answer.
    mutating func leave(_ slot: Int, _ name: Name) -> Question? {
        guard let index = entries[name]?.waiting.firstIndex(of: slot) else { return nil }
        entries[name]?.waiting.remove(at: index)
        guard entries[name]?.waiting.isEmpty == true else { return nil }
        return entries[name]?.question.take()
    }

    /// Records an answer. Returns the exchanges that waited for it.
    ///
    /// - Parameters:
    ///   - addresses: The addresses, or `nil` if none were found. Older ones then stay.
    ///   - due: The time up to which they may be used.
    mutating func answer(_ question: Question, with addresses: [IPAddress]?, due: Int64) -> [Int] {
        guard var entry = entries[question.name], entry.question == question else { return [] }
        defer { entries[question.name] = entry }
        entry.question = nil
        if let addresses {
            entry.addresses = addresses
            entry.due = due
        }
        let waiting = entry.waiting
        entry.waiting = []
        return waiting
    }
}
