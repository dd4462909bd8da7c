import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

@Suite struct HTTPRequestJSONTests {
    struct Point: Encodable {
        var y = 2.0
        var x = 1
        var path = "a/b"
    }

    private let request: HTTPRequest

    init() throws { request = try HTTPRequest(.post, "https://h/") }

    private func text(_ request: HTTPRequest) -> String {
        request.body.bytes.map { String(decoding: $0, as: UTF8.self) } ?? "not in memory"
    }

    // MARK: JSON

    @Test(.rows("S1-19", "S1-20"))
    func `every way to say it gives the same bytes, sorted`() throws {
        let expected = #"{"path":"a/b","x":1,"y":2}"#
        let json: HTTPJSON = ["y": 2.0, "x": 1, "path": "a/b"]
        #expect(text(try request.json(Point())) == expected)
        #expect(text(try request.json(json)) == expected)
        #expect(text(try request.json(["y": 2.0, "x": 1, "path": "a/b"])) == expected)
        #expect(
            text(try request.json(["y": 2.0, "x": 1, "path": "a/b"] as [String: Any])) == expected)
        #expect(text(try request.json([1, "a", nil as Int? as Any])) == #"[1,"a",null]"#)
        #expect(text(try request.json(["b": "1", "a": "2"])) == #"{"a":"2","b":"1"}"#)
        #expect(text(try request.json("fragment")) == #""fragment""#)
    }

    @Test(.rows("S1-20"))
    func `the original stays as it was, and the encoder is asked`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        let changed = try request.json(Point(), encoder: encoder)
        #expect(text(changed).contains("\n"))
        #expect(request.body.isEmpty && request.headers.isEmpty && changed.body.replay == .always)
    }

    @Test(
        .rows("S1-20"),
        arguments: [
            (nil, "application/json"), ("application/vnd.api+json", "application/vnd.api+json"),
        ] as [(String?, String)])
    func `the content type is set only where the caller set none`(old: String?, new: String) throws
    {
        var request = request
        request.headers[.contentType] = old
        #expect(try request.json(Point()).headers[values: .contentType] == [new])
        #expect(try request.json(["a": 1, "b": "c"]).headers[values: .contentType] == [new])
    }

    @Test(.rows("S1-19"))
    func `what has no JSON is an error at once`() throws {
        let request = request
        let calls: [() throws -> HTTPRequest] = [
            { try request.json(Double.infinity) }, { try request.json([Double.nan]) },
            { try request.json(["a": Double.infinity, "b": "c"]) },
            { try request.json(["at": Date(), "b": "c"]) }, { try request.json([1, Date()]) },
            { try request.json(HTTPJSON.number(.init(.nan))) },
        ]
        for call in calls {
            let error = #expect(throws: HTTPError.self) { try call() }
            #expect(error?.code == .encodingFailed && error?.phase == .preparing)
        }
    }
}
