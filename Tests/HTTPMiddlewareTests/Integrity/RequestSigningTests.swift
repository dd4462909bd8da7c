import HTTPCore
import HTTPFormats
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct RequestSigningTests {
    private let clock = HTTPTestClock()
    private let mock = MockSession { HTTPResponse(.ok, to: $0) }

    private func post(_ url: String = "https://hooks/a", _ body: String) throws -> HTTPRequest {
        try HTTPRequest(.post, url, body: HTTPBody(body)).beginningCall(clock: clock)
    }

    private struct Failure: Error {}

    private static func plain(
        for origin: HTTPOrigin? = nil, _ name: HTTPHeaderName = "X-Proof"
    ) -> RequestSigning {
        RequestSigning(for: origin) { _, _ in [name: "1"] }
    }

    // MARK: Schemes

    /// The scheme of Stripe's webhooks: a time and a body, and the code in hexadecimal digits.
    @Test func `a webhook is signed, and its receiver can check it`() async throws {
        let key = try HMACSHA256(key: "whsec_test")
        let signing = RequestSigning { request, date in
            let time = "\(Int(date.timeIntervalSince1970))"
            let message = Data("\(time).".utf8) + (request.body.bytes ?? Data())
            return ["Webhook-Signature": "t=\(time),v1=\(key.hexadecimalCode(for: message))"]
        }
        let session = mock.with(signing, OriginGuard())
        _ = try await session.response(for: post("https://hooks/a", #"{"id":1}"#))
        clock.advance(by: .seconds(1))
        _ = try await session.response(for: post("https://hooks/a", #"{"id":1}"#))

        func isGenuine(_ request: HTTPRequest, _ body: Data, by key: HMACSHA256) -> Bool {
            let parts = (request.headers["Webhook-Signature"] ?? "").split(separator: ",")
                .map { $0.split(separator: "=", maxSplits: 1).last.map(String.init) ?? "" }
            return parts.count == 2
                && key.isValid(hexadecimal: parts[1], for: Data("\(parts[0]).".utf8) + body)
        }
        let sent = mock.requests
        #expect(
            sent[0].headers["Webhook-Signature"]
                == "t=784111777,v1="
                + key.hexadecimalCode(for: Data(#"784111777.{"id":1}"#.utf8)))
        #expect(sent[1].headers["Webhook-Signature"]?.hasPrefix("t=784111778,v1=") == true)
        let body = Data(#"{"id":1}"#.utf8)
        #expect(sent.allSatisfy { isGenuine($0, body, by: key) })
        #expect(!isGenuine(sent[0], Data(#"{"id":2}"#.utf8), by: key))
        let other = try HMACSHA256(key: "whsec_other")
        #expect(!isGenuine(sent[0], body, by: other))
    }

    /// The scheme of AWS (Signature Version 4), with the example of its documentation for the key:
    /// a canonical request, and a key that is derived in steps.
    @Test func `a canonical request is signed with a derived key`() async throws {
        @Sendable func derived(_ parts: [String]) throws -> HMACSHA256 {
            var key = try HMACSHA256(key: "AWS4wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
            for part in parts { key = try HMACSHA256(key: key.code(for: Data(part.utf8))) }
            return key
        }
        let last = try derived(["20120215", "us-east-1", "iam"])
        #expect(
            last.hexadecimalCode(for: Data("aws4_request".utf8))
                == "f4780e2d9f65fa895f9c67b32ce1baf0b0d8a43505a000a1a9e090d414db404d")

        let signing = RequestSigning { request, _ in
            let digest = HTTPDigest(.sha256, of: request.body.bytes ?? Data()).hexadecimal
            let canonical = [
                request.method.rawValue, request.url.path(), request.url.query() ?? "",
                "x-amz-content-sha256:\(digest)", digest,
            ].joined(separator: "\n")
            let key = try derived(["20120215", "us-east-1", "iam", "aws4_request"])
            let signature = key.hexadecimalCode(for: Data(canonical.utf8))
            return [
                "X-Amz-Content-SHA256": digest, .authorization: "AWS4-HMAC-SHA256 \(signature)",
            ]
        }
        _ = try await mock.with(signing).response(for: post("https://iam/?Action=List", ""))
        let headers = mock.requests[0].headers
        #expect(
            headers["X-Amz-Content-SHA256"]
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        let canonical =
            "POST\n/\nAction=List\nx-amz-content-sha256:"
            + "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n"
            + "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        let key = try derived(["20120215", "us-east-1", "iam", "aws4_request"])
        #expect(
            headers[.authorization]
                == "AWS4-HMAC-SHA256 " + key.hexadecimalCode(for: Data(canonical.utf8)))
    }

    // MARK: What is signed

    @Test func `the scheme gets what the layers outside of it and the last changes have made`()
        async throws
    {
        let seen = Record<HTTPRequest>()
        let signing = RequestSigning { request, _ in
            seen.add(request)
            return [:]
        }
        let session = mock.with(
            DigestFields(), BearerAuthentication(for: try HTTPOrigin("https://hooks")) { "t" },
            signing)
        let request = try post("https://hooks/a", "1").modify { $0.body = HTTPBody("2") }
        _ = try await session.response(for: request)
        let signed = try #require(seen.entries.first)
        #expect(signed.body.bytes == Data("2".utf8))
        #expect(signed.headers[.authorization] == "Bearer t")
        #expect(signed.headers.contentDigest == [HTTPDigest(.sha256, of: Data("2".utf8))])
        #expect(mock.requests[0].body.bytes == Data("2".utf8))
        #expect(mock.requests[0].headers == signed.headers)
    }

    @Test func `fields of the same names are replaced, and all values are sent`() async throws {
        let signing = RequestSigning { _, _ in
            var fields = HTTPHeaders()
            try fields.append("X-Proof", "a")
            try fields.append("X-Proof", "b")
            return fields
        }
        let request = try post("https://hooks/a", "").header("X-Proof", "stale")
        _ = try await mock.with(signing, signing).response(for: request)
        #expect(mock.requests[0].headers[values: "X-Proof"] == ["a", "b"])
    }

    @Test func `a body that is not in memory has no bytes for the scheme`() async throws {
        let signing = RequestSigning { request, _ in
            guard request.body.bytes == nil else { return ["X-Body": "memory"] }
            guard request.body.replay == .always else { return ["X-Body": "stream"] }
            return ["X-Body": try await HTTPDigest.computed(.sha256, of: request.body).hexadecimal]
        }
        let file = try TemporaryFile("abc")
        let source = ScriptedBodySource(["abc"])
        for body in [HTTPBody("abc"), try HTTPBody(file: file.path), HTTPBody(source: source)] {
            var request = try HTTPRequest(.put, "https://hooks/")
            request.body = body
            _ = try await mock.with(signing).response(for: request)
        }
        #expect(
            mock.requests.map { $0.headers["X-Body"] } == [
                "memory", HTTPDigest(.sha256, of: Data("abc".utf8)).hexadecimal, "stream",
            ])
        #expect(source.reads == 0)
    }

    /// An upload with progress has such a body.
    @Test func `a body that reports its progress is signed, and named, as the bytes that it has`()
        async throws
    {
        let reports = Record<Int64>()
        let signing = RequestSigning { request, _ in
            ["X-Body": try await HTTPDigest.computed(.sha256, of: request.body).hexadecimal]
        }
        var request = try HTTPRequest(.put, "https://hooks/")
        request.body = HTTPBody("abc").reportingProgress { bytes, _ in reports.add(bytes) }
            .reportingProgress { _, _ in }
        _ = try await mock.with(DigestFields(), signing).response(for: request)
        let digest = HTTPDigest(.sha256, of: Data("abc".utf8))
        #expect(mock.requests[0].headers["X-Body"] == digest.hexadecimal)
        #expect(mock.requests[0].headers.contentDigest == [digest])
        #expect(reports.entries == [], "reading for a signature is no progress")
        #expect(try await mock.requests[0].body.collect() == Data("abc".utf8))
        #expect(reports.entries == [3])
    }

    @Test func `a scheme that uses up the body fails before anything is sent`() async throws {
        let signing = RequestSigning { request, _ in
            ["X-Body": try await HTTPDigest.computed(.sha256, of: request.body).hexadecimal]
        }
        let request = try HTTPRequest(
            .put, "https://hooks/", body: HTTPBody(source: ScriptedBodySource(["abc"])))
        let error = await #expect(throws: HTTPError.self) {
            try await mock.with(signing).response(for: request)
        }
        #expect(error?.code == .invalidRequest && mock.requests.isEmpty)
    }

    @Test func `a scheme that throws, or is cancelled, sends nothing`() async throws {
        let throwing = RequestSigning { _, _ in throw Failure() }
        await #expect(throws: Failure.self) {
            try await mock.with(throwing).response(for: try post("https://hooks/", ""))
        }
        let (asked, answer) = (Gate(), Gate())
        let session = mock.with(
            RequestSigning { _, _ in
                asked.open()
                await answer.waitIgnoringCancellation()
                return [:]
            })
        let request = try post("https://hooks/", "")
        let task = Task { try await session.response(for: request) }
        try await asked.wait()
        task.cancel()
        answer.open()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(mock.requests.isEmpty)
    }

    @Test func `a field that cannot be sent fails when the request is sent`() async throws {
        let signing = RequestSigning { _, _ in ["X-Proof": "a\nb"] }
        let session = MockSession {
            _ = try $0.checkedTarget()
            return HTTPResponse(.ok, to: $0)
        }
        let error = await #expect(throws: HTTPError.self) {
            try await session.with(signing).response(for: try post("https://hooks/", ""))
        }
        #expect(error?.code == .invalidRequest && error?.message.contains("a\nb") == false)
    }

    // MARK: Where signatures go

    @Test func `signatures are secret, whatever their fields are called`() async throws {
        _ = try await mock.with(Self.plain()).response(for: try post("https://hooks/", ""))
        let headers = mock.requests[0].headers
        #expect(headers["X-Proof"] == "1" && headers.isSensitive("X-Proof"))
        #expect(!"\(headers)".contains("1"))
    }

    @Test(arguments: [true, false])
    func `another origin gets no signature, after a redirect or by itself`(
        isNamed: Bool
    ) async throws {
        let mock = MockSession { request in
            request.url.path() == "/away"
                ? HTTPResponse(
                    .temporaryRedirect, headers: [.location: "https://other/"], to: request)
                : HTTPResponse(.ok, to: request)
        }
        let home = try HTTPOrigin("https://hooks")
        let signing = Self.plain(for: isNamed ? home : nil)
        for session in [
            mock.with(Redirects(), signing, OriginGuard()),
            mock.with(signing, Redirects(), OriginGuard()), mock.with(signing, Redirects()),
        ] {
            _ = try await session.response(for: try post("https://hooks/away", "1"))
        }
        #expect(mock.requests.count { $0.url.host() == "other" } == 3)
        #expect(
            mock.requests.map { $0.headers["X-Proof"] } == ["1", nil, "1", nil, "1", nil])
        guard isNamed else { return }
        _ = try await mock.with(signing).response(for: try post("https://other/", "1"))
        #expect(mock.requests.last?.headers["X-Proof"] == nil)
    }

    @Test func `a signature for the origin that is named passes the guard`() async throws {
        let mock = MockSession { request in
            request.url.host() == "start"
                ? HTTPResponse(
                    .temporaryRedirect, headers: [.location: "https://hooks/"], to: request)
                : HTTPResponse(.ok, to: request)
        }
        let session = mock.with(
            Redirects(), Self.plain(for: try HTTPOrigin("https://hooks")), OriginGuard())
        _ = try await session.response(for: try post("https://start/", "1"))
        #expect(mock.requests.map { $0.headers["X-Proof"] } == [nil, "1"])
    }

    @Test func `a refresh is signed only if its origin is named`() async throws {
        for (origin, expected) in [
            (nil, [nil, "1"]), (try HTTPOrigin("https://hooks"), ["1", "1"]),
        ] as [(HTTPOrigin?, [String?])] {
            let mock = MockSession { HTTPResponse(.ok, to: $0) }
            let authentication = RefreshingAuthentication(
                for: try HTTPOrigin("https://hooks")
            ) { _, session in
                _ = try await session.response(for: try HTTPRequest("https://hooks/token"))
                return try .bearer("t")
            }
            let session = mock.with(authentication, Self.plain(for: origin), OriginGuard())
            _ = try await session.response(for: try post("https://hooks/", "1"))
            #expect(mock.requests.map { $0.headers["X-Proof"] } == expected)
        }
    }
}
