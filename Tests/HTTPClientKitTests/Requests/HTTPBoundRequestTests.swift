import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPBoundRequestTests {
    private struct User: Codable, Sendable, Equatable {
        var id: Int
        var name: String
    }

    private let ada = User(id: 1, name: "Ada")
    private let mock = MockSession { request in
        switch request.url.path {
        case "/missing":
            HTTPResponse(.notFound, body: HTTPBody("{\"id\":9,\"name\":\"no\"}"), to: request)
        case "/odd": HTTPResponse(.ok, body: HTTPBody("odd"), to: request)
        case "/problem":
            HTTPResponse(
                .forbidden, headers: [.contentType: "application/problem+json"],
                body: HTTPBody(
                    "{\"type\":\"https://e/out-of-credit\",\"title\":\"No credit\","
                        + "\"balance\":30}"),
                to: request)
        default:
            HTTPResponse(
                .ok, headers: [.contentType: "application/json"],
                body: HTTPBody("{\"id\":1,\"name\":\"Ada\"}"), to: request)
        }
    }
    private var client: HTTPClient {
        get throws { try HTTPClient(baseURL: "https://h/", transport: mock) }
    }

    // MARK: Limits

    /// A body of two bytes, the second of which comes when the gate opens.
    private static func slow(_ second: Gate) -> MockSession {
        MockSession { request in
            let count = Locked(0)
            let pieces = AsyncThrowingStream<Data, any Error> {
                let number = count.withLock {
                    $0 += 1; return $0
                }
                if number == 2 { try await second.wait() }
                return number < 3 ? Data("\n".utf8) : nil
            }
            return HTTPResponse(.ok, body: HTTPBody(pieces), to: request)
        }
    }

    @Test func `a limit lets a body be read as it arrives`() async throws {
        let second = Gate()
        let client = HTTPClient(transport: Self.slow(second))
        let first = try await client.get("https://h/").limit(2).withResponse { response in
            var pieces = response.body.makeAsyncIterator()
            let first = try await pieces.next()
            second.open()
            #expect(try await pieces.next()?.count == 1)
            #expect(try await pieces.next() == nil)
            return first
        }
        #expect(first?.count == 1)
    }

    @Test(arguments: [4, 5]) func `a limit holds for a body that has come with its head`(
        limit: Int
    ) async throws {
        let session = MockSession {
            HTTPResponse(.ok, body: HTTPBody(arrived: Data("12345".utf8)), to: $0)
        }
        let bound = HTTPClient(transport: session).get("https://h/").limit(limit)
        let whole = Locked(0)
        func read() async throws {
            try await bound.withResponse { response in
                let count = try await response.data().count
                whole.withLock { $0 = count }
            }
        }
        if limit == 5 {
            try await read()
            #expect(whole.withLock { $0 } == 5)
        } else {
            let error = await #expect(throws: HTTPError.self) { try await read() }
            #expect(error?.code == .bodyTooLarge)
        }
    }

    @Test(arguments: [1, 0])
    func `a body that is longer than its limit ends as it is read`(limit: Int) async throws {
        let second = Gate()
        second.open()
        let client = HTTPClient(transport: Self.slow(second))
        let bound = client.get("https://h/").limit(limit)
        let read = Locked(0)
        let errors = [
            await #expect(throws: HTTPError.self) {
                try await bound.withResponse { response in
                    for try await piece in response.body { read.withLock { $0 += piece.count } }
                }
            },
            await #expect(throws: HTTPError.self) { for try await _ in bound.lines {} },
            await #expect(throws: HTTPError.self) { try await bound.data() },
        ]
        #expect(errors.map { $0?.code } == Array(repeating: .bodyTooLarge, count: 3))
        #expect(read.withLock { $0 } == limit)
    }

    @Test(arguments: [true, false])
    func `a download that is longer than its limit is refused and leaves no file`(
        isLengthKnown: Bool
    ) async throws {
        let folder = try DownloadFolder()
        let mock = MockSession { request in
            let pieces = AsyncStream<Data> { pieces in
                for _ in 0..<10 { pieces.yield(Data(count: 10)) }
                pieces.finish()
            }
            return HTTPResponse(
                .ok, headers: [.eTag: #""v1""#],
                body: HTTPBody(pieces, length: isLengthKnown ? 100 : nil), to: request)
        }
        let bound = HTTPClient(transport: mock).get("https://h/f")
        let error = await #expect(throws: HTTPError.self) {
            try await bound.limit(99).download(to: folder.file())
        }
        #expect(error?.code == .bodyTooLarge)
        #expect(try folder.names.isEmpty)
        #expect(mock.requests.count == 1)
        #expect(try await bound.limit(100).download(to: folder.file()).length == 100)
    }

    // MARK: Methods and responses

    @Test func `each response type is one line, read inside the attempt`() async throws {
        let client = try client
        #expect(try await client.get("u/1").json(User.self) == ada)
        let inferred: User = try await client.get("u/1").json()
        #expect(inferred == ada)
        #expect(try await client.get("u/1").text() == "{\"id\":1,\"name\":\"Ada\"}")
        #expect(try await client.get("u/1").data().count == 21)
        #expect(try await client.get("u/1").response().status == .ok)
        #expect(try await client.get("u/1").value(String.self).count == 21)
        #expect(try await client.get("u/1").json(HTTPJSON.self)["name"]?.string == "Ada")
        #expect(
            mock.requests.allSatisfy {
                if case .buffered = $0.delivery { true } else { false }
            })
        let streamed = try await client.get("u/1").withResponse { try await $0.text() }
        #expect(streamed.count == 21)
        guard case .streamed = try #require(mock.requests.last).delivery else {
            Issue.record("a streamed response was buffered")
            return
        }
    }

    // MARK: The base itself

    @Test(arguments: [
        ("https://h/api", "https://h/api"), ("https://h/api/", "https://h/api/"),
        ("https://h", "https://h/"), ("https://h/?key=1", "https://h/"),
    ])
    func `an empty route names the base itself`(base: String, url: String) async throws {
        let client = try HTTPClient(baseURL: base, transport: mock)
        try await client.get("").response()
        try await client.post("", .text("x")).response()
        try await client.get("", query: ["q": "a b"]).response()
        try await client.get("").query("q", "a b").response()
        try await client.request(HTTPRequest(.get, "")).response()
        let urls = mock.requests.map { try? HTTPTarget($0.url).url }
        let target = try HTTPTarget(URL(strictly: url)).url
        let withQuery = target + "?q=a%20b"
        #expect(urls == [target, target, withQuery, withQuery, target])
    }

    @Test func `an empty route without a base is refused, and nothing is sent`() async throws {
        let client = HTTPClient(transport: mock)
        for line in [client.get(""), client.get("", query: ["q": 1]), mock.get("")] {
            let error = await #expect(throws: HTTPError.self) { try await line.response() }
            #expect(error?.code == .invalidRequest && error?.message.contains("URL") == true)
        }
        #expect(mock.requests.isEmpty)
    }

    // MARK: Empty bodies

    @Test(arguments: [HTTPStatus.ok, .created, .noContent, .resetContent])
    func `an empty body is no value, and nil where none is needed`(status: HTTPStatus) async throws
    {
        let empty = MockSession { HTTPResponse(status, to: $0) }
        let client = try HTTPClient(baseURL: "https://h/", transport: empty)
        let calls: [() async throws -> User] = [
            { try await client.get("u").json() }, { try await client.head("u").json() },
            { try await HTTPRequest(.get, "https://h/u").fetch(client, User.self) },
            { try await HTTPRequest(.get, "https://h/u").run(User.self, in: client).value },
            { try await client.response(User.self, for: "u") },
            { try await client.get("u").answer(User.self, orError: HTTPJSON.self).get() },
            { try await client.get("u").response().json() },
        ]
        for (index, call) in calls.enumerated() {
            let error = await #expect(throws: HTTPError.self, "\(index)") { _ = try await call() }
            #expect(error?.code == .emptyResponse, "\(index): \(error as Any)")
            #expect(error?.response?.status == status && error?.bodyPrefix?.isEmpty == true)
            #expect(error?.message.contains("User") == true)
        }
        let optionals: [() async throws -> User?] = [
            { try await client.get("u").json(User?.self) },
            { try await client.head("u").json(User?.self) },
            { try await HTTPRequest(.get, "https://h/u").fetch(client, User?.self) },
            { try await HTTPRequest(.get, "https://h/u").run(User?.self, in: client).value },
            { try await client.response(User?.self, for: "u") },
            { try await client.get("u").answer(User?.self, orError: HTTPJSON.self).get() },
            { try await client.get("u").response().json(User?.self) },
        ]
        for call in optionals { #expect(try await call() == nil) }
        #expect(try await client.get("u").text().isEmpty)
        #expect(try await client.get("u").data().isEmpty)
        #expect(try await client.get("u").response().decoded { $0.count } == 0)
    }

    @Test func `an existing optional value is decoded, and null is nil`() async throws {
        let client = try client
        #expect(try await client.get("u/1").json(User?.self) == ada)
        let null = MockSession { HTTPResponse(.ok, body: HTTPBody("null"), to: $0) }
        #expect(try await null.get("https://h/").json(User?.self) == nil)
        let error = await #expect(throws: HTTPError.self) {
            _ = try await client.get("odd").json(User?.self)
        }
        #expect(error?.code == .decodingFailed)
    }

    @Test func `each method is one line`() async throws {
        let client = try client
        let lines = [
            client.get("u"), client.head("u"), client.options("u"), client.delete("u"),
            client.post("u"), client.put("u"), client.patch("u"), client.request("PURGE", "u"),
        ]
        for line in lines { try await line.response() }
        #expect(
            mock.requests.map(\.method) == [
                .get, .head, .options, .delete, .post, .put, .patch, "PURGE",
            ])
    }

    @Test func `each body is one line`() async throws {
        let client = try client
        let form = try MultipartForm(boundary: "edge")
        let lines: [(HTTPBoundRequest, String?, String?)] = [
            (client.post("u", json: ada), "application/json", "{\"id\":1,\"name\":\"Ada\"}"),
            (client.put("u", json: [1, 2]), "application/json", "[1,2]"),
            (client.patch("u", json: "x"), "application/json", "\"x\""),
            (
                client.post("u", .json(["a": 1, "b": "c"] as [String: Any])), "application/json",
                "{\"a\":1,\"b\":\"c\"}"
            ),
            (
                client.post("u", .form(["a": "b c"])),
                "application/x-www-form-urlencoded", nil
            ),
            (
                client.post("u", .form(propertiesOf: ada)),
                "application/x-www-form-urlencoded", nil
            ),
            (client.put("u", .text("hi")), "text/plain; charset=utf-8", "hi"),
            (client.put("u", .data(Data("hi".utf8))), nil, "hi"),
            (client.put("u", .body(HTTPBody("hi"), contentType: .json)), "application/json", "hi"),
            (client.post("u", .multipart(form)), "multipart/form-data; boundary=edge", nil),
            (
                client.post("u", .content(FormURLEncoded(["a": 1]))),
                "application/x-www-form-urlencoded", "a=1"
            ),
            (client.post("u"), nil, ""),
        ]
        for (line, contentType, body) in lines {
            try await line.response()
            let sent = try #require(mock.requests.last)
            #expect(sent.headers[.contentType] == contentType)
            if let body { #expect(try await sent.body.collect() == Data(body.utf8)) }
        }
    }

    // MARK: Descriptions

    @Test(.rows("S3-1"))
    func `a request is a description, sent once for each requested response`()
        async throws
    {
        let line = try client.get("u/1").header("X-A", "1").query("q", 2).query(["p": 1])
            .maxRetries(2)
        #expect(mock.requests.isEmpty)
        try await line.response()
        try await line.response()
        #expect(
            mock.requests.map(\.url.absoluteString)
                == .init(repeating: "https://h/u/1?p=1", count: 2))
        #expect(mock.requests.map { $0.headers["X-A"] } == ["1", "1"])
    }

    @Test(.rows("S1-1"), arguments: ["https://a b/", "https://h/%zz", "http:///x"])
    func `an invalid URL is thrown when a response is requested`(text: String) async throws {
        let line = try client.get(text)
        let error = await #expect(throws: HTTPError.self) { try await line.response() }
        #expect(error?.code == .invalidRequest)
        #expect(mock.requests.isEmpty)
    }

    @Test func `a value without JSON is thrown when a response is requested, and nothing is sent`()
        async throws
    {
        let line = try client.post("u", json: [Double.infinity])
        let error = await #expect(throws: HTTPError.self) { try await line.response() }
        #expect(error?.code == .encodingFailed)
        #expect(mock.requests.isEmpty)
    }

    @Test(.rows("S1-1", "S1-2", "S1-3"))
    func `strings, URLs and templates are requests, raw or decoded`() async throws {
        let client = try client
        let text = "https://h/u/1"
        #expect(try await HTTPRequest(text).fetch(client).status == .ok)
        #expect(try await HTTPRequest(text).fetch(client, String.self).count == 21)
        #expect(try await client.response(User.self, for: #require(URL(string: text))) == ada)
        let template = try HTTPRequest(template: URITemplate("u/{id}"), variables: ["id": 1])
        #expect(try await template.fetch(client, User.self) == ada)
        #expect(try await client.request(template).json(User.self) == ada)
        #expect(mock.requests.allSatisfy { $0.url.absoluteString == text && $0.method == .get })
    }

    // MARK: Settings

    @Test func `each setting does the same as that of a request`() async throws {
        enum Mark: HTTPRequestOption { static var defaultValue: Int { 0 } }
        let client = try client
        try await client.get("u")
            .headers { $0["X-A"] = "1" }
            .query("b", [true]).addingQuery("b", 2)
            .queryEncoding(QueryEncoding(array: .noBrackets, bool: .asLiterals))
            .timeouts(HTTPTimeouts(connect: .seconds(1))).timeout(.seconds(2))
            .idempotencyKey("key").redirects(.manual).coalescing(.dropIfDuplicated)
            .cachePolicy(.reload).priority(.high).version(.http1_1).limit(99)
            .modify { $0.headers["X-M"] = "2" }
            .option(Mark.self, 3)
            .response()
        let sent = try #require(mock.requests.last)
        #expect(sent.headers["X-A"] == "1" && sent.headers["X-M"] == "2")
        #expect(sent.url.absoluteString == "https://h/u?b=true&b=2")
        #expect(sent.timeouts == HTTPTimeouts(connect: .seconds(1), total: .seconds(2)))
        #expect(sent.headers["Idempotency-Key"] == "key")
        #expect(sent.coalescing == .dropIfDuplicated && sent.priority == .high)
        #expect(sent.cachePolicy == .reload && sent.version == .http1_1)
        #expect(sent.delivery == .buffered(upTo: 99) && sent[Mark.self] == 3)
        guard case .manual = sent.redirectMode else {
            Issue.record("\(String(describing: sent.redirectMode))")
            return
        }
    }

    @Test func `a setting that throws is thrown when a response is requested`() async throws {
        let line = try client.get("u").headers { try $0.append("X", "a\nb") }
        let error = await #expect(throws: HTTPError.self) { try await line.response() }
        #expect(error?.code == .invalidRequest && mock.requests.isEmpty)
    }

    @Test func `a deadline begins with each call, and all calls have one idempotency key`()
        async throws
    {
        let line = try client.post("u").deadline(in: .seconds(100)).idempotencyKey()
        try await line.response()
        try await line.response()
        let (first, second) = (mock.requests[0], mock.requests[1])
        let (one, two) = (try #require(first.deadline), try #require(second.deadline))
        #expect(one < two)
        #expect(try #require(line.httpRequest.deadline) > two)
        #expect(first.headers["Idempotency-Key"] == second.headers["Idempotency-Key"])
        #expect(first.headers.contains("Idempotency-Key"))
    }

    @Test func `a deadline begins with each call of what was made from a description`()
        async throws
    {
        let folder = try DownloadFolder()
        let events = MockSession { request in
            HTTPResponse(
                .ok, headers: [.contentType: "text/event-stream", .eTag: "\"1\""],
                body: HTTPBody("data: x\n\n"), to: request)
        }
        let line = events.get("https://h/u").deadline(in: .seconds(100))
        let other = events.request(line)
        let (pipeline, pages) = (events.pipeline(for: line), try events.pages(of: line))
        let file = events.pipeline(for: line, downloadingTo: folder.file())
        var options = HTTPEventSourceOptions()
        options.reconnection = .never
        let source = try line.events(options: options)
        let task = events.downloadTask(line, to: folder.file("other"))
        var last = try #require(line.httpRequest.deadline)
        let calls: [() async throws -> Void] = [
            { _ = try await other.response() }, { _ = try await pipeline.value() },
            { for try await _ in pages {} }, { _ = try await file.value() },
            { for try await _ in source {} },
        ]
        for call in calls + calls + [{ _ = try await task.run().value }] {
            try await call()
            let deadline = try #require(events.requests.last?.deadline)
            #expect(deadline > last)
            last = try #require(line.httpRequest.deadline)
        }
        #expect(events.requests.count == 2 * calls.count + 1)
    }

    // MARK: Progress

    @Test func `progress is reported for the upload, then for the download`() async throws {
        let echo = MockSession { request in
            let body = try await request.body.collect(upTo: 1 << 20)
            return HTTPResponse(.ok, body: HTTPBody(body), to: request)
        }
        let bytes = Data(repeating: 7, count: 200_000)
        let streamed = HTTPBody(length: 200_000, restarting: { Pieces(bytes) })
        for body in [HTTPBody(bytes), streamed, HTTPBody(Data(repeating: 7, count: 1000))] {
            let reports = Locked<[HTTPTransferProgress]>([])
            let other = Locked(0)
            let line = echo.put("https://h/u", .body(body))
                .onProgress { report in reports.withLock { $0.append(report) } }
                .onProgress { _ in other.withLock { $0 += 1 } }
            for round in 0..<2 {
                reports.withLock { $0 = [] }
                switch round {
                case 0: try await line.response()
                default: _ = try await line.withResponse { try await $0.data() }
                }
                let reports = reports.withLock { $0 }
                let kinds = reports.map(\.kind)
                #expect(kinds == kinds.filter { $0 == .upload } + kinds.filter { $0 == .download })
                for kind in [HTTPTransferProgress.Kind.upload, .download] {
                    let own = reports.filter { $0.kind == kind }
                    #expect(own.map(\.bytes) == own.map(\.bytes).sorted())
                    // A response in memory at its head has arrived: nothing is left to report.
                    guard kind == .upload || round > 0 else { continue }
                    #expect(own.last?.fraction == 1 && own.last?.bytes == body.length, "\(round)")
                }
            }
            #expect(other.withLock { $0 } > 0)
        }
    }

    @Test func `a small body stays in memory, although its progress is reported`() async throws {
        let client = try client
        try await client.post("u", json: ada).onProgress { _ in }.response()
        #expect(mock.requests.last?.body.bytes?.count == 21)
    }

    @Test func `a download in one line reports its progress`() async throws {
        let folder = try DownloadFolder()
        let reports = Locked<[HTTPTransferProgress]>([])
        let download = try await client.get("u/1")
            .onProgress { report in reports.withLock { $0.append(report) } }
            .download(to: folder.file())
        #expect(download.length == 21)
        #expect(reports.withLock { $0.last?.fraction } == 1)
    }

    private struct Pieces: AsyncSequence, Sendable {
        let bytes: Data
        init(_ bytes: Data) { self.bytes = bytes }

        struct AsyncIterator: AsyncIteratorProtocol {
            var rest: Data
            mutating func next() async throws -> Data? {
                guard !rest.isEmpty else { return nil }
                let piece = Data(rest.prefix(10_000))
                rest = rest.dropFirst(10_000)
                return piece
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: bytes) }
    }

    // MARK: Decoding

    @Test(.rows("S0-39"))
    func `fetch honours its decoder`() async throws {
        struct Named: Decodable, Sendable { var userName: String }
        let mock = MockSession {
            HTTPResponse(.ok, body: HTTPBody("{\"user_name\":\"Ada\"}"), to: $0)
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let named = try await HTTPRequest("https://h/").fetch(mock, Named.self, decoder: decoder)
        #expect(named.userName == "Ada")
        #expect(
            try await mock.get("https://h/").json(Named.self, decoder: decoder).userName == "Ada")
    }

    @Test(.rows("S1-8"))
    func `a refused response is thrown as such even if its body would decode`() async throws {
        let error = await #expect(throws: HTTPError.self) {
            try await client.get("missing").json(User.self)
        }
        #expect(error?.code == .unexpectedStatus)
        #expect(error?.status == .notFound)
    }

    @Test(.rows("S1-8"))
    func `a body of another type is a failure to decode, with its bytes`() async throws {
        let error = await #expect(throws: HTTPError.self) {
            try await client.get("odd").json(User.self)
        }
        #expect(error?.code == .decodingFailed)
        #expect(error?.bodyPrefix == Data("odd".utf8))
        #expect(error?.underlyingError is DecodingError)
    }

    @Test func `services with error bodies are one line, too`() async throws {
        let answer = try await client.get("missing").answer(String.self, orError: User.self)
        guard case .errorResponse(let user, let error) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(user.id == 9)
        #expect(error.status == .notFound)
    }

    // MARK: RFC 9457

    @Test func `a problem is read from the error`() async throws {
        let error = await #expect(throws: HTTPError.self) {
            try await client.get("problem").json(User.self)
        }
        let problem = try #require(error?.problemDetails)
        #expect(problem.type == "https://e/out-of-credit")
        #expect(problem.title == "No credit")
        #expect(problem.extensions["balance"]?.int == 30)
        #expect(error.map { "\($0)".contains("credit") } == false)
        let other = await #expect(throws: HTTPError.self) {
            try await client.get("missing").json(User.self)
        }
        #expect(other?.problemDetails == nil)
    }

    // MARK: Chaining

    @Test(.rows("S1-9", "S1-12", "S1-13", "S1-14"))
    func `chaining makes copies and leaves the original alone`() async throws {
        let client = try client
        let plain = client.get("u")
        let rich = plain.header("X-A", "1").timeout(.seconds(2)).with {
            $0.method(.put).headers { $0["X-B"] = "2" }
        }
        try await plain.response()
        try await rich.response()
        let (a, b) = (mock.requests[0], mock.requests[1])
        #expect(a.method == .get && a.headers.isEmpty && a.timeouts.total == .standard)
        #expect(b.method == .put && b.headers["x-a"] == "1" && b.headers["X-B"] == "2")
        #expect(b.timeouts.total == .after(.seconds(2)))
        try await rich.header("X-A", nil).response()
        #expect(!mock.requests[2].headers.contains("X-A"))
    }
}
