import HTTPCore
import Testing

@Suite struct URIReferenceTests {
    struct Parts: Sendable, CustomTestStringConvertible {
        var text: String
        var scheme: String?
        var host: String?
        var path: String
        var query: String?
        var fragment: String?
        var userInfo: String?
        var port: String?

        init(
            _ text: String, scheme: String? = nil, userInfo: String? = nil, host: String? = nil,
            port: String? = nil, path: String = "", query: String? = nil, fragment: String? = nil
        ) {
            (self.text, self.scheme, self.userInfo, self.host) = (text, scheme, userInfo, host)
            (self.port, self.path, self.query, self.fragment) = (port, path, query, fragment)
        }

        var testDescription: String { text }
    }

    /// The examples of RFC 3986 §1.1.2, §3 and §5.4, then the corners.
    @Test(arguments: [
        Parts(
            "ftp://ftp.is.co.za/rfc/rfc1808.txt", scheme: "ftp", host: "ftp.is.co.za",
            path: "/rfc/rfc1808.txt"),
        Parts(
            "ldap://[2001:db8::7]/c=GB?objectClass?one", scheme: "ldap", host: "[2001:db8::7]",
            path: "/c=GB", query: "objectClass?one"),
        Parts("mailto:John.Doe@example.com", scheme: "mailto", path: "John.Doe@example.com"),
        Parts(
            "news:comp.infosystems.www.servers.unix", scheme: "news",
            path: "comp.infosystems.www.servers.unix"),
        Parts("tel:+1-816-555-1212", scheme: "tel", path: "+1-816-555-1212"),
        Parts(
            "telnet://192.0.2.16:80/", scheme: "telnet", host: "192.0.2.16", port: "80", path: "/"),
        Parts(
            "urn:oasis:names:specification:docbook:dtd:xml:4.1.2", scheme: "urn",
            path: "oasis:names:specification:docbook:dtd:xml:4.1.2"),
        Parts(
            "foo://example.com:8042/over/there?name=ferret#nose", scheme: "foo",
            host: "example.com", port: "8042", path: "/over/there", query: "name=ferret",
            fragment: "nose"),
        Parts("http://a/b/c/d;p?q", scheme: "http", host: "a", path: "/b/c/d;p", query: "q"),
        Parts("g:h", scheme: "g", path: "h"), Parts("./g", path: "./g"), Parts("//g", host: "g"),
        Parts("?y", query: "y"), Parts("g?y#s", path: "g", query: "y", fragment: "s"),
        Parts("", path: ""), Parts("../..", path: "../.."), Parts("./a:b", path: "./a:b"),
        Parts("g?y/./x", path: "g", query: "y/./x"),
        Parts("g#s/../x", path: "g", fragment: "s/../x"),
        Parts("http://u:p@h:1/", scheme: "http", userInfo: "u:p", host: "h", port: "1", path: "/"),
        Parts("http://h:", scheme: "http", host: "h", port: ""),
        Parts("http://h?q=/:@", scheme: "http", host: "h", query: "q=/:@"),
        Parts("http://h#", scheme: "http", host: "h", fragment: ""),
        Parts("http://h/?", scheme: "http", host: "h", path: "/", query: ""),
        Parts("http://[::1]", scheme: "http", host: "[::1]"),
        Parts("http://h//a//", scheme: "http", host: "h", path: "//a//"),
        Parts("http:///a", scheme: "http", host: "", path: "/a"),
        Parts("a+b-c.d:e", scheme: "a+b-c.d", path: "e"), Parts("/a:b", path: "/a:b"),
        Parts("?a:b", query: "a:b"), Parts("%41%7e", path: "%41%7e"),
    ])
    func `a reference is cut where RFC 3986 cuts it`(parts: Parts) throws {
        let uri = try URIReference(parts.text)
        #expect(uri.scheme.map(String.init) == parts.scheme)
        #expect(uri.authority.map { String($0.host) } == parts.host)
        #expect(uri.authority?.userInfo.map(String.init) == parts.userInfo)
        #expect(uri.authority?.port.map(String.init) == parts.port)
        #expect(uri.path == parts.path)
        #expect(uri.query.map(String.init) == parts.query)
        #expect(uri.fragment.map(String.init) == parts.fragment)
    }

    @Test(
        arguments: [
            ("http://a b/", 8), ("http://a/ ", 9), ("http://a/\t", 9), ("http://a/\r\nX: y", 9),
            ("http://a/\0", 9), ("http://é/", 7), ("http://a/日", 9), ("http://a/%", 10),
            ("http://a/%4", 11), ("http://a/%zz", 10), ("http://a/#b#c", 11), ("http://a/\\b", 9),
            ("http://a/\"", 9), ("http://a/<b>", 9), ("http://a/{id}", 9), ("http://a/|", 9),
            ("http://a/^", 9), ("http://a/`", 9), ("http://a/[b]", 9), ("http://a/?b[]=c", 11),
            ("http://a/#[", 10), ("http://[::1", 7), ("http://[::1]a/", 12), ("http://a]/", 8),
            ("http://a:b/", 9), ("http://a:1:2/", 10), ("http://a:-1/", 9), ("http://u@v@h/", 8),
            ("http://a@[b@c/", 8), ("http://[a@c/", 7), ("1http://a/", 0), (":a", 0), ("a_b:c", 0),
            ("é:", 0),
            ("http://a/\u{7F}", 9),
        ] as [(String, Int)])
    func `what is no reference is refused at its byte`(text: String, offset: Int) {
        let error = #expect(throws: URIReference.SyntaxError.self) { try URIReference(text) }
        #expect(error?.offset == offset)
        #expect(error?.reason.isEmpty == false)
    }
}
