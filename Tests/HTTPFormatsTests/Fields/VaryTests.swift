import HTTPCore
import HTTPFormats
import Testing

@Suite struct VaryTests {
    @Test(
        arguments: [
            ("Accept-Encoding, accept", .fields(["accept-encoding", "Accept"])), ("", .fields([])),
            (" , ,a,", .fields(["a"])), ("*", .anything), ("a, *", .anything), ("*, a", .anything),
            ("a b", .anything), ("a, \"b\"", .anything), ("a;b", .anything),
        ] as [(String, Vary)])
    func `names are kept in order, and what cannot be read varies by anything`(
        text: String, vary: Vary
    ) {
        #expect(Vary(text) == vary)
    }

    @Test func `it is written as a list, or as an asterisk`() {
        #expect(Vary("a ,B").description == "a, B")
        #expect(Vary("a, *").description == "*")
    }
}
