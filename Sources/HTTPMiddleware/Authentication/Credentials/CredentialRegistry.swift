import HTTPCore
import PortableFoundation

/// A value that holds the current credential and decides what to do about it. Its owner does the
/// waiting and asking.
///
/// Every credential has a version. A request remembers the version that it was signed with. After a
/// refusal, the version shows whether the refused credential is still the one that is held.
struct CredentialRegistry: Sendable {
    /// A credential that a request was signed with, and the state at that time.
    struct Held: Sendable {
        let credential: HTTPCredential
        let version: Int
    }

    enum BeforeSending {
        case sign(Held)
        case refresh(version: Int)
    }

    enum AfterRefusal {
        /// The refused credential is not held any more.
        case resend(Held)
        case refresh
    }

    enum Start {
        /// Another task has replaced that version; `nil` if the credential was removed.
        case superseded(Held?)
        case excessive
        case ask(replacing: HTTPCredential?)
    }

    let leeway: Duration
    let window: RefreshWindow

    private(set) var credential: HTTPCredential?
    private var version = 0
    /// The time to ask for the next credential, even if no request is refused.
    private var refreshDate: Date?
    /// `true` if the server has refused the held credential, and the request could not be sent
    /// again.
    private var isKnownBad = false
    private var starts: [HTTPInstant] = []

    init(_ credential: HTTPCredential?, leeway: Duration, window: RefreshWindow) {
        self.leeway = leeway
        self.window = window
        self.credential = credential
        refreshDate = credential?.expiry.map { $0 - leeway / .seconds(1) }
    }

    private var held: Held? {
        credential.map { Held(credential: $0, version: version) }
    }

    func beforeSending(at date: Date) -> BeforeSending {
        guard let held, !isKnownBad, refreshDate.map({ date < $0 }) ?? true else {
            return .refresh(version: version)
        }
        return .sign(held)
    }

    /// Returns the held credential if it has not expired, for use when there is no better one.
    func stillValid(at date: Date) -> Held? {
        guard !isKnownBad, credential?.expiry.map({ date < $0 }) ?? true else { return nil }
        return held
    }

    func afterRefusal(of refused: Held) -> AfterRefusal {
        if let held, held.version != refused.version { return .resend(held) }
        return .refresh
    }

    /// Records a refusal after which the request cannot be sent again, so that the next request
    /// does not try the same credential.
    mutating func refused(_ refused: Held) {
        if refused.version == version { isKnownBad = true }
    }

    /// Decides whether a refresh starts. The refreshing task calls this, because another task may
    /// have refreshed since the check.
    mutating func start(replacing version: Int, at now: HTTPInstant) -> Start {
        guard version == self.version else { return .superseded(held) }
        guard !window.isExceeded(by: starts, at: now) else { return .excessive }
        starts = starts.filter { now - $0 < window.length } + [now]
        return .ask(replacing: credential)
    }

    /// - Returns: the credential that is held now, which is not `new` if another task was faster.
    mutating func finish(
        replacing version: Int, with new: HTTPCredential, at date: Date
    ) -> Held? {
        if version == self.version { replace(with: new, at: date) }
        return held
    }

    mutating func replace(with new: HTTPCredential?, at date: Date) {
        credential = new
        version += 1
        isKnownBad = false
        // With the full leeway, a credential with a shorter life would never be used.
        refreshDate = new?.expiry.map { expiry in
            let life = max(0, expiry.timeIntervalSince(date))
            return expiry - min(leeway / .seconds(1), life / 2)
        }
    }
}
