import HTTPCore
import Testing

@Suite struct HTTPHeadersCombiningTests {
    @Test func `values are joined in order, by name without regard to case`() {
        let headers: HTTPHeaders = ["Accept": "a", "x": "y", "ACCEPT": "b, c", "accept": ""]
        #expect(headers[combined: "aCCept"] == "a, b, c, ")
        #expect(headers[combined: "X"] == "y")
        #expect(headers[combined: "z"] == nil)
    }

    @Test func `Set-Cookie is never joined, not even one`() {
        let headers: HTTPHeaders = ["set-cookie": "a=b"]
        #expect(headers[combined: .setCookie] == nil)
        #expect(headers[values: .setCookie] == ["a=b"])
    }
}
