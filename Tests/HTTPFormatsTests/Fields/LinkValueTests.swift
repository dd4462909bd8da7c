import HTTPCore
import HTTPFormats
import Testing
import PortableFoundation

@Suite struct LinkValueTests {
    @Test func `a link has relations, a title and a media type`() throws {
        let links = LinkValue.links(
            in: "</a?b,c;d>; rel=\"Next https://example.com/rel\"; title=\"plain\"; "
                + "title*=UTF-8'de'%E2%82%AC; type=\"text/html\"; hreflang=de; hreflang=en")
        let link = try #require(links.first)
        #expect(links.count == 1)
        #expect(link.target == "/a?b,c;d")
        #expect(link.relations == ["Next", "https://example.com/rel"])
        #expect(link.hasRelation("next"))
        #expect(link.hasRelation("HTTPS://EXAMPLE.COM/rel"))
        #expect(!link.hasRelation("prev"))
        #expect(link.title == "€")
        #expect(link["TITLE"] == "plain")
        #expect(link["type"] == "text/html")
        #expect(link.parameters.filter { $0.name == "hreflang" }.map(\.value) == ["de", "en"])
        #expect(link.anchor == nil)
    }

    @Test(
        arguments: [
            ("title=a; title*=UTF-8''%E4", "a"), ("title*=UTF-16''b; title=a", "a"),
            ("title*=b", nil), ("title=a; title=b", "a"), ("title", ""), ("x=y", nil),
        ] as [(String, String?)])
    func `a title that cannot be decoded gives way to the plain one`(text: String, title: String?) {
        #expect(LinkValue.links(in: "<a>; " + text).map(\.title) == [title])
    }

    @Test(
        arguments: [
            ("<a>; rel=x, garbage, <b>; rel=y", ["a"]), ("<a", []), ("<", []), ("a", []), ("", []),
            (",, <a> ,, <b>", ["a", "b"]), ("<a>; t=\"<b>, <c>\"", ["a"]),
            ("<a>; t=\"x, <b>", ["a"]),
            ("<a>;;;, <b>", ["a", "b"]), ("<a>; =x, <b>", ["a", "b"]), ("<>", [""]),
            ("<a>; t=\"\\", ["a"]), ("<a\0b>", ["a\0b"]),
        ])
    func `reading stops where no link is`(text: String, targets: [String]) {
        #expect(LinkValue.links(in: text).map(\.target) == targets)
    }

    @Test(
        arguments: [
            ("<b>", "https://example.com/a/b", "https://example.com/a/x"),
            ("<../b?c>; anchor=\"#d\"", "https://example.com/b?c", "https://example.com/a/x#d"),
            ("<//h/b>; anchor=\"/e\"", "https://h/b", "https://example.com/e"),
            ("<>", "https://example.com/a/x", "https://example.com/a/x"),
            ("<a b>", "https://example.com/a/a%20b", "https://example.com/a/x"),
            ("<\0>", "https://example.com/a/%00", "https://example.com/a/x"),
            ("<[1]|é>", "https://example.com/a/%5B1%5D%7C%C3%A9", "https://example.com/a/x"),
            ("<b>; anchor=\"a b\"", "https://example.com/a/b", "https://example.com/a/a%20b"),
            ("<http://[::1>", nil, "https://example.com/a/x"),
        ] as [(String, String?, String?)])
    func `target and context are resolved as those of redirects`(
        text: String, target: String?, context: String?
    ) throws {
        let base = try #require(URL(string: "https://example.com/a/x"))
        let link = try #require(LinkValue.links(in: text).first)
        #expect(link.targetURL(relativeTo: base)?.absoluteString == target)
        #expect(link.contextURL(relativeTo: base)?.absoluteString == context)
    }
}
