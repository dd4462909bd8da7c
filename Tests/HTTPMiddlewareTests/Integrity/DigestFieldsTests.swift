import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPMiddleware
import PortableFoundation
import PortableLibc

@Suite(.timeLimit(.minutes(5))) struct DigestFieldsTests {
    private static let hello = Data("{\"hello\": \"world\"}\n".utf8)
    private static let right = "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:"
    private static let wrong = "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:"

    private func request(
        _ method: HTTPMethod = .get, delivery: HTTPDelivery = .streamed
    ) throws -> HTTPRequest {
        try HTTPRequest(method, "https://api/").delivery(delivery)
    }

    /// A session whose responses have a body that is still arriving.
    private func streaming(
        _ headers: HTTPHeaders, _ status: HTTPStatus = .ok, trailers: HTTPHeaders? = nil,
        steps: [ScriptedBodySource.Step] = [.piece(hello.prefix(5)), .piece(hello.dropFirst(5))]
    ) -> MockSession {
        MockSession {
            HTTPResponse(
                status, headers: headers,
                body: HTTPBody(source: ScriptedBodySource(steps, trailers: trailers)), to: $0)
        }
    }

    private func code(_ read: () async throws -> Void) async -> HTTPError.Code? {
        do {
            try await read()
            return nil
        } catch {
            return (error as? HTTPError)?.code
        }
    }

    // MARK: Requests

    @Test func `a request names the digest of its content in memory`() async throws {
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let session = mock.with(DigestFields())
        var request = try request(.post)
        request.body = HTTPBody(Self.hello)
        _ = try await session.response(for: request)
        _ = try await mock.with(DigestFields(.sha512)).response(for: request)
        #expect(mock.requests[0].headers["Content-Digest"] == Self.right)
        #expect(
            mock.requests[1].headers.contentDigest == [HTTPDigest(.sha512, of: Self.hello)])
        // A field of the request's own stays, and so does that of no content.
        request.headers["Content-Digest"] = "id=:AAAA:"
        _ = try await session.response(for: request)
        _ = try await session.response(for: try self.request(.post))
        #expect(mock.requests[2].headers["Content-Digest"] == "id=:AAAA:")
        #expect(mock.requests[3].headers["Content-Digest"] == nil)
    }

    @Test func `a change that is made last is part of the digest`() async throws {
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let request = try request(.put).modify { $0.body = HTTPBody(Self.hello) }
        _ = try await mock.with(DigestFields()).response(for: request)
        #expect(mock.requests[0].headers["Content-Digest"] == Self.right)
    }

    @Test func `a body that can be read again is read for its digest, a stream is not`()
        async throws
    {
        let file = try TemporaryFile(String(decoding: Self.hello, as: UTF8.self))
        let mock = MockSession { request in
            let bytes = try await request.body.collect()
            #expect(bytes == Self.hello)
            return HTTPResponse(.ok, to: request)
        }
        let session = mock.with(DigestFields())
        let source = ScriptedBodySource([.piece(Self.hello)])
        for body in [
            try HTTPBody(file: file.path), HTTPBody(source: source),
            HTTPBody(length: nil) { ScriptedBodySource([.piece(Self.hello)]) },
        ] {
            var request = try request(.put)
            request.body = body
            _ = try await session.response(for: request)
        }
        #expect(
            mock.requests.map { $0.headers["Content-Digest"] } == [Self.right, nil, Self.right])
        let part = try HTTPBody(file: file.path, range: 10..<19)
        #expect(
            try await HTTPDigest.computed(.sha256, of: part)
                == HTTPDigest(.sha256, of: Data("\"world\"}\n".utf8)))
    }

    @Test func `a form that contains a file gets the digest of what is sent`() async throws {
        let file = try TemporaryFile(String(repeating: "file", count: 10_000))
        let mock = MockSession { request in
            let sent = try await request.body.collect()
            let digest = HTTPDigest(.sha256, of: sent).bytes.base64EncodedString()
            #expect(request.headers["Content-Digest"] == "sha-256=:\(digest):")
            #expect(sent.count > 40_000)
            return HTTPResponse(.ok, to: request)
        }
        let form = try request(.post).multipart { form in
            form.add("text", name: "a")
            try form.add(file: file.path, name: "b")
        }
        _ = try await mock.with(DigestFields()).response(for: form)
        #expect(mock.requests.count == 1)
    }

    @Test func `a file that is gone fails before anything is sent`() async throws {
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let file = try TemporaryFile("x")
        var request = try request(.put)
        request.body = try HTTPBody(file: file.path)
        try FileManager.default.removeItem(atPath: file.path)
        let sent = request
        let code = await code { _ = try await mock.with(DigestFields()).response(for: sent) }
        #expect(code == .requestBodyFailed && mock.requests.isEmpty)
    }

    @Test func `responses are asked for without a coding, unless the request says otherwise`()
        async throws
    {
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        _ = try await mock.with(DigestFields()).response(for: try request())
        let own = try request().header(.acceptEncoding, "gzip")
        _ = try await mock.with(DigestFields()).response(for: own)
        _ = try await mock.with(DigestFields(checksResponses: false)).response(for: try request())
        #expect(mock.requests.map { $0.headers[.acceptEncoding] } == ["identity", "gzip", nil])
    }

    // MARK: Responses

    private static let fields: [(HTTPHeaders, Bool)] = [
        (["Content-Digest": right], true), (["Content-Digest": wrong], false),
        (["Repr-Digest": right], true), (["Repr-Digest": wrong], false),
        (["Content-Digest": right, "Repr-Digest": wrong], false),
        // Every known algorithm has to be right.
        (["Content-Digest": right + ", sha-512=:AAAA:"], false),
        (["Content-Digest": "sha-256=:AAAA:"], false), (["Content-Digest": "sha-256=::"], false),
        // RFC 9530 §5: unknown algorithms are ignored.
        (["Content-Digest": "md5=:AAAA:"], true),
        (["Content-Digest": "md5=:AAAA:, " + right], true),
        (["Content-Digest": ""], true), ([:], true),
        (["Content-Digest": "md5=1, " + right], true),
    ]

    /// RFC 9651 §4.2 has such a field ignored; but then a fault in it would end every check.
    private static let unreadable = [
        "sha-256=1", "sha-256", "sha-256=abc", "sha-256=\"RK/0\"", "sha-256=(:AAAA:)", "=",
        right + ", =", right + ",", right + " x", "sha-256=:RK/0", "sha-256=:R K:",
        "sha-256 :AAAA:",
        "SHA-256=:AAAA:", "SHA-256=RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=",
        "sha-512=1, " + right,
    ]

    @Test(arguments: ["Content-Digest", "Repr-Digest"], unreadable)
    func `a digest that cannot be read is an error`(name: String, value: String) async throws {
        let name = HTTPHeaderName(name)
        let ends = Locked([BodyEnds]())
        let mock = MockSession { request in
            let body = HTTPBody(source: ScriptedBodySource([.piece(Self.hello)]))
            ends.withLock { $0.append(BodyEnds(body)) }
            return HTTPResponse(
                .ok, headers: HTTPHeaders { $0[name] = value }, body: body, to: request)
        }
        for delivery in [HTTPDelivery.streamed, .buffered(upTo: 100)] {
            let error = await #expect(throws: HTTPError.self) {
                try await mock.with(DigestFields()).response(for: request(delivery: delivery))
            }
            #expect(error?.code == .digestMismatch && error?.isRetryable == true)
            #expect(error?.message.contains("\(name) cannot be read") == true)
            #expect(error?.response?.status == .ok && error?.phase == .receiving)
            #expect(error?.message.contains("RK/0") == false)
        }
        // Neither body holds its connection.
        #expect(ends.withLock { $0.map(\.list) } == [["abandoned"], ["complete"]])
        // Checking is off, or the field is about something else.
        let unasked = mock.with(DigestFields(checksResponses: false))
        #expect(try await unasked.response(for: request()).data() == Self.hello)
        let head = MockSession {
            HTTPResponse(.ok, headers: HTTPHeaders { $0[name] = value }, to: $0)
        }
        _ = try await head.with(DigestFields()).response(for: request(.head))
        // In trailers, it is an error once the body has ended.
        let late = streaming(
            ["Trailer": name.spelling], trailers: HTTPHeaders { $0[name] = value }
        ).with(DigestFields())
        let code = await code { _ = try await late.response(for: request()).data() }
        #expect(code == .digestMismatch)
    }

    @Test func `a Repr-Digest of a part that cannot be read is not checked`() async throws {
        let session = streaming(["Repr-Digest": "="], .partialContent).with(DigestFields())
        #expect(try await session.response(for: request()).data() == Self.hello)
    }

    @Test(arguments: 0..<fields.count)
    func `the body ends well if every known digest is right`(row: Int) async throws {
        let (headers, isRight) = Self.fields[row]
        let expected: HTTPError.Code? = isRight ? nil : .digestMismatch
        let session = streaming(headers).with(DigestFields())
        var passed = Data()
        let iterating = await code {
            for try await piece in try await session.response(for: request()).body {
                passed += piece
            }
        }
        // The bytes are passed on as they arrive.
        #expect(iterating == expected && passed == Self.hello)
        let collecting = await code { _ = try await session.response(for: request()).data() }
        #expect(collecting == expected)
        // In memory already, and so under buffered delivery.
        for body in [HTTPBody(Self.hello), HTTPBody(arrived: Self.hello)] {
            let whole = MockSession { HTTPResponse(.ok, headers: headers, body: body, to: $0) }
                .with(DigestFields())
            let reading = await code { _ = try await whole.response(for: request()).data() }
            #expect(reading == expected)
        }
        let whole = MockSession {
            HTTPResponse(.ok, headers: headers, body: HTTPBody(Self.hello), to: $0)
        }.with(DigestFields())
        let buffered = await code {
            _ = try await whole.response(for: request(delivery: .buffered(upTo: 100)))
        }
        #expect(buffered == expected)
    }

    @Test func `the error names the field and the algorithm, and remains`() async throws {
        let session = streaming(["Repr-Digest": Self.wrong]).with(DigestFields())
        let response = try await session.response(for: request())
        let ends = BodyEnds(response.body)
        for _ in 0..<2 {
            let error = await #expect(throws: HTTPError.self) { try await response.data() }
            #expect(error?.code == .digestMismatch && error?.isRetryable == true)
            #expect(error?.mayHaveReachedServer == true && error?.phase == .receiving)
            #expect(error?.response?.status == .ok && error?.url == "https://api/")
            #expect(error?.message.contains("sha-256 digest of Repr-Digest") == true)
        }
        #expect(ends.list == ["failed digestMismatch"])
    }

    @Test(arguments: [
        (HTTPMethod.head, HTTPStatus.ok), (.get, .noContent), (.get, .notModified),
        (.post, .resetContent),
    ])
    func `the fields of a response without content are not about it`(
        method: HTTPMethod, status: HTTPStatus
    ) async throws {
        let headers: HTTPHeaders = ["Content-Digest": Self.right, "Repr-Digest": Self.right]
        let mock = MockSession { HTTPResponse(status, headers: headers, to: $0) }
        let response = try await mock.with(DigestFields()).response(for: request(method))
        #expect(try await response.data().isEmpty)
    }

    @Test func `empty content of a response that has content is checked`() async throws {
        let session = streaming(["Content-Digest": Self.right], steps: []).with(DigestFields())
        let code = await code { _ = try await session.response(for: request()).data() }
        #expect(code == .digestMismatch)
    }

    /// The example of RFC 9530 Appendix B.4.
    @Test func `the digest of a part is checked, and not that of the whole`() async throws {
        func read(_ contentDigest: String) async -> HTTPError.Code? {
            let session = streaming(
                ["Repr-Digest": Self.right, "Content-Digest": contentDigest], .partialContent,
                steps: ["\"world\"}\n"]
            ).with(DigestFields())
            return await code { _ = try await session.response(for: request()).data() }
        }
        #expect(await read("sha-256=:jjcgBDWNAtbYUXI37CVG3gRuGOAjaaDRGpIUFsdyepQ=:") == nil)
        #expect(await read(Self.right) == .digestMismatch)
    }

    @Test func `content that the transport has decoded is not checked`() async throws {
        let mock = MockSession { request in
            var response = HTTPResponse(
                .ok, headers: ["Content-Digest": Self.wrong], body: HTTPBody(Self.hello),
                to: request)
            response.isDecodedUnasked = true
            return response
        }
        let response = try await mock.with(DigestFields()).response(for: request())
        #expect(try await response.data() == Self.hello)
    }

    @Test func `a digest in trailers is checked if it is announced`() async throws {
        func read(_ announced: String?, _ trailers: HTTPHeaders) async -> HTTPError.Code? {
            var headers = HTTPHeaders()
            headers[.trailer] = announced
            let session = streaming(headers, trailers: trailers).with(DigestFields())
            return await code {
                let response = try await session.response(for: request())
                _ = try await response.data()
                #expect(response.trailers == trailers)
            }
        }
        #expect(await read("content-digest", ["Content-Digest": Self.right]) == nil)
        #expect(await read("X, Content-Digest", ["Content-Digest": Self.wrong]) == .digestMismatch)
        #expect(await read("Repr-Digest", ["Repr-Digest": "sha-512=:AA==:"]) == .digestMismatch)
        #expect(await read("Repr-Digest", ["Content-Digest": Self.wrong]) == nil)
        #expect(await read(nil, ["Content-Digest": Self.wrong]) == nil)
    }

    @Test func `writing to a file does not pass by the check`() async throws {
        let file = try TemporaryFile("")
        for (digest, expected) in [
            (Self.right, nil), (Self.wrong, HTTPError.Code.digestMismatch),
        ] {
            let session = streaming(["Content-Digest": digest]).with(DigestFields())
            let descriptor = unsafe open(file.path, O_WRONLY)
            defer { close(descriptor) }
            let code = await code {
                let body = try await session.response(for: request()).body
                #expect(try await body.write(toDescriptor: descriptor) == 19)
            }
            #expect(code == expected)
            let written = try Data(contentsOf: URL(filePath: file.path))
            #expect(written == Self.hello)
        }
    }

    @Test func `a body that breaks, or is given up, ends as without the check`() async throws {
        let source = ScriptedBodySource(["{", .fail])
        let mock = MockSession {
            HTTPResponse(
                .ok, headers: ["Content-Digest": Self.wrong], body: HTTPBody(source: source),
                to: $0)
        }
        let broken = try await mock.with(DigestFields()).response(for: request())
        await #expect(throws: ScriptedBodySource.Failure.self) { try await broken.data() }

        for giveUp in [
            { await $0.discard() }, { $0.abandon() },
            { body in
                for try await _ in body { break }
            },
        ] as [@Sendable (HTTPBody) async throws -> Void] {
            let source = ScriptedBodySource([.piece(Self.hello), .piece(Self.hello)])
            let mock = MockSession {
                HTTPResponse(
                    .ok, headers: ["Content-Digest": Self.wrong], body: HTTPBody(source: source),
                    to: $0)
            }
            do {
                let response = try await mock.with(DigestFields()).response(for: request())
                let ends = BodyEnds(response.body)
                try await giveUp(response.body)
                #expect(ends.list == ["abandoned"])
                let code = await code { _ = try await response.data() }
                #expect(code == .bodyAlreadyRead)
            }
            #expect(source.abandons > 0)
        }
    }

    @Test func `the length stays known`() async throws {
        let mock = MockSession {
            let source = ScriptedBodySource([.piece(Self.hello)])
            return HTTPResponse(
                .ok, headers: ["Content-Digest": Self.right],
                body: HTTPBody(source: source, length: 19), to: $0)
        }
        let response = try await mock.with(DigestFields()).response(for: request())
        #expect(response.body.length == 19 && response.body.replay == .once)
        #expect(try await response.data() == Self.hello)
    }

    /// A digest of a form with a password would help to guess it.
    @Test func `the requests of a refresh pass unchanged`() async throws {
        let origin = try HTTPOrigin("https://api")
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let authentication = RefreshingAuthentication(for: origin) { _, session in
            let form = try HTTPRequest(.post, "https://api/token").formURLEncoded(["p": "x"])
            _ = try await session.response(for: form)
            return try .bearer("t")
        }
        let session = mock.with(authentication, DigestFields())
        var request = try request(.post)
        request.body = HTTPBody(Self.hello)
        _ = try await session.response(for: request)
        #expect(mock.requests.map { $0.url.path() } == ["/token", "/"])
        #expect(mock.requests.map { $0.headers["Content-Digest"] } == [nil, Self.right])
        #expect(mock.requests[0].headers[.acceptEncoding] == nil)
    }
}
