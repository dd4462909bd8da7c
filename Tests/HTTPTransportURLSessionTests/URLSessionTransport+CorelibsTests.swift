import HTTPFormats

#if !canImport(Darwin)
    import Foundation
    import HTTPCore
    import HTTPTesting
    import Testing

    @testable import HTTPTransportURLSession

    /// The list of what URLSession on Linux loses or accepts before the transport sees it. There is
    /// one test per sentence of ``URLSessionTransport``'s documentation. A test that fails with a
    /// new toolchain is good news.
    @Suite(.timeLimit(.minutes(5))) struct URLSessionTransportCorelibsTests {
        private static let ok = "HTTP/1.1 200 OK\r\n"

        private func answer(_ bytes: String) async throws -> HTTPResponse {
            let server = try LoopbackServer(scripts: [[.awaitHead, .send(bytes), .close]])
            return try await URLSessionTransport().response(for: server.url("/")).buffered()
        }

        // MARK: Ends of the process

        @Test func `trailers end the process`() async {
            await #expect(processExitsWith: .failure) {
                // A request that waits for ever has not ended the process.
                signal(SIGALRM) { _ in _exit(EXIT_SUCCESS) }
                alarm(300)
                let server = try LoopbackServer { _ in
                    var response = LoopbackResponse.ok("x")
                    response.framing = .chunked
                    response.trailers = [("X-T", "1")]
                    return response
                }
                _ = try await URLSessionTransport().response(for: server.url("/")).text()
                exit(EXIT_SUCCESS)
            }
        }

        @Test func `a connection that ends inside the header section ends the process`() async {
            await #expect(processExitsWith: .failure) {
                // A request that waits for ever has not ended the process.
                signal(SIGALRM) { _ in _exit(EXIT_SUCCESS) }
                alarm(300)
                let server = try LoopbackServer { _ -> LoopbackScript in
                    [.send("HTTP/1.1 200 OK\r\nX-A: 1"), .close]
                }
                _ = try? await URLSessionTransport().response(for: server.url("/"))
                exit(EXIT_SUCCESS)
            }
        }

        // MARK: Requests

        @Test func `dot segments are resolved`() async throws {
            let server = try LoopbackServer { _ in .ok() }
            _ = try await URLSessionTransport().response(for: server.url("/a/../b"))
            #expect(try await server.nextRequest().target == "/b")
        }

        // MARK: Responses

        @Test func `cookies are taken apart again, other fields stay joined`() async throws {
            let response = try await answer(
                Self.ok + "Set-Cookie: a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT\r\n"
                    + "X-A: 1\r\nSet-Cookie: b=2; Path=/\r\nX-A: 2\r\nSet-Cookie: c=\r\n"
                    + "Content-Length: 0\r\n\r\n")
            #expect(
                response.headers[values: .setCookie]
                    == ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2; Path=/", "c="])
            #expect(response.headers[values: "X-A"] == ["1, 2"])
        }

        @Test func `a cookie value with a comma, a blank and another name is torn`() {
            #expect(ReceivedHead.unfoldCookies("a=1, b=2") == ["a=1", "b=2"])
        }

        @Test func `of known names that differ in case one stays`() async throws {
            let response = try await answer(
                Self.ok + "Set-Cookie: a=1\r\nset-cookie: b=2\r\nContent-Length: 0\r\n\r\n")
            #expect(response.headers[values: .setCookie].count == 1)
        }

        @Test func `the version is not known`() async throws {
            #expect(try await answer("HTTP/1.0 200 OK\r\n\r\nab").head.version == nil)
        }

        @Test func `a redirect's head comes with the end of its body`() async throws {
            let gate = LoopbackGate()
            let server = try LoopbackServer { _ -> LoopbackScript in
                [
                    .send("HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 4\r\n\r\nab"),
                    .pause(until: gate), .send("cd"),
                ]
            }
            var request = try HTTPRequest(.get, server.url("/"))
            request.timeouts.total = .milliseconds(700)
            let transport = URLSessionTransport()
            let error = await #expect(throws: HTTPError.self) {
                try await transport.response(for: request)
            }
            #expect(error?.phase == .waiting)
            gate.open()
            request.timeouts.total = .never
            #expect(try await transport.response(for: request).text() == "abcd")
        }

        @Test func `the body of a redirect without a Location is lost`() async throws {
            let response = try await answer("HTTP/1.1 302 Found\r\nContent-Length: 2\r\n\r\nab")
            #expect(response.status == .found)
            #expect(response.body.bytes == Data())
        }

        @Test func `bytes beyond the length are dropped`() async throws {
            let response = try await answer(Self.ok + "Content-Length: 3\r\n\r\nabcdef")
            #expect(response.body.bytes == Data("abc".utf8))
        }

        @Test func `content is decoded, and the fields about its coding are gone`() async throws {
            let response = try await gzipped(headers: [:])
            #expect(try await response.text() == "hello")
            #expect(response.headers[.contentEncoding] == nil)
            #expect(response.headers[.contentLength] == nil)
        }

        @Test(arguments: [HTTPHeaderName.acceptEncoding, .range])
        func `content is decoded also when the caller asked for a coding or a range`(
            name: HTTPHeaderName
        ) async throws {
            let response = try await gzipped(
                headers: HTTPHeaders { $0[name] = name == .range ? "bytes=0-" : "gzip" })
            #expect(try await response.text() == "hello")
        }

        private func gzipped(headers: HTTPHeaders) async throws -> HTTPResponse {
            let bytes: [UInt8] = [
                31, 139, 8, 0, 0, 0, 0, 0, 0, 255, 203, 72, 205, 201, 201, 7, 0, 134, 166, 16, 54,
                5,
                0, 0, 0,
            ]
            let server = try LoopbackServer { _ in
                LoopbackResponse(
                    fields: [("Content-Encoding", "gzip")], content: .bytes(bytes))
            }
            let request = try HTTPRequest(.get, server.url("/"), headers: headers)
            return try await URLSessionTransport().response(for: request).buffered()
        }

        @Test func `several codings are decoded although their response is refused`() async throws {
            // 128 MiB of zeros in gzip twice.
            let bomb = try #require(Data(base64Encoded: Self.stacked))
            let server = try LoopbackServer { _ in
                LoopbackResponse(
                    fields: [("Content-Encoding", "gzip, gzip")], content: .bytes(Array(bomb)))
            }
            let transport = URLSessionTransport()
            // A request for no coding changes nothing.
            for headers in [HTTPHeaders(), [.acceptEncoding: "identity"]] {
                let request = try HTTPRequest(.get, server.url("/"), headers: headers)
                    .beginningCall()
                let error = await #expect(throws: HTTPError.self) {
                    try await transport.response(for: request)
                }
                #expect(error?.code == .contentDecodingFailed)
                // The next exchange has to wait for it.
                let other = try LoopbackServer { _ in .ok("fine") }
                #expect(try await transport.response(for: other.url("/")).text() == "fine")
                let exchange = try #require(request.call?.timeline.exchanges.first)
                #expect(exchange.decodedBodyBytes == 128 << 20)
            }
        }

        private static let stacked =
            "H4sIAAAAAAACA+3cLU4DYRSG0emPmCCgiCoEXQG6CWlCDRoS0ASBRKKZhKAwbAKNYgE4dgC4LoAgCEER"
            + "hs4s43vPUVdfeXPz7N7VVWc4+ngeDNZDc//3+FlvVAAAAEDhmvebUXcMqGbt6+HRKQAAAFC6863NcX8U"
            + "+D3bWVoHAAAAFO92MZ/0HwJf15dj6wAAAIDiTX9WB/0t4KV92j6xDwAAACjem2AAAAAARBEMAAAAgCyC"
            + "AQAAAJBFMAAAAADCCAYAAABAFsEAAAAAyCIYAAAAAFkEAwAAACCMYAAAAABkEQwAAACALIIBAAAAkEUw"
            + "AAAAAMIIBgAAAEAWwQAAAADIIhgAAAAAWQQDAAAAIIxgAAAAAGQRDAAAAIAsggEAAACQRTAAAAAAwggG"
            + "AAAAQBbBAAAAAMgiGAAAAABZBAMAAAAgjGAAAAAAZBEMAAAAgCwPi/msewyYfLdX+8NpBQAApFrtHS8v"
            + "mvVQ/wNO6FZOrv0BAA=="

        // MARK: Heads that URLSession cannot read

        static let unread: [(name: String, bytes: String)] = [
            ("a value right behind the colon", ok + "icy-name:x\r\nContent-Length: 0\r\n\r\n"),
            ("a value of blanks", ok + "X-A:  \r\nContent-Length: 0\r\n\r\n"),
            ("no blank behind the status", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n"),
        ]

        @Test(arguments: unread)
        func `valid heads that URLSession cannot read are not called invalid`(
            row: (name: String, bytes: String)
        ) async throws {
            let error = await #expect(throws: HTTPError.self) { try await answer(row.bytes) }
            #expect(error?.code == .protocolViolation)
            #expect(error?.message.hasPrefix("URLSession cannot read the response's head") == true)
        }

        @Test func `folded lines are joined with a blank`() async throws {
            let response = try await answer(
                Self.ok + "X-A: 1\r\n 2\r\n\t3\r\nX-B:\r\n 4\r\nContent-Length: 2\r\n\r\nok")
            #expect(response.headers["X-A"] == "1 2 3" && response.headers["X-B"] == "4")
            #expect(try await response.text() == "ok")
        }

        @Test func `trailers that cannot be read are no fault of the head`() async throws {
            let bytes =
                Array("\(Self.ok)Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-A: ".utf8)
                + [0xC7, 13, 10, 13, 10]
            let server = try LoopbackServer(scripts: [[.awaitHead, .send(bytes), .close]])
            let error = await #expect(throws: HTTPError.self) {
                try await URLSessionTransport().response(for: server.url("/")).buffered()
            }
            #expect(error?.code == .protocolViolation && error?.phase == .receiving)
            #expect(error?.message.contains("trailers") == true)
        }

        @Test(arguments: ["http://[::1]:1/", "http://[::ffff:127.0.0.1]:1/", "https://[fe80::1]/"])
        func `an IPv6 address is refused by name, and nothing is sent`(url: String) async throws {
            let error = await #expect(throws: HTTPError.self) {
                try await URLSessionTransport().response(for: url)
            }
            #expect(error?.code == .unsupportedOption && error?.phase == .preparing)
            #expect(error?.mayHaveReachedServer == false && error?.isRetryable == false)
            #expect(error?.message.contains("IPv6") == true)
        }

        // MARK: Errors

        struct Broken: Sendable, CustomTestStringConvertible {
            var name: String
            var bytes: String
            var code: HTTPError.Code
            var ending = LoopbackScript.Step.close
            var testDescription: String { name }
        }

        static let broken: [Broken] = [
            Broken(name: "nothing", bytes: "", code: .connectionLost),
            Broken(name: "reset", bytes: "", code: .connectionLost, ending: .reset),
            Broken(name: "half a status line", bytes: "HTTP/1.1 2", code: .connectionLost),
            Broken(name: "not HTTP", bytes: "SSH-2.0-OpenSSH\r\n", code: .protocolViolation),
            Broken(
                name: "status 099", bytes: "HTTP/1.1 099 X\r\n\r\n", code: .protocolViolation),
            Broken(
                name: "no blank behind the status", bytes: "HTTP/1.1 200\r\n\r\n",
                code: .protocolViolation),
            Broken(
                name: "bare line feeds", bytes: "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
                code: .protocolViolation),
            Broken(
                name: "blank before the colon", bytes: ok + "X-A : 1\r\n\r\n",
                code: .protocolViolation),
            Broken(name: "no colon", bytes: ok + "X-A\r\n\r\n", code: .protocolViolation),
            Broken(name: "NUL", bytes: ok + "X-A: a\0b\r\n\r\n", code: .protocolViolation),
            Broken(
                name: "control character", bytes: ok + "X-A: a\u{1}b\r\n\r\n",
                code: .protocolViolation),
            Broken(
                name: "length that is no number", bytes: ok + "Content-Length: x\r\n\r\n",
                code: .protocolViolation),
            Broken(
                name: "two lengths",
                bytes: ok + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
                code: .protocolViolation),
            Broken(
                name: "a length beside chunks",
                bytes: ok + "Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "2\r\nab\r\n0\r\n\r\n",
                code: .protocolViolation),
            Broken(
                name: "1,001 names",
                bytes: ok + (0...1000).map { "X-\($0): 1\r\n" }.joined() + "\r\n",
                code: .headersTooLarge),
            Broken(
                name: "21 interim responses",
                bytes: String(repeating: "HTTP/1.1 103 X\r\n\r\n", count: 21) + ok
                    + "Content-Length: 0\r\n\r\n",
                code: .headersTooLarge),
            Broken(
                name: "400 KiB of fields, at which libcurl gives up",
                bytes: ok
                    + String(
                        repeating: "X-A: " + String(repeating: "x", count: 1017) + "\r\n",
                        count: 400) + "\r\n",
                code: .headersTooLarge),
            Broken(
                name: "257 KiB of fields",
                bytes: ok
                    + String(
                        repeating: "X-A: " + String(repeating: "x", count: 1017) + "\r\n",
                        count: 258) + "\r\n",
                code: .headersTooLarge),
            Broken(
                name: "short body", bytes: ok + "Content-Length: 9\r\n\r\nabc",
                code: .bodyIncomplete),
            Broken(
                name: "short body, reset", bytes: ok + "Content-Length: 9\r\n\r\nabc",
                code: .bodyIncomplete, ending: .reset),
            Broken(
                name: "no last chunk",
                bytes: ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
                code: .bodyIncomplete),
            Broken(
                name: "bad chunk size",
                bytes: ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n",
                code: .protocolViolation),
            Broken(
                name: "unknown coding",
                bytes: ok + "Content-Encoding: foo\r\nContent-Length: 2\r\n\r\nab",
                code: .contentDecodingFailed),
            Broken(
                name: "broken coding",
                bytes: ok + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\nab",
                code: .contentDecodingFailed),
        ]

        @Test(arguments: broken)
        func `a broken response is an error that says how`(_ row: Broken) async throws {
            let server = try LoopbackServer(
                scripts: [[.awaitHead, .send(row.bytes), row.ending]])
            let transport = URLSessionTransport()
            let error = await #expect(throws: HTTPError.self) {
                try await transport.response(for: server.url("/")).buffered()
            }
            #expect(error?.code == row.code, "\(String(describing: error?.underlyingError))")
            #expect(error?.mayHaveReachedServer == true)
            #expect(error?.url == server.url("/"))
            await transport.close()
        }

        @Test func `what arrived of a broken body can be read before the error`() async throws {
            let server = try LoopbackServer(
                scripts: [[.awaitHead, .send(Self.ok + "Content-Length: 9\r\n\r\nabc"), .close]])
            let response = try await URLSessionTransport().response(for: server.url("/"))
            var bytes = Data()
            let error = await #expect(throws: HTTPError.self) {
                for try await piece in response.body { bytes += piece }
            }
            #expect(error?.code == .bodyIncomplete)
            #expect(bytes == Data("abc".utf8))
        }
    }
#endif
