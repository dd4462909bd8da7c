import HTTPCore
import TestSupport
import Testing

@Suite struct HTTPMethodTests {
    @Test(
        arguments: [
            (.get, true, true), (.head, true, true), (.options, true, true), (.trace, true, true),
            (.query, true, true), ("PROPFIND", true, true), (.put, false, true),
            (.delete, false, true), (.post, false, false), (.patch, false, false),
            ("MKCOL", false, true), ("LOCK", false, false),
            (.connect, false, false), ("get", false, false), ("BREW", false, false),
        ] as [(HTTPMethod, Bool, Bool)])
    func `safe and idempotent are as RFC 9110 §9.2 says, unknown methods neither`(
        method: HTTPMethod, isSafe: Bool, isIdempotent: Bool
    ) {
        #expect(method.isSafe == isSafe)
        #expect(method.isIdempotent == isIdempotent)
    }

    @Test func `case matters, and every way to make one is the same`() {
        #expect(HTTPMethod("get") != .get)
        #expect(HTTPMethod("GET") == .get)
        #expect(HTTPMethod("GET") == "GET")
        #expect("\(HTTPMethod.patch)" == "PATCH")
    }

    @Test(
        arguments: [
            "", "GE T", "GET\r\nX: y", "GET\0", "G(T", "GÉT", "GET:", "GET/", "\u{7F}", "a,b",
        ])
    func `what is no token is refused when it is sent, and stays on one line`(
        text: String
    ) throws {
        let request = try HTTPRequest(HTTPMethod(text), "https://example.com/")
        let error = #expect(throws: HTTPError.self) { try request.checkedTarget() }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("is not a method") == true)
        for text in [error?.description, request.description] {
            #expect(
                text?.unicodeScalars.contains { $0.properties.generalCategory == .control } == false
            )
        }
    }

    // MARK: Open

    @Test(.rows("S1-3"), arguments: ["BREW", "a", "M-SEARCH", "!#$%&'*+-.^_`|~09azAZ"])
    func `any token is a method`(text: String) throws {
        let target = try HTTPRequest(HTTPMethod(text), "https://example.com/a").checkedTarget()
        #expect(target.originForm == "/a")
    }
}
