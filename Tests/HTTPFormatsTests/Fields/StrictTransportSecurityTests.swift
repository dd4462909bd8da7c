import HTTPCore
import HTTPFormats
import Testing

@Suite struct StrictTransportSecurityTests {
    /// RFC 6797 §6.2 first, then §6.1.
    @Test(arguments: [
        ("max-age=31536000", "max-age=31536000"),
        ("max-age=15768000 ; includeSubDomains", "max-age=15768000; includeSubDomains"),
        ("max-age=\"31536000\"", "max-age=31536000"), ("max-age=0", "max-age=0"),
        (
            "INCLUDESUBDOMAINS;Max-Age = 1;; preload;x=\"y;z\"; w",
            "max-age=1; includeSubDomains; preload"
        ),
        ("max-age=99999999999999999999", "max-age=2147483648"), (";max-age=1;", "max-age=1"),
    ])
    func `a policy has an age, and maybe flags`(text: String, written: String) {
        #expect(StrictTransportSecurity(text)?.description == written)
    }

    @Test(arguments: [
        "", "includeSubDomains", "max-age", "max-age=", "max-age=-1", "max-age=x", "max-age=1.5",
        "max-age=1;max-age=1", "max-age=1; MAX-AGE=2", "max-age=1; preload; preload",
        "max-age=1, preload", "max-age=1 preload", "max-age=1; includeSubDomains=1",
        "max-age=1; preload=\"\"", "max-age=\"1", "=1; max-age=1",
    ])
    func `a field against the grammar is ignored`(text: String) {
        #expect(StrictTransportSecurity(text) == nil)
    }

    @Test func `a policy is written with whole seconds`() {
        #expect(StrictTransportSecurity(maxAge: .milliseconds(1999)).description == "max-age=1")
        #expect(StrictTransportSecurity(maxAge: .seconds(-1)).description == "max-age=0")
    }
}
