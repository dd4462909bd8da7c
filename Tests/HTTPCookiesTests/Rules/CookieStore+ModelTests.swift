import HTTPCore
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPCookies
import PortableFoundation

/// The store against a model that knows only lists: random responses, steps of time and requests.
struct CookieStoreModelTests {
    /// A cookie of the model. It has the host's text, and no site and no index.
    fileprivate struct Entry {
        var name: String
        var value: String
        var domain: String
        var isHostOnly: Bool
        var path: String
        var isSecure: Bool
        var expires: Int?
        var created: Int
        var accessed: Int

        func isSent(host: String, path request: String, isSecure secure: Bool) -> Bool {
            let isInDomain = host == domain || !isHostOnly && host.hasSuffix("." + domain)
            let isInPath =
                request == path || request.hasPrefix(path.hasSuffix("/") ? path : path + "/")
            return isInDomain && isInPath && (secure || !isSecure)
        }
    }

    private struct Model {
        var entries: [Entry] = []
        let limits: CookieStore.Limits

        private static func site(_ domain: String) -> String {
            domain.split(separator: ".").suffix(2).joined(separator: ".")
        }

        mutating func store(_ new: Entry, isSecure secure: Bool, now: Int) {
            entries.removeAll { $0.expires.map { $0 <= now } ?? false }
            if new.isSecure, !secure { return }
            let isCovering = entries.contains { old in
                let related =
                    old.domain == new.domain || old.domain.hasSuffix("." + new.domain)
                    || new.domain.hasSuffix("." + old.domain)
                let old = (old, Entry.isPath(new.path, in: old.path))
                return old.0.name == new.name && old.0.isSecure && related && old.1
            }
            if !secure, isCovering { return }
            var new = new
            let index = entries.firstIndex {
                $0.name == new.name && $0.domain == new.domain && $0.isHostOnly == new.isHostOnly
                    && $0.path == new.path
            }
            if let expires = new.expires, expires <= now {
                if let index { entries.remove(at: index) }
                return
            }
            if let index {
                new.created = entries[index].created
                entries[index] = new
            } else {
                entries.append(new)
            }
            evict(of: Self.site(new.domain))
        }

        private mutating func evict(of site: String) {
            func oldest(_ isCandidate: (Entry) -> Bool) -> Int? {
                entries.indices.filter { isCandidate(entries[$0]) }.min {
                    (entries[$0].accessed, entries[$0].created, $0)
                        < (entries[$1].accessed, entries[$1].created, $1)
                }
            }
            while entries.count(where: { Self.site($0.domain) == site }) > limits.perSite {
                let plain = oldest { Self.site($0.domain) == site && !$0.isSecure }
                guard let index = plain ?? oldest({ Self.site($0.domain) == site }) else { return }
                entries.remove(at: index)
            }
            while entries.count > limits.total, let index = oldest({ _ in true }) {
                entries.remove(at: index)
            }
        }

        mutating func send(host: String, path: String, isSecure: Bool, now: Int) -> [String] {
            let sent = entries.indices.filter {
                entries[$0].isSent(host: host, path: path, isSecure: isSecure)
                    && entries[$0].expires.map { $0 > now } ?? true
            }
            for index in sent { entries[index].accessed = now }
            return sent.sorted {
                let (a, b) = (entries[$0], entries[$1])
                return (-a.path.utf8.count, a.created, $0) < (-b.path.utf8.count, b.created, $1)
            }.map { "\(entries[$0].name)=\(entries[$0].value)" }
        }
    }

    private static let hosts = [
        "one.com", "a.one.com", "b.a.one.com", "two.com", "a.two.com", "three.com",
    ]
    private static let paths = ["/", "/x", "/x/y", "/xy", "/x/y/z"]

    @Test(arguments: 0..<20)
    func `random responses and requests give what lists would give`(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let limits = CookieStore.Limits(perSite: 9, total: 20)
        var store = CookieStore(limits: limits)
        var model = Model(limits: limits)
        var now = 0
        for step in 0..<600 {
            now += Int.random(in: 0...2, using: &random)
            let date = testDate.addingTimeInterval(Double(now))
            let host = Self.hosts.randomElement(using: &random) ?? ""
            let path = Self.paths.randomElement(using: &random) ?? ""
            let isSecure = Bool.random(using: &random)
            let url = "\(isSecure ? "https" : "http")://\(host)\(path)"
            if Int.random(in: 0..<3, using: &random) > 0 {
                let entry = Self.entry(step, host: host, path: path, now: now, using: &random)
                try? store.receive(Self.field(entry, now: now), from: url, now: date)
                model.store(entry, isSecure: isSecure, now: now)
            } else {
                let found = try store.field(for: url, now: date) ?? ""
                let expected = model.send(host: host, path: path, isSecure: isSecure, now: now)
                try #require(found == expected.joined(separator: "; "), "step \(step)")
            }
            try #require(store.count <= limits.total)
            let live = model.entries.count { $0.expires.map { $0 > now } ?? true }
            try #require(store.count(now: date) == live, "step \(step)")
        }
    }

    private static func entry(
        _ step: Int, host: String, path: String, now: Int, using random: inout SeededRandom
    ) -> Entry {
        let labels = host.split(separator: ".")
        let count = Int.random(in: 2...labels.count, using: &random)
        let isHostOnly = Bool.random(using: &random)
        let life = [nil, nil, 0, 1, 5, 20].randomElement(using: &random) ?? nil
        return Entry(
            name: ["p", "q", "r"].randomElement(using: &random) ?? "", value: "\(step)",
            domain: isHostOnly ? host : labels.suffix(count).joined(separator: "."),
            isHostOnly: isHostOnly, path: paths.randomElement(using: &random) ?? "",
            isSecure: Int.random(in: 0..<3, using: &random) == 0,
            expires: life.map { now + $0 }, created: now, accessed: now)
    }

    private static func field(_ entry: Entry, now: Int) -> String {
        "\(entry.name)=\(entry.value); Path=\(entry.path)"
            + (entry.isHostOnly ? "" : "; Domain=\(entry.domain)")
            + (entry.isSecure ? "; Secure" : "")
            + (entry.expires.map { "; Max-Age=\($0 - now)" } ?? "")
    }
}

extension CookieStoreModelTests.Entry {
    fileprivate static func isPath(_ path: String, in other: String) -> Bool {
        path == other || path.hasPrefix(other.hasSuffix("/") ? other : other + "/")
    }
}
