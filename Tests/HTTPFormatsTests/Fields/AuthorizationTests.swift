import HTTPCore
import HTTPFormats
import TestSupport
import Testing

@Suite struct AuthorizationTests {
    // MARK: Every kind

    /// The first two are of RFC 7617 §2 and §2.1.
    @Test(
        .rows("B-4"),
        arguments: [
            ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            ("test", "123£", "Basic dGVzdDoxMjPCow=="), ("", "", "Basic Og=="),
            ("a", "b:c", "Basic YTpiOmM="),
        ])
    func `user and password are UTF-8 in base64`(
        user: String, password: String, value: String
    ) throws {
        let authorization = try Authorization.basic(user: user, password: password)
        #expect(authorization.fieldName == .authorization)
        #expect(authorization.fieldValue == value)
    }

    @Test(.rows("B-4"))
    func `every kind writes its field`() throws {
        #expect(try Authorization.bearer("a|b:c==").fieldValue == "Bearer a|b:c==")
        #expect(try Authorization.digest("username=\"x\"").fieldValue == "Digest username=\"x\"")
        #expect(try Authorization.scheme("AWS4", "a b").fieldValue == "AWS4 a b")
        let key = try Authorization.apiKey("k 1")
        #expect(key.fieldName == "X-API-Key")
        #expect(key.fieldValue == "k 1")
        #expect(key.scheme == nil)
    }

    @Test(
        .rows("B-4"),
        arguments: [
            { try .basic(user: "a:b", password: "hunter2") },
            { try .basic(user: "a", password: "hunter2\n") },
            { try .basic(user: "a\0", password: "hunter2") }, { try .bearer("") },
            { try .bearer("hunter2 ") }, { try .bearer("hunter2\r\nX: y") },
            { try .bearer("hunter2é") },
            { try .apiKey("") }, { try .apiKey(" hunter2") }, { try .apiKey("hunter2\u{7F}") },
            { try .apiKey("hunter2", in: "a b") }, { try .scheme("a b", "hunter2") },
            { try .scheme("", "hunter2") }, { try .digest("hunter2\r") },
        ] as [@Sendable () throws -> Authorization])
    func `what no field can hold is refused without saying it`(
        make: @Sendable () throws -> Authorization
    ) {
        let error = #expect(throws: HTTPError.self) { try make() }
        #expect(error?.code == .invalidRequest)
        #expect(error?.description.contains("hunter2") == false)
    }

    // MARK: Secrets

    @Test func `no description shows the secret`() throws {
        let all: [Authorization] = [
            try .basic(user: "Aladdin", password: "hunter2"), try .bearer("hunter2"),
            try .apiKey("hunter2", in: "X-Foo"), try .digest("hunter2"),
            try .scheme("Foo", "hunter2"),
        ]
        for authorization in all {
            var dumped = ""
            dump(authorization, to: &dumped)
            for text in [
                "\(authorization)", String(reflecting: authorization), dumped, "\([authorization])",
            ] {
                #expect(!text.contains("hunter2") && !text.contains("QWxh"))
                #expect(text.contains("<redacted>"))
            }
        }
        #expect(all[0].description == "Authorization: Basic <redacted>")
        #expect(all[2].description == "X-Foo: <redacted>")
    }

    @Test func `for a proxy it is in another field, and as secret there`() throws {
        let proxied = try Authorization.bearer("hunter2").forProxy
        #expect(proxied.description == "Proxy-Authorization: Bearer <redacted>")
        var headers = HTTPHeaders()
        headers.set(proxied)
        #expect(headers[.proxyAuthorization] == "Bearer hunter2")
        #expect(!headers.contains(.authorization))
    }

    @Test func `headers hold it as a secret, whatever the field`() throws {
        var headers: HTTPHeaders = ["X-Foo": "old"]
        headers.set(try .apiKey("hunter2", in: "X-Foo"))
        #expect(headers[values: "X-Foo"] == ["hunter2"])
        #expect(headers.isSensitive("X-Foo"))
        #expect(headers.description == "X-Foo: <redacted>")
        headers.set(try .basic(user: "é", password: " "))
        #expect(headers[.authorization] == "Basic w6k6IA==")
        #expect(headers.refusedName == nil)
    }
}
