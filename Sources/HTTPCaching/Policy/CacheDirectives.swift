import HTTPCore
import HTTPFormats

/// The directives of a response that the rules look at (RFC 9111 §5.2.2, RFC 5861).
struct CacheDirectives: Hashable, Sendable {
    let maxAge: Duration?
    let noStore: Bool
    let noCache: Bool
    let mustRevalidate: Bool
    let mustUnderstand: Bool
    let isImmutable: Bool
    let isPublic: Bool
    let isPrivate: Bool
    /// The time for which a stale response may be used; at most a year, like that of freshness.
    let staleWhileRevalidate: Duration
    let staleIfError: Duration?

    init(_ control: CacheControl) {
        maxAge = control.maxAge
        noStore = control.noStore
        noCache = control.noCache
        mustRevalidate = control.mustRevalidate
        mustUnderstand = control.mustUnderstand
        isImmutable = control.isImmutable
        isPublic = control.isPublic
        isPrivate = control.isPrivate
        func granted(_ asked: Duration) -> Duration {
            ServerTime(asked, atMost: ServerTime.longestFreshness).granted
        }
        staleWhileRevalidate = granted(control.staleWhileRevalidate ?? .zero)
        staleIfError = control.staleIfError.map(granted)
    }

    /// The directives of a response without `Cache-Control`: `no-cache` in `Pragma` counts then
    /// (RFC 9111 §5.4).
    init(pragma: String?) {
        var control = CacheControl()
        if let pragma, CacheControl(pragma).noCache { control.noCache = true }
        self.init(control)
    }

    init(_ headers: HTTPHeaders) {
        guard headers.contains(.cacheControl) else {
            self = headers.contains(.pragma) ? Self(pragma: headers[combined: .pragma]) : Self.none
            return
        }
        self = Self.memo.directives(of: headers[combined: .cacheControl] ?? "")
    }

    private static let none = CacheDirectives(pragma: nil)
    private static let memo = Memo()

    /// The directives of texts that were read lately. A program's servers send few different ones,
    /// and reading one costs more than all other rules for a response.
    private final class Memo: Sendable {
        private let known = Locked([String: CacheDirectives]())

        func directives(of text: String) -> CacheDirectives {
            if let directives = known.withLock({ $0[text] }) { return directives }
            let directives = CacheDirectives(CacheControl(text))
            guard text.utf8.count <= 256 else { return directives }
            known.withLock { known in
                // A server may send any number of different texts.
                if known.count >= 64 { known.removeAll(keepingCapacity: true) }
                known[text] = directives
            }
            return directives
        }
    }
}
