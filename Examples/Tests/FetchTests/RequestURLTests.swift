import HTTPClientKit
import Testing

@testable import fetch

@Suite struct RequestURLTests {
    @Test(arguments: [
        ("https://h/p", "https://h/p", nil), ("h", "http://h", nil),
        ("localhost:8080/x?u=http://y", "http://localhost:8080/x?u=http://y", nil),
        ("https://me:p%40ss@h:1/@x", "https://h:1/@x", "me:p@ss"),
        ("me@h", "http://h", "me"), ("http://a@b@h", "http://h", "a@b"),
        ("ftp://h", "ftp://h", nil),
    ])
    func `the scheme is completed, and user information taken out`(
        text: String, url: String, user: String?
    ) throws {
        let parsed = try RequestURL(text)
        #expect(parsed.text == url)
        #expect(parsed.userInfo == user)
    }

    @Test(arguments: ["http://a%zz@h/", "http://a%4@h/", "http://a%+1@h/", "http://a%ff@h/"])
    func `user information that is not decodable is refused without quoting it`(text: String) {
        let error = #expect(throws: HTTPError.self) { try RequestURL(text) }
        #expect(error?.description.contains("%") == false)
    }

    @Test(arguments: [
        ("http://h/up/", "http://h/up/a%20b"), ("http://h", "http://h/a%20b"),
        ("http://h/up/?q/", "http://h/up/a%20b?q/"), ("http://h/x", "http://h/x"),
        ("http://h#f", "http://h/a%20b#f"),
    ])
    func `an upload to a folder has the name of its file`(text: String, url: String) throws {
        var parsed = try RequestURL(text)
        parsed.addFileName("/tmp/a b")
        #expect(parsed.text == url)
    }

    @Test(arguments: [
        ("http://h/a/b.txt?x=/c#d/e", "b.txt"), ("http://h/a%2Fb", "a%2Fb"), ("http://h/a/", nil),
        ("http://h", nil), ("http://h/..", nil), ("http://h/.", nil),
    ])
    func `the name of a file is the last part of the path`(text: String, name: String?) throws {
        #expect(try RequestURL(text).fileName == name)
    }
}
