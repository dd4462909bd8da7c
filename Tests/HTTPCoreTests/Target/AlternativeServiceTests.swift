import HTTPCore
import HTTPFormats
import Testing

@Suite struct AlternativeServiceTests {
    private func services(_ text: String) -> [AlternativeService] {
        guard case .services(let services) = AlternativeServices(text) else { return [] }
        return services
    }

    /// RFC 7838 §3.
    @Test func `an alternative is a protocol, a host and a port`() throws {
        let found = services(
            "h2=\"alt.EXAMPLE.com:8000\", h3=\":443\"; ma=3600; persist=1; x=\"y\", "
                + "w%3Dx%3Ay#z=\"[::1]:1\";persist=0")
        #expect(found.map(\.protocolID) == ["h2", "h3", "w=x:y#z"])
        #expect(found.map(\.host) == ["alt.example.com", nil, "[::1]"])
        #expect(found.map(\.port) == [8000, 443, 1])
        #expect(found.map(\.maxAge) == [.seconds(86_400), .seconds(3600), .seconds(86_400)])
        #expect(found.map(\.isPersistent) == [false, true, false])
        let written =
            "h2=\"alt.example.com:8000\", h3=\":443\"; ma=3600; persist=1, "
            + "w%3Dx%3Ay#z=\"[::1]:1\""
        #expect(AlternativeServices.services(found).description == written)
        #expect(services(written) == found)
    }

    @Test func `clear is alone, or nothing`() {
        #expect(AlternativeServices(" clear ") == .clear)
        #expect(AlternativeServices.clear.description == "clear")
        #expect(AlternativeServices("Clear") == .services([]))
        #expect(services("clear, h2=\":443\"").map(\.protocolID) == ["h2"])
    }

    @Test(arguments: [
        "", "h2", "h2=", "h2=:443", "h2=\"\"", "h2=\":\"", "h2=\"a\"", "h2=\":0\"",
        "h2=\":65536\"", "h2=\":x\"", "h2=\"a/b:1\"", "h2=\"u@a:1\"", "h2=\"a?:1\"",
        "h2=\"a b:1\"", "h2=\"127.1:1\"", "h2=\":443\" x", "h2=\":443", "=\":443\"",
        "h2=\"a:1/b\"", "h2=\"\u{0}:1\"",
    ])
    func `what is no alternative is left out, and nothing else`(text: String) {
        #expect(services(text).isEmpty)
        #expect(services("h3=\":1\", \(text)").map(\.protocolID) == ["h3"])
    }

    @Test func `a protocol that is no text keeps its spelling`() {
        #expect(services("%FF=\":1\"").map(\.protocolID) == ["%FF"])
    }
}
