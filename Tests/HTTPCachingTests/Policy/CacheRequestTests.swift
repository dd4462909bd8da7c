import HTTPCore
import HTTPCredentials
import HTTPFormats
import Testing

@testable import HTTPCaching

@Suite struct CacheRequestTests {
    private func kind(
        _ method: HTTPMethod = .get, _ headers: HTTPHeaders = [:], body: HTTPBody = .empty
    ) throws -> CacheRequest.Kind {
        CacheRequest(try HTTPRequest(method, "http://h/", headers: headers, body: body)).kind
    }

    @Test func `GET and HEAD are looked up, other safe methods pass by, the rest is unsafe`() throws
    {
        #expect(try kind(.get) == .lookup)
        #expect(try kind(.head) == .lookup)
        #expect(try kind(.options) == .bypass("method"))
        #expect(try kind(.post) == .unsafe)
        #expect(try kind("M-SEARCH") == .unsafe)
    }

    @Test func `a request with a range, a precondition or a body passes by`() throws {
        #expect(try kind(.get, ["Range": "bytes=0-"]) == .range(.from(0)))
        #expect(try kind(.get, ["Range": "bytes=0-, 5-6"]) == .bypass("range"))
        #expect(try kind(.get, ["Range": "lines=0-"]) == .bypass("range"))
        #expect(try kind(.get, ["If-Match": "\"a\""]) == .bypass("precondition"))
        #expect(try kind(.get, ["Cache-Control": "no-store"]) == .bypass("no-store"))
        #expect(try kind(.get, body: HTTPBody("x")) == .bypass("body"))
    }

    @Test func `an option for the transport passes by, unless the partition has a name`() throws {
        var request = try HTTPRequest("http://h/")
        request[Identity.self] = "ann"
        #expect(CacheRequest(request).kind == .bypass("transport-option"))
        request.cachePartition = "ann"
        #expect(CacheRequest(request).kind == .lookup)
    }

    @Test func `a request whose target or user is unknown passes by`() throws {
        #expect(try kind(.get, ["Host": "tenant.example"]) == .bypass("host"))
        var request = try HTTPRequest("http://h/")
        request.cacheOwner = .unknown
        #expect(CacheRequest(request).kind == .bypass("credentials"))
        #expect(try kind(.head, ["Range": "bytes=0-"]) == .lookup, "it has no meaning for HEAD")
    }

    private enum Identity: HTTPTransportOption {
        static var defaultValue: String { "" }
    }

    @Test func `Pragma counts without Cache-Control only`() throws {
        func noCache(_ headers: HTTPHeaders) throws -> Bool {
            CacheRequest(try HTTPRequest(.get, "http://h/", headers: headers)).noCache
        }
        #expect(try noCache(["Pragma": "no-cache"]))
        #expect(try !noCache(["Pragma": "no-cache", "Cache-Control": "max-stale"]))
    }
}
