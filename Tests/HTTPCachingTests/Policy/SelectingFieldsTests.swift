import HTTPCore
import Testing

@testable import HTTPCaching

@Suite struct SelectingFieldsTests {
    private let key = HTTPCacheKey(partition: "", url: "http://h/")

    private func variant(_ headers: HTTPHeaders, _ names: String...) -> String {
        SelectingFields.variant(of: names, in: headers, for: key)
    }

    @Test func `the names are in lower case, sorted, each once`() {
        let headers: HTTPHeaders = ["Vary": "Foo, accept", "vary": "ACCEPT"]
        #expect(SelectingFields.names(in: headers) == ["accept", "foo"])
        #expect(SelectingFields.names(in: [:]).isEmpty)
    }

    @Test func `blanks and lines of a list mean nothing, quoted blanks do`() {
        let one = variant(["Foo": "1,2"], "foo")
        #expect(one == variant(["Foo": "1 ,  2"], "foo"))
        #expect(one == variant(["Foo": "1", "foo": "2"], "foo"))
        #expect(one != variant(["Foo": "2,1"], "foo"))
        #expect(variant(["Foo": "\"1, 2\""], "foo") != variant(["Foo": "\"1,2\""], "foo"))
        #expect(variant(["Foo": "a b"], "foo") != variant(["Foo": "ab"], "foo"))
    }

    @Test func `case and blanks of languages mean nothing, their order does`() {
        let one = variant(["Accept-Language": "en, de;q=0.5"], "accept-language")
        #expect(one == variant(["Accept-Language": "EN,DE; q=0.5"], "accept-language"))
        #expect(one != variant(["Accept-Language": "de;q=0.5, en"], "accept-language"))
        #expect(variant(["Foo": "EN"], "foo") != variant(["Foo": "en"], "foo"))
    }

    @Test func `a missing field differs from an empty one, and names do not mix`() {
        #expect(variant([:], "foo") != variant(["Foo": ""], "foo"))
        #expect(variant(["A": "1"], "a", "b") != variant(["B": "1"], "a", "b"))
        #expect(variant(["A": "1\tb:2"], "a") != variant(["A": "1", "B": "2"], "a", "b"))
        #expect(variant(["A": "1"]).isEmpty)
    }

    @Test func `a comma in a field that is no list means nothing`() {
        let names = ["cookie", "user-agent"]
        for name in names {
            let header = HTTPHeaderName(name)
            #expect(variant([header: "a, b"], name) != variant([header: "a,b"], name))
        }
    }

    @Test func `the digest depends on the key, so that secrets of two URLs cannot be compared`() {
        let other = HTTPCacheKey(partition: "", url: "http://h/2")
        let headers: HTTPHeaders = ["Authorization": "Bearer x"]
        #expect(
            variant(headers, "authorization")
                != SelectingFields.variant(of: ["authorization"], in: headers, for: other))
        #expect(!variant(headers, "authorization").contains("Bearer"))
    }
}
