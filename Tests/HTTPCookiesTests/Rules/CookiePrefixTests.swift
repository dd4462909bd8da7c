import HTTPCore
import Testing

@testable import HTTPCookies

struct CookiePrefixTests {
    @Test(arguments: [
        ("__Secure-a=1; Secure", true), ("__Secure-a=1", false), ("__sEcUrE-a=1", false),
        ("__Secure-a=1; Secure; Domain=example.com; Path=/x", true),
        ("__Host-a=1; Secure; Path=/", true), ("__Host-a=1; Secure", false),
        ("__Host-a=1; Path=/", false), ("__HOST-a=1; Secure; Path=/x", false),
        ("__Host-a=1; Secure; Path=/; Domain=example.com", false),
        ("__Host-a=1; Secure; Path=/; Domain=", true),
        ("__Http-a=1; Secure; HttpOnly", true), ("__Http-a=1; Secure", false),
        ("__http-a=1; HttpOnly", false),
        ("__Host-Http-a=1; Secure; HttpOnly; Path=/", true),
        ("__Host-Http-a=1; Secure; Path=/", false),
        ("__Host-Http-a=1; Secure; HttpOnly", false),
        ("__Secure-v; Secure", false), ("=__Host-v; Secure; Path=/", false),
        ("=__HTTP-v; Secure; HttpOnly", false), ("__Hosta=1", true), ("_Secure-a=1", true),
        ("a=__Secure-", true),
    ])
    func `a prefix needs its attributes`(field: String, isStored: Bool) throws {
        let jar = HTTPCookieJar()
        try jar.receive(field, from: "https://example.com/")
        #expect(jar.count == (isStored ? 1 : 0))
        #expect(jar.refusals.map(\.reason) == (isStored ? [] : [.prefix]))
    }

    @Test func `an insecure connection sets no cookie with a prefix`() throws {
        let jar = HTTPCookieJar()
        try jar.receive(
            "__Secure-a=1; Secure", "__Host-a=1; Secure; Path=/", from: "http://example.com/")
        #expect(jar.refusals.map(\.reason) == [.secureOverHTTP, .secureOverHTTP])
    }
}
