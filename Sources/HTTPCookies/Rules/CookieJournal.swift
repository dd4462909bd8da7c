/// The changes of a jar since they were last written to its file.
///
/// They are applied to what the file contains at the time of writing, so that two processes with
/// one file do not undo each other's changes.
struct CookieJournal: Sendable {
    typealias Cookie = HTTPCookieJar.Cookie

    private enum Change: Sendable {
        case stored(Cookie)
        case removed
    }

    /// The number of changes from which removals are not noted.
    static let mostChanges = 16_384

    /// `true` if all cookies were removed before the changes.
    private var isCleared = false
    private var changes: [Cookie.Key: Change] = [:]
    /// The number of changes that were noted.
    private(set) var noteCount = 0

    var count: Int { changes.count }
    var isEmpty: Bool { !isCleared && changes.isEmpty }

    mutating func note(stored cookie: Cookie) {
        changes[cookie.key] = .stored(cookie)
        noteCount += 1
    }

    mutating func note(removed key: Cookie.Key) {
        noteCount += 1
        // Without the note, the cookie returns if it is in the file. This is better than a journal
        // that grows for as long as the file cannot be written.
        changes[key] = changes.count < Self.mostChanges ? .removed : nil
    }

    mutating func noteRemovedAll() {
        isCleared = true
        changes = [:]
        noteCount += 1
    }

    /// Returns `true` if a cookie with this key was changed.
    func concerns(_ key: Cookie.Key) -> Bool { isCleared || changes[key] != nil }

    /// Returns these changes and then `later`.
    func followed(by later: CookieJournal) -> CookieJournal {
        guard !later.isCleared else { return later }
        var joined = self
        joined.changes.merge(later.changes) { $1 }
        joined.dropExcess()
        return joined
    }

    /// Drops removals until the bound holds, as ``note(removed:)`` does.
    private mutating func dropExcess() {
        var excess = changes.count - Self.mostChanges
        guard excess > 0 else { return }
        changes = changes.filter { _, change in
            guard excess > 0, case .removed = change else { return true }
            excess -= 1
            return false
        }
    }

    /// Returns the cookies of a file after the changes: those that stay in their order, and then
    /// the new ones by age.
    ///
    /// - Parameter isFiled: Returns `true` for a cookie that this jar writes to the file. Any other
    ///   one only removes an older cookie with its key that this jar would write, too: the rest
    ///   belongs to other programs.
    func applied(to cookies: [Cookie], isFiled: (Cookie) -> Bool) -> [Cookie] {
        var new = changes
        var result: [Cookie] = []
        for cookie in isCleared ? [] : cookies {
            switch new.removeValue(forKey: cookie.key) {
            case nil: result.append(cookie)
            case .stored(let changed)?:
                if isFiled(changed) {
                    result.append(changed)
                } else if !isFiled(cookie) {
                    result.append(cookie)
                }
            case .removed?: break
            }
        }
        let added = new.values.compactMap { change -> Cookie? in
            if case .stored(let cookie) = change, isFiled(cookie) { cookie } else { nil }
        }
        return result + added.sorted(by: CookieStore.isOlder)
    }
}
