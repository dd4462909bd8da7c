import Testing

@testable import HTTPCore

@Suite(.timeLimit(.minutes(5))) struct RecentTableTests {
    private final class Entry: Sendable {}

    private func count(_ table: RecentTable<Entry>) -> Int {
        table.state.withLock { $0.newer.count + $0.older.count }
    }

    @Test func `a value is found by its text`() {
        let table = RecentTable<Entry>()
        let (a, b) = (Entry(), Entry())
        #expect(table.value(for: "http://a/") == nil)
        table.keep(a, for: "http://a/")
        table.keep(b, for: "http://b/?token=secret")
        #expect(table.value(for: "http://a/") === a)
        #expect(table.value(for: "http://b/?token=secret") === b)
        #expect(table.value(for: "http://b/?token=other") == nil)
    }

    @Test func `the number of texts is limited, and those that are used stay`() {
        let table = RecentTable<Entry>()
        let entry = Entry()
        table.keep(entry, for: "used")
        for number in 0..<RecentTable<Entry>.limit * 3 {
            table.keep(entry, for: "\(number)")
            #expect(table.value(for: "used") === entry)
            #expect(count(table) <= RecentTable<Entry>.limit)
        }
        #expect(table.value(for: "0") == nil)
    }

    @Test func `a long text is not kept`() {
        let table = RecentTable<Entry>()
        let entry = Entry()
        for (length, isKept) in [
            (RecentTable<Entry>.lengthLimit, true), (RecentTable<Entry>.lengthLimit + 1, false),
        ] {
            let url = "http://a/" + String(repeating: "x", count: length - 9)
            table.keep(entry, for: url)
            #expect((table.value(for: url) != nil) == isKept)
        }
    }

    @Test func `a table of the process does not wait for its lock`() {
        let table = RecentTable<Entry>(waits: false)
        let entry = Entry()
        table.keep(entry, for: "http://a/")
        let found = table.state.withLock { _ in
            table.keep(entry, for: "http://b/")
            return table.value(for: "http://a/")
        }
        #expect(found == nil)
        #expect(table.value(for: "http://a/") === entry && table.value(for: "http://b/") == nil)
    }

    @Test func `a closed table is empty and stays empty`() {
        let table = RecentTable<Entry>()
        let entry = Entry()
        table.keep(entry, for: "http://a/")
        table.close()
        #expect(table.value(for: "http://a/") == nil)
        table.keep(entry, for: "http://a/")
        #expect(table.value(for: "http://a/") == nil)
        #expect(count(table) == 0)
    }
}
