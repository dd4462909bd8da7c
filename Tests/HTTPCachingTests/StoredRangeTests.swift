import HTTPCaching
import HTTPCore
import HTTPTesting
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct StoredRangeTests {
    private let text = "0123456789"

    private func origin(_ fields: HTTPHeaders, streamed: Bool = false) -> CachedOrigin {
        let text = text
        return CachedOrigin { request, _ in
            if request.headers.contains(.range) {
                return HTTPResponse(
                    .partialContent, headers: fields, body: HTTPBody("origin"), to: request)
            }
            let body =
                streamed
                ? HTTPBody(source: ScriptedBody(text.map { .bytes(String($0)) })) : HTTPBody(text)
            return HTTPResponse(.ok, headers: fields, body: body, to: request)
        }
    }

    private let whole: HTTPHeaders = [
        "Cache-Control": "max-age=60", "Content-Length": "10", "ETag": "\"1\"",
    ]

    @Test(arguments: [
        ("bytes=0-1", "01", "bytes 0-1/10"), ("bytes=8-", "89", "bytes 8-9/10"),
        ("bytes=-3", "789", "bytes 7-9/10"), ("bytes=5-99", "56789", "bytes 5-9/10"),
        ("bytes=0-9", "0123456789", "bytes 0-9/10"),
    ])
    func `a range is served from a whole response`(range: String, part: String, named: String)
        async throws
    {
        for streamed in [false, true] {
            let origin = origin(whole, streamed: streamed)
            try await origin.send()
            let reply = try await origin.send(
                .get, "https://a.example/x", ["Range": .init(range)])
            #expect(reply.status == 206 && reply.body == part && reply.isHit)
            #expect(reply.headers[.contentRange] == named)
            #expect(reply.headers[.contentLength] == "\(part.count)")
        }
    }

    @Test(
        arguments: [
            (["Range": "bytes=10-"], "unsatisfiable"),
            (["Range": "bytes=0-1", "If-Range": "\"2\""], "another one"),
            (["Range": "bytes=0-1", "If-Range": "W/\"1\""], "weak"),
            (["Range": "bytes=0-1", "If-Range": "Sun, 06 Nov 1994 08:49:37 GMT"], "a date"),
            (["Range": "bytes=0-1, 4-5"], "two ranges"),
            (["Range": "bytes=x"], "malformed"),
        ] as [(HTTPHeaders, Comment)])
    func `any other range passes by, and is not stored`(fields: HTTPHeaders, why: Comment)
        async throws
    {
        let origin = origin(whole)
        try await origin.send()
        #expect(try await origin.send(.get, "https://a.example/x", fields).body == "origin", why)
        #expect(try await origin.send().body == text)
        #expect(origin.count == 2)
    }

    @Test func `If-Range with the strong tag is served`() async throws {
        let origin = origin(whole)
        try await origin.send()
        let fields: HTTPHeaders = ["Range": "bytes=0-1", "If-Range": "\"1\""]
        #expect(try await origin.send(.get, "https://a.example/x", fields).body == "01")
    }

    @Test(
        arguments: [
            ["Cache-Control": "max-age=60", "ETag": "\"1\""],
            ["Cache-Control": "max-age=60", "Content-Length": "4"],
            ["Cache-Control": "max-age=60", "Content-Length": "10", "Content-Encoding": "br"],
        ] as [HTTPHeaders])
    func `a body that may not have the server's bytes serves no range`(fields: HTTPHeaders)
        async throws
    {
        let origin = origin(fields)
        try await origin.send()
        let reply = try await origin.send(.get, "https://a.example/x", ["Range": "bytes=0-1"])
        #expect(reply.body == "origin" && reply.detail == "range")
    }

    @Test func `a stale response serves no range`() async throws {
        let origin = origin(whole)
        try await origin.send()
        origin.clock.advance(by: .seconds(61))
        let range: HTTPHeaders = ["Range": "bytes=0-1"]
        #expect(try await origin.send(.get, "https://a.example/x", range).body == "origin")
        let fields: HTTPHeaders = ["Range": "bytes=0-1", "Cache-Control": "only-if-cached"]
        #expect(try await origin.send(.get, "https://a.example/x", fields).status == 504)
    }
}
