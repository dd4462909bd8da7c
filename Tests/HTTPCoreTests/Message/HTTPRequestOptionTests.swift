import HTTPCore
import HTTPFormats
import TestSupport
import Testing

@Suite struct HTTPRequestOptionTests {
    private enum Retries: HTTPRequestOption { static let defaultValue = 0 }
    private enum Name: HTTPRequestOption { static let defaultValue: String? = nil }
    private enum Pin: HTTPTransportOption { static let defaultValue = false }
    private enum Proxy: HTTPTransportOption {
        static let defaultValue = ""
        static let name = "proxy.url"
    }

    // MARK: Options

    @Test(.rows("B-5"))
    func `an option has its default until it is set`() {
        var options = HTTPOptions()
        #expect(options.isEmpty && options[Retries.self] == 0 && options[Name.self] == nil)
        options[Retries.self] = 3
        options[Name.self] = "a"
        options[Retries.self] += 1
        #expect(options[Retries.self] == 4 && options[Name.self] == "a")
        #expect(!options.isEmpty)
        let copy = options
        options[Name.self] = nil
        #expect(copy[Name.self] == "a" && options[Name.self] == nil)
    }

    @Test(.rows("B-5"))
    func `options of layers pass a transport`() throws {
        var options = HTTPOptions()
        options[Retries.self] = 1
        try options.checkTransportOptions(transport: "T")
        #expect(options[Retries.self] == 1)
    }

    @Test(.rows("B-5"))
    func `a transport honours a transport option or refuses it by name`() throws {
        var options = HTTPOptions()
        options[Retries.self] = 1
        options[Proxy.self] = "hunter2"
        try options.checkTransportOptions(known: [Pin.self, Proxy.self], transport: "T")
        let error = #expect(throws: HTTPError.self) {
            try options.checkTransportOptions(known: [Pin.self], transport: "T")
        }
        #expect(error?.code == .unsupportedOption)
        #expect(error?.phase == .preparing)
        #expect(error?.message.contains("proxy.url") == true)
        #expect(error?.message.contains("hunter2") == false)
        options[Pin.self] = true
        let both = #expect(throws: HTTPError.self) {
            try options.checkTransportOptions(known: [Proxy.self], transport: "T")
        }
        #expect(both?.message.contains("Pin") == true)
    }

    // MARK: Origins

    private enum Key: HTTPTransportOption {
        static let defaultValue = ""
        static let name = "key"
        static func isBoundToOrigin(_ value: String) -> Bool { value.hasPrefix("secret") }
    }

    private func withheld(_ request: HTTPRequest, _ url: String) throws -> ([String], String) {
        var request = try request.route(url)
        return (request.withholdOptions(), request[Key.self])
    }

    @Test(.rows("B-6"))
    func `a value that is bound to the call's origin is for no other`() throws {
        var request = try HTTPRequest(.get, "https://a/")
        request[Key.self] = "secret 1"
        request[Pin.self] = true
        request[Retries.self] = 3
        // Of no call, it is for whatever it is sent to.
        #expect(try withheld(request, "https://b/") == ([], "secret 1"))
        request = try request.beginningCall()
        #expect(try withheld(request, "https://a/x") == ([], "secret 1"))
        for url in ["https://b/", "http://a/", "https://a:81/"] {
            #expect(try withheld(request, url) == (["key"], ""))
        }
        request[Key.self] = "plain"
        #expect(try withheld(request, "https://b/") == ([], "plain"))
        #expect(request[Pin.self] && request[Retries.self] == 3)
    }

    @Test(.rows("B-6"))
    func `a value that is set on the way is bound to where the request goes then`() throws {
        var request = try HTTPRequest(.get, "https://a/").beginningCall().route("https://b/")
        request[Key.self] = "secret 2"
        #expect(try withheld(request, "https://b/x") == ([], "secret 2"))
        #expect(try withheld(request, "https://a/") == (["key"], ""))
        var back = try request.route("https://a/")
        back[Key.self] = "secret 3"
        #expect(try withheld(back, "https://a/") == ([], "secret 3"))
    }
}
