import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

@Suite struct HTTPRequestSettingTests {
    private enum Color: HTTPRequestOption { static let defaultValue = "none" }

    // MARK: Copies

    @Test(.rows("S1-9", "S1-12"))
    func `each method changes a copy and leaves the original`() throws {
        let original = try HTTPRequest(.get, "http://a/", headers: ["X-A": "1"])
        let changed =
            try original
            .method(.post)
            .header("X-A", "2")
            .header("X-B", "3")
            .headers { try $0.append("X-B", "4") }
            .body(HTTPBody("{}"), contentType: .json)
            .delivery(.buffered(upTo: 7))
            .timeouts(HTTPTimeouts(idle: .seconds(3)))
            .timeout(.seconds(5))
            .version(.http1_1)
            .option(Color.self, "red")
        #expect(changed.method == .post)
        #expect(changed.headers[values: "X-A"] == ["2"])
        #expect(changed.headers[values: "X-B"] == ["3", "4"])
        #expect(changed.headers[.contentType] == "application/json")
        #expect(changed.body.bytes == Data("{}".utf8))
        #expect(changed.delivery == .buffered(upTo: 7))
        #expect(changed.timeouts == HTTPTimeouts(idle: .seconds(3), total: .after(.seconds(5))))
        #expect(changed.version == .http1_1)
        #expect(changed[Color.self] == "red")
        #expect(changed.id == original.id)

        #expect(original.method == .get)
        #expect(original.headers == ["X-A": "1"])
        #expect(original.body.isEmpty)
        #expect(original.delivery == .streamed)
        #expect(original.timeouts == HTTPTimeouts())
        #expect(original.version == nil)
        #expect(original[Color.self] == "none")
    }

    // MARK: Content types

    @Test(.rows("S1-19", "S1-20", "S1-21"))
    func `a content type that the caller set stays`() throws {
        let request = try HTTPRequest(.post, "http://a/")
            .header(.contentType, "application/vnd.mine+json")
            .body(HTTPBody("{}"), contentType: .json)
        #expect(request.headers[values: .contentType] == ["application/vnd.mine+json"])
    }

    // MARK: Fields

    @Test(.rows("S1-12", "S1-13"))
    func `nil removes a field, and a field that may not be sent is refused when sent`() throws {
        let request = try HTTPRequest(.get, "http://a/", headers: ["X-A": "1"]).header("X-A", nil)
        #expect(request.headers.isEmpty)
        let refused = request.header("X-B", "a\r\nX-C: d")
        #expect(refused.headers.refusedName == "X-B")
        let error = #expect(throws: HTTPError.self) { try refused.checkedTarget() }
        #expect(error?.code == .invalidRequest)
    }
}
