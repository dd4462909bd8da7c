import HTTPCore
import HTTPTesting
import Testing
@testable import HTTPCookies
import PortableFoundation

/// The values of cookies, in everything that may be printed.
@Suite(.timeLimit(.minutes(5))) struct HTTPCookieJarSecretsTests {
    private static let secret = "53CR37"

    private func expectNoSecret(in value: Any, _ line: Int = #line) {
        var dumped = ""
        dump(value, to: &dumped)
        for text in ["\(value)", String(reflecting: value), dumped] {
            #expect(!text.contains(Self.secret), "line \(line): \(text)")
        }
    }

    @Test func `no description shows a value`() async throws {
        let folder = try CookieFolder("# HTTP Cookie File\nbroken \(Self.secret)\n")
        let jar = try HTTPCookieJar.file(at: folder.path, clock: HTTPTestClock())
        try jar.receive(
            "a=\(Self.secret); Max-Age=60", Self.secret, "t=\t\(Self.secret)\t\t1; Max-Age=60",
            "d=\(Self.secret); Domain=com", "__Secure-e=\(Self.secret)", "=__Host-\(Self.secret)",
            from: "https://example.com/")
        #expect(jar.count == 3 && jar.refusals.count == 3)
        try await jar.save()
        #expect(jar.flaws.count == 2)
        for value in [jar, jar.cookies, jar.refusals, jar.flaws, Cookies(jar)] as [Any] {
            expectNoSecret(in: value)
        }
        for cookie in jar.cookies {
            expectNoSecret(in: cookie)
            expectNoSecret(in: [cookie.name.isEmpty ? "" : cookie.name: cookie])
        }
        let request = try Cookies(jar).attached(to: HTTPRequest("https://example.com/"))
        #expect(request.headers[.cookie]?.contains(Self.secret) == true)
        expectNoSecret(in: request)
        expectNoSecret(in: request.headers)
    }

    @Test(arguments: [
        ("a;", secret, "example.com"), ("a", secret + ";", "example.com"), ("a", secret, "e com"),
        ("__Host-a", secret, "example.com"), ("", "__Secure-" + secret, "example.com"),
        ("a", secret, "com"),
    ])
    func `no error shows a value`(name: String, value: String, domain: String) {
        let error = #expect(throws: HTTPError.self) {
            try HTTPCookieJar.Cookie(name, value, domain: domain, isHostOnly: false)
        }
        if let error { expectNoSecret(in: error) }
    }

    @Test func `no error of a file shows its contents`() throws {
        for format in [HTTPCookieJar.FileFormat.netscape, .json] {
            for text in [
                Self.secret, "{\"version\":\"\(Self.secret)\"}", "{\"version\":1,\"\(Self.secret)",
            ] {
                let folder = try CookieFolder(text)
                let error = #expect(throws: HTTPError.self) {
                    try HTTPCookieJar.file(at: folder.path, format: format)
                }
                if let error { expectNoSecret(in: error) }
            }
        }
    }
}
