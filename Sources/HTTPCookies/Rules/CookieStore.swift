import HTTPCore
import PortableFoundation

/// The cookies of a jar, and the rules by which they come and go (RFC 6265bis §5.7 and §5.8).
///
/// A pure value: it has no clock, no lock and no file. Each method takes the current date.
struct CookieStore: Sendable {
    typealias Cookie = HTTPCookieJar.Cookie

    struct Limits: Sendable {
        /// The cookies of one registrable domain, as in browsers. The standard wants 50 per domain
        /// at least.
        var perSite = 180
        /// The cookies in all, as the standard suggests.
        var total = 3_000
    }

    /// The longest life of a cookie, in seconds.
    static let longestLife = ServerTime.longestCookieLife.inSeconds

    private let limits: Limits
    /// The cookies by the name of their site, each in the order of creation.
    private var sites: [String: [Cookie]] = [:]
    private(set) var count = 0
    private var lastOrder = 0
    /// A date before which no cookie expires.
    private var nextExpiry = Date.distantFuture
    /// The changes since they were last taken, or `nil` if nothing needs them.
    private(set) var journal: CookieJournal?

    /// - Parameter keepsJournal: `true` to note changes for a file.
    init(limits: Limits = Limits(), keepsJournal: Bool = false) {
        self.limits = limits
        journal = keepsJournal ? CookieJournal() : nil
    }

    // MARK: Storing

    /// Stores the cookie of a response, which was created for `location`.
    ///
    /// - Throws: The reason to ignore it.
    mutating func store(
        _ cookie: Cookie, from location: CookieLocation, now: Date
    ) throws(HTTPCookieJar.Refusal.Reason) {
        removeExpired(at: now)
        if !cookie.isSecure, !location.isSecure, coversSecureCookie(cookie) {
            throw .coversSecureCookie
        }
        guard insert(cookie, now: now) else { throw .noRoom }
    }

    /// Returns `true` if a cookie of an insecure connection would be sent instead of a secure one
    /// (RFC 6265bis §5.7, step 16).
    private func coversSecureCookie(_ cookie: Cookie) -> Bool {
        sites[cookie.site.name, default: []].contains { old in
            old.isSecure && old.nameBytes == cookie.nameBytes
                && (old.domain.domainMatches(cookie.domain)
                    || cookie.domain.domainMatches(old.domain))
                && cookie.pathBytes.pathMatches(old.pathBytes)
        }
    }

    /// Adds a cookie in place of one with the same name, domain and path, whose creation date it
    /// takes. An expired cookie only removes the old one.
    ///
    /// - Returns: `false` if the limits leave no room for it.
    @discardableResult
    mutating func insert(_ cookie: Cookie, now: Date) -> Bool {
        removeExpired(at: now)
        var new = cookie
        new.lastAccessDate = now
        if let expires = new.expires {
            new.expires = min(expires, now.addingTimeInterval(Self.longestLife))
        }
        guard !new.isExpired(at: now) else {
            remove { $0.key == new.key }
            return true
        }
        new.creationDate = now
        put(new)
        return removeExcess(of: new)
    }

    /// Adds a cookie with its own dates, or replaces the old one, and notes the change.
    private mutating func put(_ cookie: Cookie) {
        var new = cookie
        let site = new.site.name
        let key = new.key
        nextExpiry = min(nextExpiry, new.expires ?? .distantFuture)
        if let index = sites[site]?.firstIndex(where: { $0.key == key }),
            let old = sites[site]?[index]
        {
            new.creationDate = old.creationDate
            new.order = old.order
            sites[site]?[index] = new
        } else {
            lastOrder += 1
            new.order = lastOrder
            sites[site, default: []].append(new)
            count += 1
        }
        journal?.note(stored: new)
    }

    // MARK: Sending

    /// Returns the cookies for a request, in the order in which they are sent.
    func cookies(for location: CookieLocation, now: Date) -> [Cookie] {
        guard let cookies = sites[location.site.name] else { return [] }
        return cookies.filter { !$0.isExpired(at: now) && $0.isSent(to: location) }
            .sorted(by: Self.isSentBefore)
    }

    /// Returns the cookies for a request, and notes that they were sent.
    mutating func send(to location: CookieLocation, now: Date) -> [Cookie] {
        let name = location.site.name
        guard let indices = sites[name]?.indices else { return [] }
        var sent: [Cookie] = []
        for index in indices {
            guard let cookie = sites[name]?[index], !cookie.isExpired(at: now),
                cookie.isSent(to: location)
            else { continue }
            sites[name]?[index].lastAccessDate = now
            sent.append(cookie)
        }
        return sent.sorted(by: Self.isSentBefore)
    }

    /// Longer paths first, then older cookies (RFC 6265bis §5.8.3, step 4).
    private static func isSentBefore(_ a: Cookie, _ b: Cookie) -> Bool {
        a.pathBytes.count == b.pathBytes.count
            ? isOlder(a, b) : a.pathBytes.count > b.pathBytes.count
    }

    static func isOlder(_ a: Cookie, _ b: Cookie) -> Bool {
        a.creationDate == b.creationDate ? a.order < b.order : a.creationDate < b.creationDate
    }

    /// All cookies in the order in which they were created.
    func all(now: Date) -> [Cookie] {
        sites.values.joined().filter { !$0.isExpired(at: now) }.sorted(by: Self.isOlder)
    }

    /// The number of cookies that have not expired.
    func count(now: Date) -> Int {
        guard nextExpiry <= now else { return count }
        return sites.values.reduce(0) { $0 + $1.count { !$0.isExpired(at: now) } }
    }

    var isEmpty: Bool { count == 0 }

    /// The number of changes in the journal; never decreases until it is taken.
    var noteCount: Int { journal?.noteCount ?? 0 }
}

// MARK: - Removing

extension CookieStore {
    /// Removes the cookies that meet a condition, and notes the change.
    ///
    /// - Returns: `true` if there was one.
    @discardableResult
    mutating func remove(where isRemoved: (Cookie) -> Bool) -> Bool {
        let old = count
        for (name, cookies) in sites where cookies.contains(where: isRemoved) {
            removeFromSite(name, where: isRemoved)
        }
        return count != old
    }

    private mutating func removeFromSite(_ name: String, where isRemoved: (Cookie) -> Bool) {
        guard let cookies = sites[name] else { return }
        let kept = cookies.filter { cookie in
            let isKept = !isRemoved(cookie)
            if !isKept { journal?.note(removed: cookie.key) }
            return isKept
        }
        sites[name] = kept.isEmpty ? nil : kept
        count -= cookies.count - kept.count
    }

    mutating func removeAll() {
        journal?.noteRemovedAll()
        sites = [:]
        count = 0
        nextExpiry = .distantFuture
    }

    private mutating func remove(_ cookie: Cookie) {
        let key = cookie.key
        removeFromSite(cookie.site.name) { $0.key == key }
    }

    /// Removes the cookies that have expired. Nothing notes it, because they expire in a file, too.
    private mutating func removeExpired(at now: Date) {
        guard nextExpiry <= now else { return }
        drop { $0.isExpired(at: now) }
        nextExpiry = sites.values.joined().reduce(.distantFuture) { date, cookie in
            min(date, cookie.expires ?? .distantFuture)
        }
    }

    /// Removes the cookies that meet a condition, and notes nothing.
    private mutating func drop(where isDropped: (Cookie) -> Bool) {
        for (name, cookies) in sites {
            let kept = cookies.filter { !isDropped($0) }
            guard kept.count < cookies.count else { continue }
            sites[name] = kept.isEmpty ? nil : kept
            count -= cookies.count - kept.count
        }
    }

    /// Removes cookies until the limits hold (RFC 6265bis §5.7): in a site with too many, first
    /// those that are not secure; among equals, the one that was not used for the longest time.
    ///
    /// - Returns: `false` if `new` was removed itself.
    private mutating func removeExcess(of new: Cookie) -> Bool {
        let key = new.key
        var isKept = true
        while let cookies = sites[new.site.name], cookies.count > limits.perSite {
            let insecure = cookies.filter { !$0.isSecure }
            let candidates = insecure.isEmpty ? cookies : insecure
            guard let victim = candidates.min(by: Self.isUnusedLonger) else { break }
            if victim.key == key { isKept = false }
            remove(victim)
        }
        while count > limits.total {
            guard let victim = sites.values.joined().min(by: Self.isUnusedLonger) else { break }
            if victim.key == key { isKept = false }
            remove(victim)
        }
        return isKept
    }

    /// Removes cookies by the same rules, any number of them at once, and notes nothing. Among
    /// cookies that were used at the same time, or never, the latest ones go. Otherwise, cookies
    /// that were in memory would give way to others of the file each time it is read.
    private mutating func dropExcess() {
        func isFirst(_ a: Cookie, _ b: Cookie) -> Bool {
            a.lastAccessDate == b.lastAccessDate
                ? a.order > b.order : a.lastAccessDate < b.lastAccessDate
        }
        var victims = Set<Int>()
        for cookies in sites.values where cookies.count > limits.perSite {
            let sorted = cookies.sorted { a, b in
                a.isSecure == b.isSecure ? isFirst(a, b) : !a.isSecure
            }
            victims.formUnion(sorted.prefix(cookies.count - limits.perSite).map(\.order))
        }
        if !victims.isEmpty { drop { victims.contains($0.order) } }
        guard count > limits.total else { return }
        let sorted = sites.values.joined().sorted(by: isFirst)
        victims = Set(sorted.prefix(count - limits.total).map(\.order))
        drop { victims.contains($0.order) }
    }

    private static func isUnusedLonger(_ a: Cookie, _ b: Cookie) -> Bool {
        a.lastAccessDate == b.lastAccessDate
            ? isOlder(a, b) : a.lastAccessDate < b.lastAccessDate
    }
}

// MARK: - Files

extension CookieStore {
    /// Takes the changes for a file. They are noted anew from here on.
    mutating func takeJournal() -> CookieJournal {
        let taken = journal ?? CookieJournal()
        if journal != nil { journal = CookieJournal() }
        return taken
    }

    /// Notes no more changes.
    mutating func endJournal() { journal = nil }

    /// Puts back changes that could not be written, before those that were noted since.
    mutating func putBack(_ journal: CookieJournal) {
        guard let later = self.journal else { return }
        self.journal = journal.followed(by: later)
    }

    /// Takes over the contents of a file, after the changes up to ``takeJournal()`` were written to
    /// it.
    ///
    /// Changes that were noted since then stay. A cookie that the file does not contain was removed
    /// by another process, unless the file cannot contain it. Nothing of this is a change: cookies
    /// that exceed the limits stay in the file.
    ///
    /// - Parameters:
    ///   - cookies: The cookies in the file with different keys, in the order of creation.
    ///   - isFiled: Returns `true` for a cookie that a file would contain.
    /// - Complexity: O(*n* log *n*), where *n* is the number of cookies in the file and in memory.
    mutating func adopt(_ cookies: [Cookie], now: Date, isFiled: (Cookie) -> Bool) {
        removeExpired(at: now)
        var known: [Cookie.Key: Int] = [:]
        for cookies in sites.values {
            for (index, cookie) in cookies.enumerated() { known[cookie.key] = index }
        }
        var filed = Set<Cookie.Key>()
        for cookie in cookies {
            let key = cookie.key
            guard journal?.concerns(key) != true, filed.insert(key).inserted else { continue }
            adopt(cookie, at: known[key], now: now)
        }
        let later = journal
        drop { cookie in
            let key = cookie.key
            return !filed.contains(key) && later?.concerns(key) != true && isFiled(cookie)
        }
        dropExcess()
    }

    /// Adds a cookie of a file, with its dates.
    ///
    /// A cookie without a date of access was never used here, and so is removed before all others.
    ///
    /// - Parameter index: The place of the cookie with the same key in its site, if there is one.
    private mutating func adopt(_ cookie: Cookie, at index: Int?, now: Date) {
        var new = cookie
        if let expires = new.expires {
            new.expires = min(expires, now.addingTimeInterval(Self.longestLife))
        }
        guard !new.isExpired(at: now) else { return }
        if new.creationDate == .distantPast || new.creationDate > now { new.creationDate = now }
        if new.lastAccessDate != .distantPast {
            new.lastAccessDate = min(max(new.lastAccessDate, new.creationDate), now)
        }
        let site = new.site.name
        if let index, let old = sites[site]?[index] {
            guard !cookie.hasSameFiledContent(as: old) else { return }
            new.creationDate = old.creationDate
            new.lastAccessDate = max(new.lastAccessDate, old.lastAccessDate)
            new.order = old.order
            sites[site]?[index] = new
        } else {
            lastOrder += 1
            new.order = lastOrder
            sites[site, default: []].append(new)
            count += 1
        }
        nextExpiry = min(nextExpiry, new.expires ?? .distantFuture)
    }
}

extension HTTPCookieJar.Cookie {
    /// Returns `true` if this cookie of a file does not change the one in memory. The file may lack
    /// the `SameSite` attribute, and have whole seconds.
    fileprivate func hasSameFiledContent(as other: Self) -> Bool {
        key == other.key && valueBytes == other.valueBytes && isSecure == other.isSecure
            && isHTTPOnly == other.isHTTPOnly && sameSite ?? other.sameSite == other.sameSite
            && expires?.timeIntervalSince1970.rounded(.down)
                == other.expires?.timeIntervalSince1970.rounded(.down)
    }
}
