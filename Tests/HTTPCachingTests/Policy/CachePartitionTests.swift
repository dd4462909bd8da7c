import HTTPCore
import HTTPCredentials
import Testing

@testable import HTTPCaching

@Suite struct CachePartitionTests {
    private func text(
        _ headers: HTTPHeaders, _ change: (inout HTTPRequest) -> Void = { _ in }
    ) throws -> String {
        var request = try HTTPRequest(.get, "https://h/", headers: headers).beginningCall()
        change(&request)
        return CachePartition.text(of: request)
    }

    @Test func `every sensitive field takes part, and no other`() throws {
        let none = try text([:])
        #expect(none.isEmpty)
        #expect(try text(["Accept": "a"]) == none)
        let one = try text(["Authorization": "a"])
        #expect(one == (try text(["authorization": "a", "Accept": "b"])))
        #expect(one != (try text(["Authorization": "b"])))
        #expect(one != (try text(["Cookie": "a"])))
        #expect(one != none && !one.contains("Authorization"))
        var marked: HTTPHeaders = ["X-User": "ann"]
        marked.setSensitive("X-User")
        #expect(try text(marked) != none)
    }

    @Test(
        arguments: [
            "X-Session", "X-Session-Id", "X-Otp", "X-Pin", "X-PAT", "X-Bearer", "Authentication",
            "Ocp-Apim-Key", "X-Webhook-Key", "X-Key", "Fastly-Key", "AccessKey",
        ])
    func `a field with the name of a secret separates responses`(name: String) throws {
        func text(_ value: String) throws -> String {
            var headers: HTTPHeaders = [:]
            try headers.set(HTTPHeaderName(name), value)
            return try self.text(headers)
        }
        #expect(try text("a") != self.text([:]))
        #expect(try text("a") != text("b"))
    }

    @Test func `values and names do not run into each other`() throws {
        #expect(try text(["Cookie": "a", "X-Token": "b"]) != text(["Cookie": "aX-Token:b"]))
        #expect(try text(["Cookie": "ab"]) != text(["Cookie": "a", "cookie": "b"]))
    }

    @Test func `a name takes the place of the credentials, and is no digest`() throws {
        let named = try text(["Authorization": "a"]) { $0.cachePartition = "ann" }
        #expect(named == (try text([:]) { $0.cachePartition = "ann" }))
        #expect(named != (try text([:]) { $0.cachePartition = "bob" }))
    }

    @Test func `an owner is added to the credentials`() throws {
        let one = try text(["Authorization": "a"]) { $0.cacheOwner = .client("1") }
        #expect(one != (try text(["Authorization": "a"]) { $0.cacheOwner = .client("2") }))
        #expect(one != (try text(["Authorization": "b"]) { $0.cacheOwner = .client("1") }))
        #expect(try text([:]) { $0.cacheOwner = .client("1") } != "")
    }

    /// Layers below add the credentials of an owner for the first origin of a call only.
    @Test func `a request to another origin than the call's first has a partition of its own`()
        throws
    {
        func text(from home: String, to url: String, _ owner: CacheOwner?) throws -> String {
            var request = try HTTPRequest(.get, home).beginningCall()
            request.url = try HTTPRequest(url).url
            request.cacheOwner = owner
            return CachePartition.text(of: request)
        }
        let own = try text(from: "https://h/", to: "https://h/x", .client("1"))
        #expect(try text(from: "https://h/y", to: "https://h/", .client("1")) == own)
        let others = try [
            "https://other/", "https://sub.h/", "http://h/", "https://h:8443/",
        ].map { try text(from: $0, to: "https://h/x", .client("1")) }
        #expect(Set(others + [own]).count == others.count + 1)
        for owner in [CacheOwner.named("1"), nil] {
            #expect(
                try text(from: "https://other/", to: "https://h/", owner)
                    == text(from: "https://h/", to: "https://h/", owner),
                "no layer below adds credentials that depend on the origin")
        }
    }

    @Test func `credentials that layers have added do not count beside an owner`() throws {
        func added(_ value: String, marked: String? = nil) throws -> String {
            try text(["Cookie": .init(value)]) {
                $0.cacheOwner = .client("1")
                $0[ClientCredentials.self] = ["Cookie": marked ?? value]
            }
        }
        #expect(try added("a") == added("b"))
        #expect(try added("a") != text(["Cookie": "a"]) { $0.cacheOwner = .client("1") })
        #expect(try added("a", marked: "b") != added("a"), "the request has replaced it")
        #expect(
            try text(["Cookie": "a"]) { $0[ClientCredentials.self] = ["Cookie": "a"] }
                == text(["Cookie": "a"]), "without an owner they do")
    }

    @Test func `a credential marked as plain still counts, and an owner is not a credential`()
        throws
    {
        var plain: HTTPHeaders = ["Authorization": "a"]
        plain.setSensitive(.authorization, false)
        #expect(try text(plain) == text(["Authorization": "a"]))
        let owner = "1\nauthorization:a"
        #expect(
            try text([:]) { $0.cacheOwner = .client(owner) }
                != text(["Authorization": "a"]) { $0.cacheOwner = .client("1") })
    }

    @Test func `credentials that a layer below adds are covered by an owner or a name only`() throws
    {
        let seen = try HTTPRequest("https://h/")
        var sent = seen
        sent.headers[.authorization] = "Bearer x"
        #expect(CachePartition.covers(seen, seen: seen))
        #expect(!CachePartition.covers(sent, seen: seen))
        var owned = seen
        owned.cacheOwner = .client("1")
        #expect(CachePartition.covers(sent, seen: owned))
        owned.headers[.authorization] = "Bearer y"
        #expect(!CachePartition.covers(sent, seen: owned), "they were changed, not added")
        #expect(CachePartition.covers(sent, seen: seen.cachePartition("ann")))
    }

    @Test func `a credential that a layer below removes is not covered`() throws {
        var seen = try HTTPRequest("https://h/")
        seen.headers[.authorization] = "Bearer x"
        let sent = try HTTPRequest("https://h/")
        for owner in [CacheOwner.named("ann"), .client("ann"), nil] {
            seen.cacheOwner = owner
            #expect(!CachePartition.covers(sent, seen: seen))
        }
    }
}
