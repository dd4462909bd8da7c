import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Which credential is held, and what is to be done about it: a value that decides; waiting and asking
/// is its owner's.
///
/// Every credential has a version. Who signs remembers it, and whoever comes back with a refusal is
/// told by it whether the credential that was refused is still the one that is held.
struct CredentialRegistry: Sendable {
    /// A credential that a request was signed with, and what was known then.
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
        /// Somebody has replaced that version; `nil` where it was taken away.
        case superseded(Held?)
        case excessive
        case ask(replacing: HTTPCredential?)
    }

    let leeway: Duration
    let window: RefreshWindow

    private(set) var credential: HTTPCredential?
    private var version = 0
    /// When to ask for the next, whatever becomes of requests.
    private var refreshDate: Date?
    /// That the server has refused the held credential, and nobody could send again.
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

    /// What is held as long as it is good for anything, for when there is no better.
    func stillValid(at date: Date) -> Held? {
        guard !isKnownBad, credential?.expiry.map({ date < $0 }) ?? true else { return nil }
        return held
    }

    func afterRefusal(of refused: Held) -> AfterRefusal {
        if let held, held.version != refused.version { return .resend(held) }
        return .refresh
    }

    /// For a refusal that nobody can send again after: the next request does not try the same.
    mutating func refused(_ refused: Held) {
        if refused.version == version { isKnownBad = true }
    }

    /// Asked by the one who refreshes, since between the check and the asking somebody else may have.
    mutating func start(replacing version: Int, at now: HTTPInstant) -> Start {
        guard version == self.version else { return .superseded(held) }
        guard !window.isExceeded(by: starts, at: now) else { return .excessive }
        starts = starts.filter { now - $0 < window.length } + [now]
        return .ask(replacing: credential)
    }

    /// - Returns: what is held now, which is not `new` if somebody was faster.
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
        // One that lives shorter than the leeway would never be used.
        refreshDate = new?.expiry.map { expiry in
            let life = max(0, expiry.timeIntervalSince(date))
            return expiry - min(leeway / .seconds(1), life / 2)
        }
    }
}
