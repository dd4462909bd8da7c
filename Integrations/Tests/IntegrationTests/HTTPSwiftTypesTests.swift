import HTTPClientKit
import HTTPSwiftTypes
import HTTPTesting
import HTTPTypes
import Testing

@Suite struct HTTPSwiftTypesTests {
    @Test func `a request is the same after both ways`() throws {
        var headers: HTTPHeaders = ["Authorization": "Bearer t", "X-Empty": "", "X-A": "1"]
        try headers.append("x-a", "zwei, drei")
        try headers.append("X-Key", "s")
        headers.setSensitive("X-Key")
        for url in [
            "https://h:8443/a/b?c=d%20e&f", "http://h?x", "https://h/", "http://[::1]:80/%C3%A4",
        ] {
            for method in ["GET", "PATCH", "x-own!"] {
                let request = try HTTPCore.HTTPRequest(
                    HTTPMethod(method), url + "#part", headers: headers)
                let converted = try HTTPTypes.HTTPRequest(request)
                #expect(converted.method.rawValue == method)
                let back = try HTTPCore.HTTPRequest(converted)
                #expect(back.method == request.method)
                let isRoot = url == "http://h?x"
                #expect(back.url.absoluteString == (isRoot ? "http://h/?x" : url))
                #expect(Array(back.headers) == Array(request.headers))
                #expect(back.headers.map(\.isSensitive) == request.headers.map(\.isSensitive))
            }
        }
    }

    @Test func `sensitive fields are not indexed, and such fields are sensitive`() throws {
        let fields = try HTTPFields(["Authorization": "Bearer t", "X-A": "1"])
        #expect(fields.map(\.indexingStrategy) == [.disallow, .automatic])
        var own = HTTPField(name: try #require(HTTPField.Name("X-Own")), value: "s")
        own.indexingStrategy = .disallow
        let headers = try HTTPHeaders(HTTPFields([own]))
        #expect(headers.isSensitive("X-Own"))
        #expect(!"\(headers)".contains("s\n") && "\(headers)" == "X-Own: <redacted>")
    }

    @Test func `random fields keep names, order and values`() throws {
        var random = SystemRandomNumberGenerator()
        let names = ["X-A", "x-a", "Accept", "Set-Cookie", "x"]
        let values = ["", "1", "a, b", "\"q\"", "é", "a\tb", "=;"]
        for _ in 0..<500 {
            var headers = HTTPHeaders()
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                let name = names.randomElement(using: &random) ?? "x"
                try headers.append(
                    HTTPHeaderName(name), values.randomElement(using: &random) ?? "")
            }
            let back = try HTTPHeaders(HTTPFields(headers))
            #expect(Array(back) == Array(headers))
            #expect(back.map { $0.name.spelling } == headers.map { $0.name.spelling })
        }
    }

    @Test func `what cannot be converted throws`() throws {
        let relative = HTTPCore.HTTPRequest(url: try HTTPCore.HTTPRequest("a/b").url)
        #expect(throws: HTTPError.self) { try HTTPTypes.HTTPRequest(relative) }
        let parts = HTTPTypes.HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")
        #expect(throws: HTTPError.self) { try HTTPCore.HTTPRequest(parts) }
        let ftp = HTTPTypes.HTTPRequest(
            method: .get, scheme: "https", authority: "h h", path: "/")
        #expect(throws: HTTPError.self) { try HTTPCore.HTTPRequest(ftp) }
        for path in [".evil.example/", "@evil.example/", ":1@evil.example/", "*"] {
            let elsewhere = HTTPTypes.HTTPRequest(
                method: .get, scheme: "https", authority: "h", path: path)
            #expect(throws: HTTPError.self) { try HTTPCore.HTTPRequest(elsewhere) }
        }
        let status = HTTPTypes.HTTPResponse(status: 999)
        let request = try HTTPCore.HTTPRequest("https://h/")
        if HTTPStatus(code: 999) == nil {
            #expect(throws: HTTPError.self) { try HTTPCore.HTTPResponse(status, to: request) }
        }
    }

    @Test func `a response has its status, fields and body`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackResponse(fields: [("X-A", "1")], content: .bytes(Array("fine".utf8)))
        }
        let parts = HTTPTypes.HTTPRequest(
            method: .get, scheme: "http", authority: "127.0.0.1:\(server.port)", path: "/a?b")
        let response = try await HTTPClient.shared.response(for: HTTPCore.HTTPRequest(parts))
        let converted = try HTTPTypes.HTTPResponse(response)
        #expect(converted.status == .ok)
        #expect(converted.headerFields[try #require(HTTPField.Name("X-A"))] == "1")
        let back = try HTTPCore.HTTPResponse(
            converted, body: response.body, to: response.originalRequest)
        #expect(try await back.text() == "fine")
        #expect(try await server.nextRequest().target == "/a?b")
    }
}
