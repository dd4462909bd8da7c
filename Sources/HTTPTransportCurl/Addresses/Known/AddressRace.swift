import HTTPCore

/// The addresses of a host that are tried for one connection, and when the next one is
/// (RFC 8305 §5).
///
/// libcurl tries some of them, and the loop the others: see
/// ``LibraryDefect/sequentialAddresses``. This type makes decisions without I/O. Times are the
/// loop's nanoseconds.
final class AddressRace {
    /// An attempt of the loop.
    struct Attempt: Equatable {
        let descriptor: Int32
        let address: IPAddress
    }

    /// The next thing to do.
    enum Step: Equatable {
        /// Nothing, until then; `nil` if only an answer or the end of an attempt can change that.
        case wait(until: Int64?)
        /// The addresses are to be looked up.
        case lookUp
        case attempt(IPAddress)
    }

    let port: UInt16
    /// The attempts of the loop that are under way, in the order in which they began.
    private(set) var attempts: [Attempt] = []
    /// All addresses that were tried, in that order.
    private var tried: [IPAddress] = []
    /// The addresses of the host, in the order of preference; `nil` as long as they are not known.
    private var candidates: [IPAddress]?
    private var isLookingUp = false
    /// The time at which the race is to be examined.
    var examination: Int64?
    private let delay: Int64
    private var due: Int64

    /// The time by which libcurl's own attempt at the other family may be late, in nanoseconds.
    private static let lateness: Int64 = 5_000_000

    /// Begins with an attempt of libcurl.
    ///
    /// - Parameter delay: The time from one attempt to the next.
    init(_ address: IPAddress, port: UInt16, delay: Duration, at now: Int64) {
        self.port = port
        self.delay = min(delay.nanoseconds, .max - Self.lateness) + Self.lateness
        due = now
        began(address, at: now)
    }

    /// Records an attempt of libcurl, or of the loop.
    func began(_ address: IPAddress, as descriptor: Int32? = nil, at now: Int64) {
        tried.append(address)
        if let descriptor { attempts.append(Attempt(descriptor: descriptor, address: address)) }
        let next = now.addingReportingOverflow(delay)
        due = next.overflow ? .max : next.partialValue
    }

    /// Ends an attempt of the loop. If it has failed, the next one may begin at once.
    func end(_ descriptor: Int32, at now: Int64) -> Attempt? {
        guard let index = attempts.firstIndex(where: { $0.descriptor == descriptor }) else {
            return nil
        }
        due = min(due, now)
        return attempts.remove(at: index)
    }

    /// Records an address to which no attempt could begin.
    func skip(_ address: IPAddress) { tried.append(address) }

    func found(_ addresses: [IPAddress]) {
        isLookingUp = false
        candidates = addresses
    }

    func next(at now: Int64) -> Step {
        guard let candidates else {
            guard !isLookingUp else { return .wait(until: nil) }
            guard due <= now else { return .wait(until: due) }
            isLookingUp = true
            return .lookUp
        }
        let left = candidates.filter { !tried.contains($0) }
        guard let first = left.first else { return .wait(until: nil) }
        guard due <= now else { return .wait(until: due) }
        // The families take turns (RFC 8305 §4).
        let other = left.first { $0.isIPv4 != tried.last?.isIPv4 }
        return .attempt(other ?? first)
    }
}
