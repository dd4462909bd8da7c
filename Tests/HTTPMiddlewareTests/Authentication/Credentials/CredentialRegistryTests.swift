import HTTPCore
import Testing
@testable import HTTPMiddleware
import PortableFoundation

@Suite struct CredentialRegistryTests {
    private let start = Date(timeIntervalSince1970: 1_000_000)
    private let now = HTTPInstant(sinceStart: .seconds(100))

    private func credential(_ token: String, life: TimeInterval? = nil) throws -> HTTPCredential {
        try .bearer(token, expiry: life.map { start + $0 })
    }

    private func book(
        _ credential: HTTPCredential?, window: RefreshWindow = RefreshWindow()
    ) -> CredentialRegistry {
        CredentialRegistry(credential, leeway: .seconds(300), window: window)
    }

    private func held(_ book: CredentialRegistry, after time: TimeInterval = 0) throws
        -> CredentialRegistry.Held
    {
        guard case .sign(let held) = book.beforeSending(at: start + time) else {
            throw HTTPError(.internalFailure, "nothing to sign with")
        }
        return held
    }

    private func isToRefresh(_ book: CredentialRegistry, after time: TimeInterval) -> Bool {
        if case .refresh = book.beforeSending(at: start + time) { true } else { false }
    }

    @Test func `without expiry a credential is held, a missing or ending one is renewed`() throws {
        #expect(!isToRefresh(book(try credential("a")), after: 1e9))
        #expect(isToRefresh(book(nil), after: 0))
        let ending = book(try credential("a", life: 3600))
        #expect(!isToRefresh(ending, after: 3299))
        #expect(isToRefresh(ending, after: 3300))
        #expect(ending.stillValid(at: start + 3599) != nil)
        #expect(ending.stillValid(at: start + 3600) == nil)
    }

    @Test func `a credential with less life than the leeway is used for half of it`() throws {
        var book = book(nil)
        book.replace(with: try credential("a", life: 60), at: start)
        #expect(!isToRefresh(book, after: 29))
        #expect(isToRefresh(book, after: 30))
    }

    @Test func `a request with an older credential is sent again with the held one`() throws {
        var book = book(try credential("a"))
        let old = try held(book)
        book.replace(with: try credential("b"), at: start)
        guard case .resend(let newer) = book.afterRefusal(of: old) else {
            Issue.record("not sent again")
            return
        }
        #expect(newer.credential == (try credential("b")))
    }

    @Test func `a second refresh between check and start finds the version replaced`() throws {
        var book = book(try credential("a"))
        let refused = try held(book)
        guard case .ask(let old) = book.start(replacing: refused.version, at: now) else {
            Issue.record("not started")
            return
        }
        #expect(old == (try credential("a")))
        let new = book.finish(replacing: refused.version, with: try credential("b"), at: start)
        #expect(new?.credential == (try credential("b")))
        guard case .superseded(let held?) = book.start(replacing: refused.version, at: now) else {
            Issue.record("started twice")
            return
        }
        #expect(held.version == new?.version)
    }

    @Test func `a credential set meanwhile wins over the one that a refresh got`() throws {
        var book = book(try credential("a"))
        let refused = try held(book)
        _ = book.start(replacing: refused.version, at: now)
        book.replace(with: try credential("mine"), at: start)
        let held = book.finish(replacing: refused.version, with: try credential("b"), at: start)
        #expect(held?.credential == (try credential("mine")))
    }

    @Test func `the window slides`() throws {
        var book = book(
            try credential("a"), window: RefreshWindow(limit: 2, within: .seconds(10)))
        func start(_ book: inout CredentialRegistry, at seconds: Int) -> Bool {
            let version = book.versionForTests
            if case .ask = book.start(
                replacing: version, at: HTTPInstant(sinceStart: .seconds(seconds)))
            {
                return true
            }
            return false
        }
        #expect(start(&book, at: 0) && start(&book, at: 5))
        #expect(!start(&book, at: 9))
        #expect(start(&book, at: 10) && !start(&book, at: 14) && start(&book, at: 15))
    }
}

extension CredentialRegistry {
    fileprivate var versionForTests: Int {
        var book = self
        book.replace(with: nil, at: Date())
        guard case .refresh(let next) = book.beforeSending(at: Date()) else { return -1 }
        return next - 1
    }
}
