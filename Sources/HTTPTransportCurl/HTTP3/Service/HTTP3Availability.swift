import HTTPCore

/// The HTTP/3 service that an origin has announced (`Alt-Svc`, RFC 7838), and how it has worked so
/// far.
///
/// ```
///          announce           decide            opened
/// unknown ──────────▶ untried ──────▶ opening ─────────▶ working
///                      ▲ ▲               │ failed           │ │ failed
///                      │ └── in time ── broken ◀────────────┼─┘
///                      └──────────────────────── doubted ───┘
/// ```
///
/// It takes no lock and reads no clock: all times are the loop's, in nanoseconds.
struct HTTP3Availability {
    /// The place of the service. Its certificate must still name the origin's host.
    struct Service: Hashable, CustomStringConvertible {
        /// The host in the form of ``HTTPOrigin/host``.
        let host: String
        let port: Int

        var description: String { "\(host):\(port)" }
    }

    private enum Stage {
        case untried, opening, working
        case broken(until: Int64)
    }

    private let origin: HTTPOrigin
    private var stage = Stage.untried
    private var service: Service?
    /// The time at which the announcement ends.
    private var expiry: Int64 = 0
    /// The time at which the response with the announcement was generated.
    private var generation = Int64.min
    /// The failures and the doubts since the service last worked.
    private var failures = 0
    private var doubts = 0
    /// The policy of the last request that forbade the service's address.
    private var forbiddingPolicy: AddressPolicy?
    /// The time that it took to open the first connection.
    private var openingTime: Int64 = 0
    /// The last announcement, which servers repeat in each response.
    private var announcement: (text: String, lifetime: Int64)?

    /// The time for which a service that has failed once is not used. It doubles with each further
    /// failure.
    static let firstBreak: Int64 = 300_000_000_000
    static let longestBreak: Int64 = 86_400_000_000_000
    /// The time that an exchange waits for a connection, at least and at most, before it goes on
    /// without HTTP/3.
    static let shortestPatience: Int64 = 300_000_000
    static let longestPatience: Int64 = 2_000_000_000
    /// The number of doubts in a row that count as a failure.
    private static let doubtLimit = 3
    /// The maximum length of an announcement, in UTF-8 bytes. A longer one is not read.
    private static let lengthLimit = 4 << 10

    init(_ origin: HTTPOrigin) { self.origin = origin }

    /// The time that an exchange waits for a connection before it goes on without HTTP/3: far more
    /// than the first connection took.
    var patience: Int64 {
        min(max(Self.shortestPatience, 4 * openingTime), Self.longestPatience)
    }
}

// MARK: - Announcements

extension HTTP3Availability {
    /// Reads the `Alt-Svc` of a response that came over verified TLS.
    ///
    /// A response from a cache may be older than the known announcement. It then says nothing.
    ///
    /// - Parameters:
    ///   - text: The value of the field.
    ///   - age: The age of the response (RFC 9111 §5.1).
    mutating func announce(_ text: String, age: Duration, at now: Int64) {
        guard text.utf8.count <= Self.lengthLimit, now - age.nanoseconds >= generation else {
            return
        }
        generation = now - age.nanoseconds
        if announcement?.text != text {
            announcement = nil
            guard let (service, lifetime) = Self.service(in: text, of: origin) else {
                return forget()
            }
            announcement = (text, lifetime)
            if service != self.service { replace(by: service) }
        }
        guard let announcement, announcement.lifetime > age.nanoseconds else { return forget() }
        expiry = now + announcement.lifetime - age.nanoseconds
    }

    /// The origin has no HTTP/3 service any more.
    private mutating func forget() {
        announcement = nil
        replace(by: nil)
    }

    private mutating func replace(by service: Service?) {
        self.service = service
        forbiddingPolicy = nil
        doubts = 0
        switch stage {
        // A new announcement does not mend an origin's HTTP/3 that has failed, and does not begin
        // another opening beside the one that runs.
        case .broken, .opening: break
        case .untried, .working: stage = .untried
        }
    }

    /// Returns the first HTTP/3 service that `text` names, with the time for which it may be used,
    /// in nanoseconds. That is at most thirty days, since every response repeats the announcement.
    private static func service(
        in text: String, of origin: HTTPOrigin
    ) -> (Service, lifetime: Int64)? {
        guard case .services(let services) = AlternativeServices(text),
            let found = services.first(where: { $0.protocolID == "h3" && isAllowed($0, origin) })
        else { return nil }
        let lifetime = ServerTime(found.maxAge, atMost: ServerTime.longestAnnouncement).granted
        return (
            Service(host: found.host ?? origin.host, port: found.port), lifetime.nanoseconds
        )
    }

    /// Returns `true` if the port is one that ordinary users of the host cannot listen on, in case
    /// the origin's port is (RFC 7838 §9.1).
    private static func isAllowed(_ service: AlternativeService, _ origin: HTTPOrigin) -> Bool {
        origin.port >= 1024 || service.port < 1024
    }
}

// MARK: - Use

extension HTTP3Availability {
    enum Decision: Equatable {
        /// The origin has announced no service, or not lately.
        case unknown
        /// A connection is to be opened now. The exchange goes on without HTTP/3.
        case open(Service)
        /// A connection is being opened.
        case opening
        /// The service has failed. It is tried again after this time, in nanoseconds.
        case broken(Int64)
        /// The exchange forbids the service's address.
        case forbidden
        /// The exchange goes over HTTP/3.
        case use(Service)
    }

    /// Decides how an exchange that begins now goes.
    ///
    /// - Parameter policy: The policy for the addresses that it may connect to.
    mutating func decide(at now: Int64, under policy: AddressPolicy = .any) -> Decision {
        guard let service, expiry > now else { return .unknown }
        if let forbiddingPolicy, forbiddingPolicy == policy { return .forbidden }
        if case .broken(let until) = stage {
            guard until <= now else { return .broken(until - now) }
            stage = .untried
        }
        switch stage {
        case .untried:
            stage = .opening
            return .open(service)
        case .opening: return .opening
        case .working: return .use(service)
        case .broken: return .unknown  // handled above
        }
    }

    /// The connection that ``decide(at:under:)`` asked for was opened.
    ///
    /// - Parameter time: The time that this took, in nanoseconds; `nil` if a connection was there.
    mutating func opened(_ service: Service, in time: Int64?) {
        guard case .opening = stage else { return }
        // Another service may have been announced meanwhile, which is opened first.
        guard service == self.service else {
            stage = .untried
            return
        }
        stage = .working
        if let time { openingTime = min(max(0, time), Self.firstBreak) }
    }

    /// The connection could not be opened for a reason that says nothing about the service.
    mutating func openingWasCancelled() {
        if case .opening = stage { stage = .untried }
    }

    /// The policy of a request forbids the address of the service. Others may permit it.
    mutating func forbid(_ service: Service, under policy: AddressPolicy) {
        if service == self.service { forbiddingPolicy = policy }
    }

    /// A response has come from the service.
    mutating func responded(_ service: Service) {
        guard service == self.service, case .working = stage else { return }
        failures = 0
        doubts = 0
    }

    /// An exchange has ended while it waited for the service, which may not be reachable any more.
    /// Another connection is opened before an exchange goes there again.
    mutating func doubted(_ service: Service, at now: Int64) {
        guard service == self.service, case .working = stage else { return }
        doubts += 1
        stage = .untried
        if doubts >= Self.doubtLimit { failed(service, at: now) }
    }

    /// An exchange or an opening has failed. Several that fail at a time count once.
    ///
    /// An opening counts even if another service has been announced meanwhile. An origin that
    /// announces another one each time does not get a connection for each.
    mutating func failed(_ service: Service, at now: Int64, whileOpening: Bool = false) {
        if case .broken(let until) = stage, until > now { return }
        guard whileOpening || service == self.service || self.service == nil else { return }
        let doublings = min(failures, 20)
        failures += 1
        doubts = 0
        stage = .broken(until: now + min(Self.firstBreak << doublings, Self.longestBreak))
    }
}
