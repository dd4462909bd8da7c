public import HTTPCore
public import PortableFoundation

/// A store of cookies, in memory or in a file (RFC 6265bis).
///
/// Put it around a session with ``Cookies``. Several sessions can share one jar, and it can be used
/// from any thread.
///
/// A jar holds at most 180 cookies of each registrable domain, and 3000 in all. Beyond that, it
/// removes the cookies that were not used for the longest time; within a domain, first those that
/// are not secure.
public final class HTTPCookieJar: Sendable {
    struct State: Sendable {
        var store: CookieStore
        var refusals: [Refusal] = []
        var saving = SavingState()
    }

    let clock: any HTTPClock
    let file: CookieFile?
    let state: Locked<State>

    /// Creates an empty jar in memory.
    ///
    /// - Parameter clock: The clock by which cookies expire.
    public convenience init(clock: any HTTPClock = .system) {
        self.init(file: nil, clock: clock)
    }

    init(file: CookieFile?, clock: any HTTPClock) {
        self.clock = clock
        self.file = file
        state = Locked(State(store: CookieStore(keepsJournal: file != nil)))
    }

    deinit { saveAbandoned() }

    /// A new jar in memory.
    public static var inMemory: HTTPCookieJar { HTTPCookieJar() }

    // MARK: Inspecting

    /// All cookies that have not expired, in the order in which they were created.
    public var cookies: [Cookie] {
        let now = clock.date
        return state.withLock { $0.store.all(now: now) }
    }

    /// Returns the cookies that a request to `url` would carry, in the order in which they are
    /// sent; none if the URL has no host.
    public func cookies(for url: URL) -> [Cookie] {
        guard let location = try? CookieLocation(url) else { return [] }
        let now = clock.date
        return state.withLock { $0.store.cookies(for: location, now: now) }
    }

    /// The number of cookies that have not expired.
    public var count: Int {
        let now = clock.date
        return state.withLock { $0.store.count(now: now) }
    }

    /// The last 64 cookies of responses that were not stored, the latest last, with the reasons.
    public var refusals: [Refusal] { state.withLock { $0.refusals } }

    // MARK: Changing

    /// Stores a cookie, in place of one with the same name, domain, path and
    /// ``Cookie/isHostOnly``. A cookie that has expired only removes that one. If there is no room
    /// for the cookie, it is in ``refusals``.
    public func set(_ cookie: Cookie) {
        update { state, now in
            guard !state.store.insert(cookie, now: now) else { return }
            state.note(Refusal(host: cookie.domain, name: cookie.nameBytes, reason: .noRoom))
        }
    }

    /// Removes the cookies with this name of a domain.
    ///
    /// - Parameters:
    ///   - name: The name of the cookies.
    ///   - domain: The domain of the cookie, as in ``Cookie/domain``.
    ///   - path: The path of the cookie, or `nil` for any path.
    /// - Returns: `true` if there was one.
    @discardableResult
    public func remove(name: String, domain: String, path: String? = nil) -> Bool {
        let host = (try? HTTPOrigin(host: domain).host) ?? domain
        let (name, path) = (Array(name.utf8), path.map { Array($0.utf8) })
        return update { state, _ in
            state.store.remove {
                $0.domain == host && $0.nameBytes == name && path ?? $0.pathBytes == $0.pathBytes
            }
        }
    }

    /// Removes all cookies, also those of a file that another process has stored.
    public func removeAll() { update { state, _ in state.store.removeAll() } }

    /// Removes the cookies for which `isRemoved` returns `true`. A cookie that was set anew
    /// meanwhile, with another value or another date of expiry, stays.
    public func removeAll<Failure: Error>(
        where isRemoved: (Cookie) throws(Failure) -> Bool
    ) throws(Failure) {
        // The caller's code runs outside the lock.
        var seen: [Cookie.Key: Cookie] = [:]
        for cookie in cookies where try isRemoved(cookie) { seen[cookie.key] = cookie }
        update { state, _ in
            _ = state.store.remove { cookie in
                guard let old = seen[cookie.key] else { return false }
                return old.valueBytes == cookie.valueBytes && old.expires == cookie.expires
            }
        }
    }

    /// Removes all cookies without a date of expiry, as at the end of a browser's session.
    public func removeSessionCookies() {
        update { state, _ in _ = state.store.remove { $0.expires == nil } }
    }
}

// MARK: - Requests and responses

extension HTTPCookieJar {
    /// `false` if there is certainly no cookie.
    package var hasCookies: Bool { state.withLock { !$0.store.isEmpty } }

    /// Returns the value of the `Cookie` field with the cookies whose name is not excluded.
    ///
    /// - Parameter isSent: Returns `false` for the name of a cookie to leave out. Called outside
    ///   the lock.
    func cookieField(for url: URL, where isSent: (_ name: [UInt8]) -> Bool) -> [UInt8]? {
        guard hasCookies, let location = try? CookieLocation(url) else { return nil }
        let now = clock.date
        let cookies = state.withLock { $0.store.send(to: location, now: now) }
        return Self.field(of: cookies.filter { isSent($0.nameBytes) })
    }

    /// Returns the value of a `Cookie` field (RFC 6265bis §5.8.3, step 6), or `nil` if it is empty.
    static func field(of cookies: [Cookie]) -> [UInt8]? {
        var field: [UInt8] = []
        for cookie in cookies {
            if !field.isEmpty { field += "; ".utf8 }
            if !cookie.nameBytes.isEmpty {
                field += cookie.nameBytes
                field.append(UInt8(ascii: "="))
            }
            field += cookie.valueBytes
        }
        return field.isEmpty ? nil : field
    }

    /// Stores the cookies of a response's `Set-Cookie` fields.
    ///
    /// - Parameter url: The URL of the response. Nothing is stored if it has no host.
    package func store(_ headers: HTTPHeaders, from url: URL) {
        guard headers.contains(.setCookie), let location = try? CookieLocation(url) else { return }
        let date = clock.date
        var cookies: [Result<Cookie, Refused>] = []
        headers.forEachValue(of: .setCookie) { value in
            cookies.append(Self.cookie(value, from: location, now: date))
        }
        update { state, now in
            for cookie in cookies {
                do throws(Refused) {
                    let cookie = try cookie.get()
                    do throws(Refusal.Reason) {
                        try state.store.store(cookie, from: location, now: now)
                    } catch {
                        throw Refused(name: cookie.nameBytes, reason: error)
                    }
                } catch {
                    state.note(
                        Refusal(host: location.host, name: error.name, reason: error.reason))
                }
            }
        }
    }

    private struct Refused: Error {
        var name: [UInt8] = []
        var reason: Refusal.Reason
    }

    private static func cookie(
        _ value: Span<UInt8>, from location: CookieLocation, now: Date
    ) -> Result<Cookie, Refused> {
        let field: SetCookie
        do throws(Refusal.Reason) {
            field = try SetCookie(value)
        } catch {
            return .failure(Refused(reason: error))
        }
        do throws(Refusal.Reason) {
            return .success(try Cookie(field, from: location, now: now))
        } catch {
            return .failure(Refused(name: field.name, reason: error))
        }
    }
}

extension HTTPCookieJar.State {
    /// The number of refusals that a jar keeps.
    static let mostRefusals = 64

    mutating func note(_ refusal: HTTPCookieJar.Refusal) {
        if refusals.count == Self.mostRefusals { refusals.removeFirst() }
        refusals.append(refusal)
    }
}

extension HTTPCookieJar: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of cookies; nothing of their contents.
    public var description: String { "\(count) cookies" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
