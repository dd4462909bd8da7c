import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

@Suite struct URITemplateTests {
    // MARK: Expanding

    @Test(.rows("S1-5"))
    func `values of any type expand by their description`() throws {
        let template = URITemplate("http://www.apple.com/{type}/{value}")
        #expect(
            template.expand(describing: ["type": "mac", "value": 15])
                == "http://www.apple.com/mac/15")
        let nothing: String? = nil
        let variables: [String: Any?] = [
            "n": nothing, "b": true, "d": 1.5, "l": [1, 2],
            "a": ["z": 1, "a": "x"] as [String: Any],
            "o": Optional(3),
        ]
        #expect(
            URITemplate("{d}").expand(describing: ["d": Date(timeIntervalSince1970: 0)])
                == "1970-01-01%2000%3A00%3A00%20%2B0000")
        #expect(
            URITemplate("{n}{?b,d,missing}{&l*}{&a*}{#o}").expand(describing: variables)
                == "?b=true&d=1.5&l=1&l=2&a=x&z=1#3")
    }

    @Test(.rows("S1-5"))
    func `values are literals`() {
        let text = URITemplate("{a}{?b,c*,d}{&e*,f}").expand([
            "a": "x y", "b": 2, "c": ["1", "2"], "d": 1.5, "e": ["k": "v", "b": "w"], "f": nil,
        ])
        #expect(text == "x%20y?b=2&c=1&c=2&d=1.5&k=v&b=w")
        let n = 3
        #expect(URITemplate("{a}").expand(["a": "id-\(n)"]) == "id-3")
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        var text: String
        var offset: Int
        var expansion: String
        init(_ text: String, _ offset: Int, _ expansion: String) {
            (self.text, self.offset, self.expansion) = (text, offset, expansion)
        }
        var testDescription: String { text }
    }

    @Test(
        .rows("S1-5"),
        arguments: [
            Bad("a{b", 1, "a{b"), Bad("a}{v}", 1, "a}V"), Bad("{}{v}", 1, "{}V"),
            Bad("{v}{!x}", 4, "V{!x}"), Bad("{v:0}", 3, "{v:0}"), Bad("{v:12345}", 3, "{v:12345}"),
            Bad("{v*x}{v}", 3, "{v*x}V"), Bad("{v..x}", 3, "{v..x}"), Bad("{.}", 2, "{.}"),
            Bad("{v%4}", 2, "{v%4}"), Bad("{v,}", 3, "{v,}"), Bad("{\0}", 1, "{\0}"),
            Bad("{é}", 1, "{é}"), Bad("a b{v}", 1, "a%20bV"), Bad("50%{v}", 2, "50%25V"),
            Bad("\0", 0, "%00"), Bad("{v}{", 3, "V{"), Bad("{a{v}", 2, "{a{v}"),
        ])
    func `a malformed template stands for itself, or is refused where it is malformed`(bad: Bad) {
        let template = URITemplate(bad.text)
        #expect(template.expand(["v": "V"]) == bad.expansion)
        #expect(template.malformedOffset == bad.offset)
        #expect(template.match(bad.expansion) == nil)
        let error = #expect(throws: HTTPError.self) { try URITemplate(strict: bad.text) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("byte \(bad.offset):") == true)
    }

    @Test(.rows("S1-5"))
    func `a prefix of a list is copied, or refused by name`() {
        let template: URITemplate = "/{keys:1}/{x:2}"
        #expect(template.expand(["keys": ["a"], "x": "123"]) == "/{keys:1}/12")
        #expect(template.expand(["keys": [], "x": "1"]) == "//1")
        let error = #expect(throws: HTTPError.self) {
            try template.expand(strictly: ["keys": ["secret"], "x": "1"])
        }
        #expect(error?.message.contains("keys") == true)
        #expect(error?.message.contains("secret") == false)
    }

    @Test(.rows("S1-5"))
    func `a prefix counts characters and splits neither them nor triplets`() {
        #expect(URITemplate("{x:2}").expand(["x": "é\u{1F600}z"]) == "%C3%A9%F0%9F%98%80")
        #expect(URITemplate("{+x:2}").expand(["x": "%20%2Fz"]) == "%20%2F")
        #expect(URITemplate("{x:9}").expand(["x": "a"]) == "a")
        #expect(URITemplate("{+x:1}").expand(["x": "%zz"]) == "%25")
    }

    @Test(.rows("S1-5"))
    func `the empty, NUL and what looks encoded are values like others`() {
        #expect(URITemplate("").expand([:]) == "")
        #expect(
            URITemplate("{a}|{;b}{?c}{&d}").expand(["a": "", "b": "", "c": "", "d": ""])
                == "%7C;b?c=&d=")
        #expect(
            URITemplate("{a}{+b}").expand(["a": "\0%41", "b": "\0%41%4"]) == "%00%2541%00%41%254")
    }

    @Test(.rows("S1-5"))
    func `templates are equal when their bytes are`() {
        #expect(URITemplate("{a}") == "{a}")
        #expect(URITemplate("e\u{301}") != URITemplate("\u{E9}"))
    }

    // MARK: Matching

    struct Match: Sendable, CustomTestStringConvertible {
        var template: String
        var uri: String
        var values: [String: URITemplate.Value]?
        init(_ template: String, _ uri: String, _ values: [String: URITemplate.Value]?) {
            (self.template, self.uri, self.values) = (template, uri, values)
        }
        var testDescription: String { "\(template) \(uri)" }
    }

    @Test(
        .rows("S1-5", "B-17"),
        arguments: [
            Match("/users/{id}", "/users/42", ["id": "42"]),
            Match("/users/{id}", "/users/a%20b%C3%A9", ["id": "a bé"]),
            Match("/users/{id}", "/users/1/posts", nil),
            Match("/users/{id}", "/user/1", nil),
            Match("/users/{id}", "/users/", [:]),
            Match("/users/{id}", "/users/%FF", nil),
            Match("/users/{id}", "/users/%4", nil),
            Match("/users/{id}/posts/{post}", "/users/1/posts/2", ["id": "1", "post": "2"]),
            Match("/{a}/{a}", "/x/x", ["a": "x"]),
            Match("/{a}/{a}", "/x/y", nil),
            Match("{+path}/x{b}", "p/x/q/xz", ["path": "p/x/q", "b": "z"]),
            Match("{dir}-{file}", "a-b-c", ["dir": "a-b", "file": "c"]),
            Match("https://h{/list*}", "https://h/a/b/c", ["list": ["a", "b", "c"]]),
            Match("{/keys*}", "/a=1/b=2", ["keys": ["a": "1", "b": "2"]]),
            Match("{/a,b}{/c}", "/1/2/3", ["a": "1", "b": "2", "c": "3"]),
            Match("{x,y}", "1024,768", ["x": "1024", "y": "768"]),
            Match("{list}", "red,green", ["list": ["red", "green"]]),
            Match("/f{.ext}", "/f.txt", ["ext": "txt"]),
            Match("/f{.ext}", "/f.tar.gz", ["ext": "tar.gz"]),
            Match("{.who,who}", ".fred.fred", ["who": "fred"]),  // prose: data
            Match("{.x,list*}", ".1.2.3", ["x": "1", "list": ["2", "3"]]),
            Match("/{a}{/a}", "/x", nil),
            Match("/p{;x,y}", "/p;x=1;y=2", ["x": "1", "y": "2"]),
            Match("/p{;x,y}", "/p;x", ["x": ""]),
            Match("/p{?a,b}", "/p?a=1&b=2", ["a": "1", "b": "2"]),
            Match("/p{?a,b}", "/p?b=2&a=1", nil),
            Match("/p{?a,b}", "/p?b=2", ["b": "2"]),
            Match("/p{?a,b}", "/p", [:]),
            Match("/p{?a,b}", "/p?a=1&a=2", nil),
            Match("/p{?a}", "/p?c=1", nil),
            Match("/p{?a}", "/p?a=x%2Fy%3Fz", ["a": "x/y?z"]),
            Match("/p{?a}", "/p?a=x/y?z", nil),
            Match("/p?fixed=1{&a}", "/p?fixed=1&a=2", ["a": "2"]),
            Match("/p{?a}{&b}{#f}", "/p?a=1&b=2#top", ["a": "1", "b": "2", "f": "top"]),
            Match("/p{?list*}", "/p?list=1&list=2", ["list": ["1", "2"]]),
            Match("/p{?a,keys*}", "/p?a=2&x=1&y=3", ["a": "2", "keys": ["x": "1", "y": "3"]]),
            Match("/p{?a,keys*}", "/p?x=1&a=2&y=3", nil),
            Match("/p{?a}", "/p?a", nil),
            Match("/p{;a}", "/p;a=", nil),
            Match("/{a}", "/%c3%a9", nil),
            Match("/{a}", "/%41", nil),
            Match("{+a}", "%2f%C3%A9", ["a": "%2fé"]),
            Match("{a}{b}", "x", ["a": "x"]),
            Match("{a,b}", "x", ["a": "x"]),
            Match("/p{?a,b}{&c*}", "/p?a=1&b=2", ["a": "1", "b": "2"]),
            Match("/p{?a,b}{&c*}", "/p?a=1&b=2&x=3", ["a": "1", "b": "2", "c": ["x": "3"]]),
            Match("/p{?a,b}{&c*}", "/p?a=1&b=2&c=3", ["a": "1", "b": "2", "c": ["3"]]),
            Match("/p{?c*}{&a}", "/p?x=3&a=1", ["a": "1", "c": ["x": "3"]]),
            Match("/p{?a,c*}{&a}", "/p?x=3&a=1", nil),
            Match("{+url}", "http://h/a%2Fb%20c", ["url": "http://h/a%2Fb c"]),
            Match("/{x:2}/{x}", "/ab/abc", ["x": "abc"]),
            Match("/{x:2}/{x}", "/zz/abc", nil),
            Match("/{x:2}", "/abc", nil),
            Match("", "", [:]),
            Match("", "a", nil),
            Match("a", "", nil),
            Match("{a}", "\0", nil),
            Match("{a}", "%00", ["a": "\0"]),
            Match("é{a}", "%C3%A9x", ["a": "x"]),
        ])
    func `a template reads its variables from a URI`(match: Match) {
        #expect(URITemplate(match.template).match(match.uri) == match.values)
    }

    /// Deterministic, so that a failure can be reproduced.
    private struct Random {
        var state: UInt64
        mutating func text(_ pieces: [String], upTo count: UInt64) -> String {
            (0..<next(count)).map { _ in pieces[Int(next(UInt64(pieces.count)))] }.joined()
        }
        private mutating func next(_ bound: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % bound
        }
    }

    @Test(.rows("S1-5"))
    func `any text is a template, and the values that it reads of a URI give that very URI`() {
        var random = Random(state: 6570)
        let pieces = [
            "{", "}", "{a}", "{b*}", "{+a}", "{#b}", "{?a,b}", "{&b*}", "{;a}", "{.a,b}", "{/b*}",
            "{a:2}", "a", "=", ",", "*", ":", "%", "%41", "é", "/", "?", "&", ";", ".", "\0", " ",
        ]
        let uriPieces = [
            "a", "b", "=", ",", "%41", "%20", "%2F", "%", "/", "?", "&", ";", ".", "#",
        ]
        var matches = 0
        for _ in 0..<TestCounts.scaled(20_000) {
            let text = random.text(pieces, upTo: 6)
            let template = URITemplate(text)
            let strict = try? URITemplate(strict: text)
            #expect((strict == nil) == (template.malformedOffset != nil), "\(text)")
            _ = template.expand(["a": "x", "b": ["y", "z"]])
            let values: [String: URITemplate.Value] = [
                "a": .string(random.text(uriPieces, upTo: 4)),
                "b": [random.text(uriPieces, upTo: 3), random.text(uriPieces, upTo: 3)],
            ]
            // By chance, or given by the template itself, or nearly so.
            let given = template.expand(values)
            for uri in [random.text(uriPieces, upTo: 8), given, given + "&a", given + "%41"] {
                guard let values = template.match(uri) else { continue }
                matches += 1
                let written = template.expand(values)
                #expect(
                    written.utf8.elementsEqual(uri.utf8),
                    "\(text) read \(values) of \(uri), wrote \(written)")
            }
        }
        #expect(matches > TestCounts.scaled(500))
    }

    @Test(
        .rows("S1-5"),
        arguments: [
            ("/users/{id}{?page}", "/users/a%20b?page=2", ["id": "a b", "page": "2"]),
            ("/users/{id}{?page}", "/users/7", ["id": "7"]),
            ("/tags{/tags*}", "/tags/a/b", ["tags": "a,b"]),
            ("/search{?filter*}", "/search?a=1&b=2", ["filter": "a,1,b,2"]),
            ("/users/{id}", "/users/1/posts", nil),
        ] as [(String, String, [String: String]?)])
    func `the variables of a URI are text, lists with commas`(
        template: String, uri: String, expected: [String: String]?
    ) {
        #expect(URITemplate(template).variables(in: uri) == expected)
    }

    @Test(.rows("S1-5"))
    func `enormous templates, values and URIs take linear time`() {
        let count = TestCounts.scaled(100_000)
        let clock = ContinuousClock()
        let time = clock.measure {
            #expect(
                URITemplate(String(repeating: "{", count: count)).expand([:]).utf8.count == count)
            #expect(
                URITemplate(String(repeating: "{}", count: count)).expand([:]).utf8.count
                    == 2 * count)
            let many = URITemplate(String(repeating: "{v}", count: count))
            #expect(many.expand(["v": "ab"]).utf8.count == 2 * count)
            let long = String(repeating: "é", count: count)
            let text = URITemplate("/{v}/{v:10}").expand(["v": .string(long)])
            #expect(text.utf8.count == 6 * count + 62)
            #expect(URITemplate("/{v}/{v:10}").match(text) == ["v": .string(long)])
            let path = String(repeating: "/a", count: count)
            #expect(URITemplate("{+a}/x{+b}/y{/c*}").match(path) == nil)
            #expect(URITemplate("{+a}{?q}{&r*}").match(String(repeating: "?", count: count)) != nil)
            let queries = "?q=1" + String(repeating: "&r=1", count: count)
            let values = URITemplate("{?q}{&r*}").match(queries)
            #expect(values?["r"] == .list(Array(repeating: "1", count: count)))
        }
        #expect(time < .seconds(50))
    }
}
