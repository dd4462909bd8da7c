import HTTPCaching
import HTTPCore
import Testing

@Suite struct HTTPCachePolicyTests {
    @Test func `a policy becomes a directive, unless the request has one`() throws {
        let cases: [(HTTPCachePolicy, String?)] = [
            (.useProtocol, nil), (.reload, "no-cache"), (.noStore, "no-store"),
            (.preferStored, "max-stale"), (.onlyStored, "only-if-cached"),
        ]
        for (policy, directive) in cases {
            var request = try HTTPRequest("http://h/").cachePolicy(policy)
            request.applyCachePolicy(or: .reload)
            #expect(request.headers[.cacheControl] == directive)
        }
        var request = try HTTPRequest(.get, "http://h/", headers: ["Cache-Control": "max-age=1"])
        request.applyCachePolicy(or: .reload)
        #expect(request.headers[.cacheControl] == "max-age=1")
    }
}
