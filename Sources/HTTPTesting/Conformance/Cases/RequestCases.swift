import HTTPCore

/// Cases about the request line and the fields: sent as set, and nothing else.
enum RequestCases {
    private typealias Case = TransportConformance.Case

    static let all: [TransportConformance.Case] = methods + fields + refused

    private static let methods = [
        Case(.request, "the common methods are sent as they are") { exam in
            for method: HTTPMethod in [.get, .head, .post, .put, .patch, .delete, .options] {
                let seen = try await exam.received(method)
                try exam.expect(seen.method, is: method.rawValue, "the method")
            }
        },
        Case(.request, "an unregistered method is sent as it is") { exam in
            let seen = try await exam.received("PURGE")
            try exam.expect(seen.method, is: "PURGE", "the method")
        },
        Case(.request, "a method in small letters is sent as it is, or refused") { exam in
            do {
                let seen = try await exam.received("get")
                try exam.expect(seen.method, is: "get", "the method")
            } catch let error as HTTPError {
                try exam.expect(error.code, is: .unsupportedOption, "the error's code")
            }
        },
        Case(.request, "a GET with content is sent with it, or refused") { exam in
            do {
                let seen = try await exam.received(.get, body: HTTPBody("query"))
                try exam.expect(seen.text, is: "query", "the content")
            } catch let error as HTTPError {
                try exam.expect(error.code, is: .unsupportedOption, "the error's code")
            }
        },
        Case(.request, "the version of HTTP is 1.1") { exam in
            let seen = try await exam.received()
            try exam.expect(seen.version, is: "HTTP/1.1", "the version")
        },
    ]

    private static let fields = [
        Case(.request, "a GET has no fields but Host and Accept-Encoding") { exam in
            try exam.expectFields(
                of: try await exam.received(), within: ["host", "accept-encoding"])
        },
        Case(.request, "a POST has no further fields but its length") { exam in
            try exam.expectFields(
                of: try await exam.received(.post, body: HTTPBody("x")),
                within: ["host", "accept-encoding", "content-length"])
        },
        Case(.request, "no Expect is sent with a large body") { exam in
            let body = HTTPBody.pattern(2 << 20)
            try exam.expectFields(
                of: try await exam.received(.put, body: body),
                within: ["host", "accept-encoding", "content-length"])
        },
        Case(.request, "a GET has no framing") { exam in
            let seen = try await exam.received()
            try exam.expect(seen["Content-Length"], is: nil, "Content-Length")
            try exam.expect(seen["Transfer-Encoding"], is: nil, "Transfer-Encoding")
        },
        Case(.request, "methods that expect content say when there is none") { exam in
            for method: HTTPMethod in [.post, .put, .patch] {
                let seen = try await exam.received(method)
                try exam.expect(seen["Content-Length"], is: "0", "Content-Length of \(method)")
                try exam.expect(seen["Transfer-Encoding"], is: nil, "Transfer-Encoding")
            }
        },
        Case(.request, "methods that expect no content have no framing without it") { exam in
            for method: HTTPMethod in [.delete, .options, .head, "PURGE"] {
                let seen = try await exam.received(method)
                try exam.expect(seen["Content-Length"], is: nil, "Content-Length of \(method)")
                try exam.expect(seen["Transfer-Encoding"], is: nil, "Transfer-Encoding")
            }
        },
        Case(.request, "Host is the origin with its port") { exam, server in
            _ = try await exam.get(server).data()
            let seen = try await server.nextRequest()
            let hosts = seen.fields.filter { $0.name.lowercased() == "host" }.map(\.value)
            try exam.expect(hosts, is: ["127.0.0.1:\(server.port)"], "Host")
        },
        Case(.request, "a Host of the request's own is sent in place of the origin") { exam in
            let seen = try await exam.received(headers: [.host: "example.org"])
            let hosts = seen.fields.filter { $0.name.lowercased() == "host" }.map(\.value)
            try exam.expect(hosts, is: ["example.org"], "Host")
        },
        Case(.request, "the request's fields are sent with their values") { exam in
            let own: HTTPHeaders = [
                .userAgent: "me/1 (a; b)", .accept: "text/plain", .acceptLanguage: "de",
                .contentType: "text/x", .authorization: "Bearer 1", .cookie: "a=1; b=2",
                .ifNoneMatch: "\"x\"", .referer: "http://a.example/", "X-Own": "tab\there, \"q\"",
            ]
            let seen = try await exam.received(.post, headers: own, body: HTTPBody("x"))
            for field in own {
                try exam.expect(
                    seen[field.name.spelling], is: field.value, field.name.spelling)
            }
        },
        Case(.request, "names of fields are sent as spelled") { exam in
            let seen = try await exam.received(headers: ["x-lower": "1", "X-UPPER-aNd": "2"])
            let names = seen.fields.map(\.name)
            try exam.expect(
                names.contains("x-lower") && names.contains("X-UPPER-aNd"), "names: \(names)")
        },
        Case(.request, "fields of one name are sent apart and in order") { exam in
            let headers = HTTPHeaders { $0[values: "X-Twice"] = ["a", "b", "c"] }
            let seen = try await exam.received(headers: headers)
            let values = seen.fields.filter { $0.name.lowercased() == "x-twice" }.map(\.value)
            try exam.expect(values, is: ["a", "b", "c"], "X-Twice")
        },
        Case(.request, "fields are sent in the request's order") { exam in
            let names = "QWERTYUIOPASDFG".map { "X-\($0)" }
            let headers = HTTPHeaders { for name in names { $0[HTTPHeaderName(name)] = "1" } }
            let seen = try await exam.received(headers: headers)
            let sent = seen.fields.map(\.name).filter { $0.lowercased().hasPrefix("x-") }
            try exam.expect(sent, is: names, "the order")
        },
        Case(.request, "a field with an empty value is sent") { exam in
            let seen = try await exam.received(headers: ["X-Empty": "", "X-Next": "1"])
            try exam.expect(seen["X-Empty"], is: "", "X-Empty")
            try exam.expect(seen["X-Next"], is: "1", "X-Next")
        },
        Case(.request, "a value of 8 KiB is sent whole") { exam in
            let value = String(repeating: "0123456789abcdef", count: 512)
            let seen = try await exam.received(headers: ["X-Long": value])
            try exam.expect(seen["X-Long"], is: value, "X-Long")
        },
        Case(.request, "fifty fields are sent") { exam in
            let headers = HTTPHeaders {
                for number in 0..<50 { $0[HTTPHeaderName("X-\(number)")] = "\(number)" }
            }
            let seen = try await exam.received(headers: headers)
            for number in 0..<50 {
                try exam.expect(seen["X-\(number)"], is: "\(number)", "X-\(number)")
            }
        },
        Case(.request, "a value beyond ASCII is sent in UTF-8") { exam in
            let seen = try await exam.received(headers: ["X-Name": "Çelik – 名"])
            try exam.expect(seen["X-Name"], is: "Çelik – 名", "X-Name")
        },
    ]

    private static let refused = [
        refusal("a field that was refused when it was set is named, and nothing is sent") {
            $0.headers["X-Bad"] = "a\r\nX-Injected: 1"
        },
        refusal("framing of the request's own is refused") { $0.headers[.contentLength] = "5" },
        refusal("a transfer coding of the request's own is refused") {
            $0.headers[.transferEncoding] = "chunked"
        },
        refusal("an empty Host is refused") { $0.headers[.host] = "" },
        refusal("a Host with a space is refused") { $0.headers[.host] = "a b" },
        refusal("a Host beyond ASCII is refused") { $0.headers[.host] = "b\u{fc}cher.example" },
        refusal("credentials of a proxy are refused where the server would get them") {
            $0.headers[.proxyAuthorization] = "Basic eDp5"
        },
        refusal("a method that is no token is refused") { $0.method = "GET /evil" },
        refusal("CONNECT is refused") { $0.method = .connect },
        refusal("a limit of time that is not positive is refused") {
            $0.timeouts.idle = .after(.zero)
        },
        refusal(
            "a transport option that the transport does not know is refused", .unsupportedOption
        ) {
            $0[UnknownToTransports.self] = true
        },
        refusal("HTTP/3 is refused over cleartext", .unsupportedOption) { $0.version = .http3 },
        Case(.request, "an option of a layer passes") { exam, server in
            var request = try HTTPRequest(.get, server.url("/"))
            request[OfLayers.self] = true
            let response = try await exam.session.response(for: request)
            try exam.expect(response.status, is: .ok, "the status")
        },
        Case(.request, "changes asked for by modify are made before it is sent") { exam, server in
            let request = try HTTPRequest(.get, server.url("/"))
                .modify { $0.headers["X-Late"] = "1" }
            _ = try await exam.session.response(for: request).data()
            try exam.expect(try await server.nextRequest()["X-Late"], is: "1", "X-Late")
        },
    ]

    private enum UnknownToTransports: HTTPTransportOption {
        static let defaultValue = false
    }

    private enum OfLayers: HTTPRequestOption {
        static let defaultValue = false
    }

    private static func refusal(
        _ name: String, _ code: HTTPError.Code = .invalidRequest,
        _ spoil: @escaping @Sendable (inout HTTPRequest) -> Void
    ) -> Case {
        Case(.request, name) { exam, server in
            var request = try HTTPRequest(.get, server.url("/"))
            spoil(&request)
            try await exam.expectRefusal(code, by: server) {
                _ = try await exam.session.response(for: request)
            }
        }
    }
}

extension ConformanceExam {
    fileprivate func expectFields(
        of request: LoopbackRequest, within allowed: Set<String>
    ) throws(Finding) {
        let extra = request.fields.filter { !allowed.contains($0.name.lowercased()) }
            .map { "\($0.name): \($0.value)" }
        try expect(extra.isEmpty, "the transport has added \(extra)")
    }
}
