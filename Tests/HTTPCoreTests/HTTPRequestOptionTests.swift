import HTTPCore
import Testing

@Suite struct HTTPRequestOptionTests {
    private enum Retries: HTTPRequestOption { static let defaultValue = 0 }
    private enum Name: HTTPRequestOption { static let defaultValue: String? = nil }
    private enum Pin: HTTPTransportOption { static let defaultValue = false }
    private enum Proxy: HTTPTransportOption {
        static let defaultValue = ""
        static let name = "proxy.url"
    }

    // MARK: Options, B-5

    @Test func `an option has its default until it is set`() {
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

    @Test func `options of layers pass a transport`() throws {
        var options = HTTPOptions()
        options[Retries.self] = 1
        try options.checkTransportOptions(transport: "T")
        #expect(options[Retries.self] == 1)
    }

    @Test func `a transport honours a transport option or refuses it by name`() throws {
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
}
