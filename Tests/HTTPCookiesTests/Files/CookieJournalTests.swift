import HTTPCore
import Testing

@testable import HTTPCookies

struct CookieJournalTests {
    typealias Cookie = HTTPCookieJar.Cookie

    /// Returns a cookie as if a store had created its cookies in alphabetical order.
    private func cookie(_ name: String, _ value: String = "1") throws -> Cookie {
        var cookie = try Cookie(name, value, domain: "example.com")
        cookie.order = Int(name.utf8.first ?? 0)
        return cookie
    }

    private func names(
        _ journal: CookieJournal, on file: [Cookie], isFiled: (Cookie) -> Bool = { _ in true }
    ) -> [String] {
        journal.applied(to: file, isFiled: isFiled).map { "\($0.name)=\($0.value)" }
    }

    @Test func `changes are applied to what the file contains`() throws {
        var journal = CookieJournal()
        let x = try cookie("x")
        #expect(journal.isEmpty && names(journal, on: [x]) == ["x=1"])
        journal.note(stored: try cookie("a", "2"))
        journal.note(removed: try cookie("b").key)
        journal.note(stored: try cookie("n"))
        let file = try [cookie("x"), cookie("b"), cookie("a"), cookie("y")]
        #expect(names(journal, on: file) == ["x=1", "a=2", "y=1", "n=1"])
        #expect(names(journal, on: []) == ["a=2", "n=1"])
        #expect(!journal.isEmpty)
    }

    @Test func `a cookie that is not filed removes an older one that was`() throws {
        var journal = CookieJournal()
        journal.note(stored: try cookie("a", "2"))
        let file = [try cookie("a"), try cookie("b")]
        #expect(names(journal, on: file) { $0.value == "1" } == ["b=1"])
    }

    @Test func `a cookie that is not filed leaves the one of another program`() throws {
        var journal = CookieJournal()
        journal.note(stored: try cookie("a", "2"))
        journal.note(removed: try cookie("b").key)
        let file = [try cookie("a"), try cookie("b")]
        #expect(names(journal, on: file) { _ in false } == ["a=1"])
    }

    @Test func `removing all removes the file's cookies, too`() throws {
        var journal = CookieJournal()
        journal.note(stored: try cookie("a"))
        journal.noteRemovedAll()
        journal.note(stored: try cookie("b"))
        #expect(names(journal, on: [try cookie("x")]) == ["b=1"])
        #expect(journal.concerns(try cookie("x").key))
    }

    @Test func `later changes win over earlier ones`() throws {
        var first = CookieJournal()
        first.note(stored: try cookie("a"))
        first.note(stored: try cookie("b"))
        var second = CookieJournal()
        second.note(removed: try cookie("a").key)
        #expect(names(first.followed(by: second), on: []) == ["b=1"])
        second.noteRemovedAll()
        #expect(names(first.followed(by: second), on: [try cookie("x")]) == [])
        #expect(names(second.followed(by: first), on: [try cookie("x")]) == ["a=1", "b=1"])
    }

    @Test func `a journal that cannot be written stays bounded`() throws {
        var journal = CookieJournal()
        for number in 0..<CookieJournal.mostChanges + 100 {
            let cookie = try cookie("n\(number)")
            journal.note(stored: cookie)
            journal.note(removed: cookie.key)
        }
        #expect(journal.count <= CookieJournal.mostChanges)
        journal.note(stored: try cookie("a"))
        #expect(names(journal, on: []) == ["a=1"])
    }

    @Test func `a journal that is put back again and again stays bounded`() throws {
        var journal = CookieJournal()
        journal.note(stored: try cookie("a"))
        for round in 0..<3 {
            var later = CookieJournal()
            for number in 0..<CookieJournal.mostChanges / 2 {
                let name = Array("n\(round)-\(number)".utf8)
                later.note(
                    removed: Cookie.Key(
                        name: name, domain: "example.com", isHostOnly: true, path: [0x2F]))
            }
            later.note(stored: try cookie("b"))
            journal = journal.followed(by: later)
        }
        #expect(journal.count == CookieJournal.mostChanges)
        #expect(names(journal, on: []) == ["a=1", "b=1"])
    }
}
