import HTTPCore
import HTTPHashing
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

@Suite struct PublicKeyPinTests {
    private static let base64 = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    // MARK: Pins

    @Test(.rows("B-14"), arguments: ["sha256/", "sha256//"])
    func `a pin is read in both spellings and written in one`(prefix: String) throws {
        let pin = try #require(PublicKeyPin(prefix + Self.base64))
        #expect(pin.bytes == SHA256.hash([UInt8]()))
        #expect(pin.description == "sha256/" + Self.base64)
    }

    @Test(
        .rows("B-14"),
        arguments: [
            "", "sha256/", "sha256", base64, "sha1/2jmj7l5rSw0yVb/vlWAYkK/YBwk=",
            "sha256/" + base64.dropLast(), "sha256/" + base64 + "=", "sha256///" + base64,
            "sha256/" + base64.replacing("+", with: "*"), "SHA256/" + base64,
            "sha256/" + base64 + "\n",
        ])
    func `what is no pin is none`(text: String) { #expect(PublicKeyPin(text) == nil) }

    @Test(
        .rows("B-14"),
        arguments: [
            ("example.com", "example.com", true), ("example.com", "EXAMPLE.com.", false),
            ("Example.COM.", "example.com", true), ("example.com", "example.com.", true),
            ("example.com", "a.example.com", false), ("example.com", "notexample.com", false),
            ("*.example.com", "a.example.com", true), ("*.example.com", "example.com", false),
            ("*.example.com", "a.b.example.com", false), ("*.example.com", "aexample.com", false),
            ("*.example.com", ".example.com", false),
            ("**.example.com", "example.com", true), ("**.example.com", "a.example.com", true),
            ("**.example.com", "a.b.example.com", true), ("**.example.com", "bexample.com", false),
            ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "127.0.0.2", false),
            ("[::1]", "[::1]", true),
        ])
    func `a pattern matches the hosts that it says`(pattern: String, host: String, matches: Bool)
        throws
    {
        #expect(try #require(HostPattern(pattern)).matches(host) == matches)
    }

    @Test(
        .rows("B-14"),
        arguments: [
            "", "*", "**", "*.", "**.", "a.*.com", "*example.com", "***.example.com",
            "https://example.com", "example.com:443", "exa mple.com", "*.127.0.0.1", "**.[::1]",
            "[::1", "a/b", "user@host", "*.*.com",
        ])
    func `what is no pattern is none`(text: String) { #expect(HostPattern(text) == nil) }

    @Test(.rows("B-14"))
    func `all patterns of a host count, and none is no pin`() throws {
        let a = try #require(PublicKeyPin("sha256/" + Self.base64))
        let b = try #require(
            PublicKeyPin("sha256/" + Data(repeating: 7, count: 32).base64EncodedString()))
        let pins: [String: Set<PublicKeyPin>] = [
            "example.com": [a], "**.example.com": [b], "*.example.com": [a],
        ]
        #expect(pins.pins(for: "example.com") == [a, b])
        #expect(pins.pins(for: "x.example.com") == [a, b])
        #expect(pins.pins(for: "x.y.example.com") == [b])
        #expect(pins.pins(for: "example.org") == nil)
    }
}
