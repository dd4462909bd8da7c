import Dispatch
import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// The samples of IndomioHTTP's "HTTP Request".
@Suite(.timeLimit(.minutes(5))) struct IndomioHTTPSamplesTests {
    private struct User: Codable, Equatable, Sendable {
        var userID: String
        var name: String
        var email: String
    }

    private let markJSON = #"{"userID":"7","name":"Mark","email":"mark@h"}"#
    private let mark = User(userID: "7", name: "Mark", email: "mark@h")

    private func answering(_ body: String) -> MockSession {
        MockSession { HTTPResponse(.ok, body: HTTPBody(body), to: $0) }
    }

    private func client(_ transport: any HTTPSession) throws -> HTTPClient {
        try HTTPClient(baseURL: "https://myws.com/service/v2", transport: transport)
    }

    /// The bytes of the one request that was sent.
    private func body(_ mock: MockSession) async throws -> String {
        #expect(mock.requests.count == 1)
        let bytes = try await #require(mock.requests.first).body.collect()
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: A request

    @Test(.rows("S1-1", "S1-2", "S1-26", "S1-33"))
    func `a string is a request, and its response is observed`() async throws {
        let mock = answering("hello")
        let printed = Record<String>()
        try HTTPRequest("https://httpbin.org/get").run(in: mock).onResponse { outcome in
            let bytes = try? outcome.get().body.bytes
            printed.add(String(decoding: bytes ?? Data(), as: UTF8.self))
        }
        try await printed.wait(for: 1)
        #expect(printed.entries == ["hello"])
        #expect(mock.requests.map(\.method) == [.get])
        #expect(mock.requests.map(\.url.absoluteString) == ["https://httpbin.org/get"])
    }

    // MARK: Routes

    @Test(
        .rows("S1-3", "S1-4"),
        arguments: ["new/joke", "/new/joke", "https://official-joke-api.appspot.com/new/joke"])
    func `a route is composed with the client's base, an absolute one is not`(
        route: String
    ) async throws {
        let mock = answering("")
        let client = try HTTPClient(
            baseURL: "https://official-joke-api.appspot.com", transport: mock)
        let request = try HTTPRequest(.post, route)
        _ = try await request.run(in: client).value
        #expect(mock.requests.map(\.method) == [.post])
        #expect(
            mock.requests.map(\.url.absoluteString)
                == ["https://official-joke-api.appspot.com/new/joke"])
    }

    // MARK: Templates

    @Test(.rows("S1-3", "S1-5"))
    func `a URI template is expanded`() async throws {
        let mock = answering("")
        let request = try HTTPRequest(
            .get, template: "http://www.apple.com/{type}/{value}",
            variables: ["type": "mac", "value": 15])
        _ = try await request.run(in: mock).value
        #expect(mock.requests.map(\.url.absoluteString) == ["http://www.apple.com/mac/15"])
    }

    // MARK: Decoding

    private struct MissingField: Error, Equatable {
        var name: String
    }

    /// A type made by hand from the service's response.
    private struct Agent: HTTPResponseConvertible, Equatable {
        let userID: String
        let name: String
        let email: String

        static func convert(from response: HTTPResponse) async throws -> Agent {
            let json = try HTTPJSON(parsing: try await response.data())
            guard let userID = json["userid"]?.string else { throw MissingField(name: "userid") }
            return Agent(
                userID: userID, name: json["name"]?.string ?? "",
                email: json["email"]?.string ?? "")
        }
    }

    @Test(.rows("S1-6"))
    func `a type is made from the response, or says why not`() async throws {
        let request = try HTTPRequest("https://h/agents/7")
        let agent = try await request.run(
            Agent.self, in: answering(#"{"userid":"7","name":"Mark"}"#)
        ).value
        #expect(agent == Agent(userID: "7", name: "Mark", email: ""))
        let task = request.run(Agent.self, in: answering("{}"))
        await #expect(throws: MissingField(name: "userid")) { try await task.value }
        #expect(try task.response?.get().status == .ok)
    }

    // MARK: Codable types

    @Test(.rows("S1-7"))
    func `a codable type is decoded by itself`() async throws {
        let mock = answering(markJSON)
        let told = Record<String>()
        try HTTPRequest(.post, "agents/login")
            .json(["user": "mark", "pwd": "pass"])
            .run(User.self, in: client(mock))
            .onResult { result in
                switch result {
                case .success(let user): told.add("Logged as \(user.email)")
                case .failure(let error): told.add("Failed with error: \(error)")
                }
            }
        try await told.wait(for: 1)
        #expect(told.entries == ["Logged as mark@h"])
        #expect(try await body(mock) == #"{"pwd":"pass","user":"mark"}"#)
    }

    // MARK: Failures

    @Test(.rows("S1-8"))
    func `a failure is reported as it is, whatever the body would decode as`() async throws {
        let json = markJSON
        let mock = MockSession {
            HTTPResponse(.internalServerError, body: HTTPBody(json), to: $0)
        }
        let told = Record<HTTPError.Code?>()
        try HTTPRequest("agents/7").run(User.self, in: client(mock)).onResult { result in
            guard case .failure(let error) = result else { return told.add(nil) }
            told.add((error as? HTTPError)?.code)
        }
        try await told.wait(for: 1)
        #expect(told.entries == [.unexpectedStatus])
    }

    // MARK: Configuration

    @Test(.rows("S1-9", "S1-10", "S1-11"))
    func `a request is configured in a chain, of which each link is a copy`() async throws {
        let failures = Locked(3)
        let json = markJSON
        let mock = MockSession { request in
            let fails = failures.withLock { left in
                left -= 1
                return left >= 0
            }
            if fails { throw HTTPError(.cannotConnect, "no listener") }
            return HTTPResponse(.ok, body: HTTPBody(json), to: request)
        }
        let bare = try HTTPRequest("/")
        let request =
            try bare
            .method(.post)
            .maxRetries(3)
            .timeout(.seconds(10))
            .route("/agents/login")
            .json(["username": "mark", "password": "pass"])
        #expect(try await request.run(User.self, in: client(mock)).value == mark)
        #expect(mock.requests.count == 4)
        for request in mock.requests {
            #expect(request.method == .post)
            #expect(request.url.absoluteString == "https://myws.com/service/v2/agents/login")
            #expect(request.timeouts.total == .after(.seconds(10)))
            #expect(request.headers[.contentType] == "application/json")
            #expect(
                request.body.bytes == Data(#"{"password":"pass","username":"mark"}"#.utf8))
        }
        #expect(bare.method == .get && bare.maxRetries == nil && bare.headers.isEmpty)
    }

    // MARK: Fields

    @Test(.rows("S1-12", "S1-13", "S1-14"))
    func `fields are set one by one, or in a closure`() async throws {
        let mock = answering("")
        let request = try HTTPRequest("https://h/")
        let oneByOne =
            request
            .header(.acceptLanguage, "it-it")
            .header(.userAgent, "my-agent")
            .header("X-MyHeader", "SomeValue")
        let inClosure = request.headers {
            $0[.acceptLanguage] = "it-it"
            $0[.userAgent] = "my-agent"
            $0["X-MyHeader"] = "SomeValue"
        }
        _ = try await oneByOne.run(in: mock).value
        _ = try await inClosure.run(in: mock).value
        let expected: HTTPHeaders = [
            .acceptLanguage: "it-it", .userAgent: "my-agent", "x-myheader": "SomeValue",
        ]
        #expect(mock.requests.map(\.headers) == [expected, expected])
    }

    // MARK: Query

    @Test(.rows("S1-15", "S1-16", "S1-17"))
    func `query parameters are encoded into the URL, of a POST as well`() async throws {
        let mock = answering("")
        let date = Date(timeIntervalSince1970: 1_628_862_942)
        let request = try HTTPRequest(.post, "/search")
            .query(["type": "poi", "max": 5, "date": date, "disabled": false])
        _ = try await request.run(in: client(mock)).value
        #expect(
            mock.requests.map(\.url.absoluteString) == [
                "https://myws.com/service/v2/search"
                    + "?date=2021-08-13%2013%3A55%3A42%20%2B0000&disabled=0&max=5&type=poi"
            ])
        #expect(try await body(mock) == "")
    }

    // MARK: Styles

    @Test(.rows("S1-18"))
    func `arrays and booleans are encoded in the chosen style, in either order`()
        throws
    {
        let request = try HTTPRequest(.post, "/search")
        let parameters: [String: Any?] = ["ids": [1, 2], "open": true]
        let styled = "/search?ids=1&ids=2&open=true"
        let style = QueryEncoding(array: .noBrackets, bool: .asLiterals)
        #expect(
            request.query(parameters).url.absoluteString
                == "/search?ids%5B%5D=1&ids%5B%5D=2&open=1")
        #expect(
            request.query(parameters)
                .queryEncoding(style)
                .url.absoluteString == styled)
        #expect(
            request.queryEncoding(style)
                .query(parameters).url.absoluteString == styled)
    }

    // MARK: Content

    private struct Login: Codable {
        var username: String
        var pwd: String
    }

    // MARK: JSON

    @Test(.rows("S1-19", "S1-20"))
    func `JSON is made of a dictionary of anything, or of a codable type`() async throws {
        let (mixed, typed) = (answering(""), answering(""))
        _ = try await HTTPRequest(.post, "https://h/")
            .json(["username": "mark", "attempt": 2, "remember": true])
            .run(in: mixed).value
        let user = Login(username: "markdelillo", pwd: "mypass")
        _ = try await HTTPRequest(.post, "https://h/").json(user).run(in: typed).value
        #expect(try await body(mixed) == #"{"attempt":2,"remember":true,"username":"mark"}"#)
        #expect(try await body(typed) == #"{"pwd":"mypass","username":"markdelillo"}"#)
        #expect(mixed.requests[0].headers[.contentType] == "application/json")
    }

    // MARK: Forms

    @Test(.rows("S1-21"))
    func `a form is encoded as the query is`() async throws {
        let mock = answering("")
        _ = try await HTTPRequest(.post, "https://h/")
            .formURLEncoded(["username": "a b", "password": "p&q=1+", "p": 1, "p2": 3])
            .run(in: mock).value
        #expect(try await body(mock) == "p=1&p2=3&password=p%26q%3D1%2B&username=a%20b")
        #expect(
            mock.requests[0].headers[.contentType]
                == "application/x-www-form-urlencoded")
    }

    // MARK: Multipart forms

    @Test(.rows("S1-22", "S1-23"))
    func `a multipart form has files, text, bytes and streams`() async throws {
        let folder = try DownloadFolder()
        try folder.write("pixels".utf8, to: "shot.png")
        let mock = answering("")
        let request = try HTTPRequest(.post, "https://h/report").multipart(boundary: "edge") {
            try $0.add(file: folder.file("shot.png"), name: "screenshot")
            $0.add("bug", name: "report_type")
            try $0.add(Data("raw".utf8), name: "binary_data")
            try $0.add(
                HTTPBody(length: 4) {
                    AsyncStream { pieces in
                        pieces.yield(Data("flow".utf8))
                        pieces.finish()
                    }
                }, name: "blob")
        }
        _ = try await request.run(in: mock).value
        let text = try await body(mock)
        #expect(
            text.split(separator: "\r\n", omittingEmptySubsequences: false) == [
                "--edge",
                #"Content-Disposition: form-data; name="screenshot"; filename="shot.png""#,
                "Content-Type: image/png", "", "pixels", "--edge",
                #"Content-Disposition: form-data; name="report_type""#, "", "bug", "--edge",
                #"Content-Disposition: form-data; name="binary_data""#, "", "raw", "--edge",
                #"Content-Disposition: form-data; name="blob""#, "", "flow", "--edge--", "",
            ])
        #expect(
            mock.requests[0].headers[.contentType] == "multipart/form-data; boundary=edge")
        #expect(request.body.length == Int64(text.utf8.count))
    }

    // MARK: The last change

    @Test(.rows("S1-25"))
    func `the last change is made to the request as it is sent, each time`() async throws {
        let mock = MockSession { HTTPResponse(.tooManyRequests, to: $0) }
        let count = Locked(0)
        let clock = BriskClock()
        let client = try HTTPClient(
            baseURL: "https://h/", transport: mock, headers: ["X-Key": "default"]
        ) { $0.clock = clock }
        let request = try HTTPRequest("x").maxRetries(1).modify { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            request.headers["X-Signature"] = "\(request.headers["X-Key"] ?? "none") \(number)"
        }
        let error = await #expect(throws: HTTPError.self) {
            try await request.run(in: client).value
        }
        #expect(error?.status == .tooManyRequests)
        #expect(mock.requests.map { $0.headers["X-Signature"] } == ["default 1", "default 2"])
    }

    // MARK: Waiting

    @Test(.rows("S1-27"))
    func `a thread waits for its answer`() async throws {
        let mock = answering(markJSON)
        let request = try HTTPRequest("https://h/agents/7")
        let user = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "script").async {
                continuation.resume(
                    with: Result { () throws -> User in try request.runSync(User.self, in: mock) })
            }
        }
        #expect(user == mark)
    }

    // MARK: Cancelling

    @Test(.rows("S1-29"))
    func `a request is cancelled while it is under way, and observers are called`()
        async throws
    {
        let held = HeldSession()
        let told = Record<Bool>()
        let largeDownload = try HTTPRequest("https://speed.hetzner.de/100MB.bin").run(in: held)
            .onResponse { outcome in
                guard case .failure(let error) = outcome else { return told.add(false) }
                told.add(error is CancellationError)
            }
        try await held.asked.wait()
        largeDownload.cancel()
        try await told.wait(for: 1)
        #expect(told.entries == [true])
        await #expect(throws: CancellationError.self) { try await largeDownload.value }
        try await held.cancelled.wait()
        let resumeData = await largeDownload.cancelProducingResumeData()
        #expect(resumeData == nil, "a response in memory cannot be resumed")
    }

    // MARK: Resuming

    @Test(.rows("S1-30", "S1-31"))
    func `a download that was cancelled is taken up again where it was`() async throws {
        let folder = try DownloadFolder()
        let held = Gate()
        let mock = MockSession { request in
            guard request.headers.range != nil else {
                let source = HeldBody([(nil, Data("hello".utf8)), (held, Data(" world".utf8))])
                return HTTPResponse(
                    .ok, headers: [.eTag: #""v1""#],
                    body: HTTPBody(source: source, length: 11), to: request)
            }
            return HTTPResponse(
                .partialContent,
                headers: [.eTag: #""v1""#, .contentRange: "bytes 5-10/11"],
                body: HTTPBody(" world"), to: request)
        }
        let url = "https://speed.hetzner.de/100MB.bin"
        let begun = Gate()
        let path = folder.file()
        let largeDownload = Task {
            try await mock.download(url, to: path) { if $0.bytes == 5 { begun.open() } }
        }
        try await begun.wait()
        largeDownload.cancel()
        await #expect(throws: CancellationError.self) { try await largeDownload.value }

        let resumableData = try #require(HTTPResumeData(downloadTo: path))
        #expect(resumableData.bytes == 5)
        #expect(resumableData.length == 11)
        let kept = try JSONEncoder().encode(resumableData)
        let later = try JSONDecoder().decode(HTTPResumeData.self, from: kept)
        let told = Locked([HTTPTransferProgress]())
        let download = try await mock.download(url, resuming: later) { progress in
            told.withLock { $0.append(progress) }
        }
        #expect(download.resumedOffset == 5)
        #expect(told.withLock { $0.allSatisfy { $0.resumedOffset == 5 } })
        #expect(told.withLock { $0.last?.fraction } == 1)
        #expect(try folder.bytes() == Array("hello world".utf8))
        #expect(mock.requests.map { $0.headers[.range] } == [nil, "bytes=5-"])
        #expect(mock.requests.last?.headers[.ifRange] == #""v1""#)
    }

    // MARK: Observing

    /// Responds with a body that arrives in two pieces.
    private var inPieces: MockSession {
        let text = markJSON
        return MockSession { request in
            let bytes = Data(text.utf8)
            let source = HeldBody([(nil, bytes.prefix(9)), (nil, bytes.dropFirst(9))])
            return HTTPResponse(
                .ok, body: HTTPBody(source: source, length: Int64(bytes.count)), to: request)
        }
    }

    @Test(.rows("S1-32", "S1-33"))
    func `result, response and progress are observed`() async throws {
        let told = Record<String>()
        try HTTPTask(User.self, for: HTTPRequest("agents/7"), in: client(inPieces))
            .onResult { result in told.add("result \((try? result.get().name) ?? "none")") }
            .onResponse { raw in told.add("status \((try? raw.get().status.code) ?? 0)") }
            .onProgress { progress in told.add("progress \(progress.fraction ?? -1)") }
            .run()
        try await told.wait { $0.contains("result Mark") && $0.contains("status 200") }
        #expect(told.entries.suffix(2) == ["result Mark", "status 200"])
        #expect(told.entries.dropLast(2).last == "progress 1.0")
    }

    // MARK: Instead of publishers

    @Test(.rows("S1-34", "B-12"))
    func `values and progress are awaited in the place of publishers`() async throws {
        let task = try HTTPRequest("agents/7").run(User.self, in: client(inPieces))
        var last: HTTPTransferProgress?
        for await progress in task.progress { last = progress }
        #expect(last?.kind == .download)
        #expect(last?.fraction == 1)
        #expect(try await task.value == mark)
        #expect(try task.response?.get().status == .ok)
    }

    // MARK: Large content

    /// Reads the request's body, as a transport would.
    private let receiving = MockSession { request in
        let bytes = try await request.body.collect()
        return HTTPResponse(.ok, body: HTTPBody(bytes), to: request)
    }

    // MARK: Large data

    @Test(.rows("S1-24", "S1-40", "S1-41"))
    func `the sending of much data is watched`() async throws {
        let data = Data(repeating: 7, count: 200 << 10)
        let told = Record<HTTPTransferProgress>()
        let (begun, over) = (Gate(), Gate())
        let session = MockSession { request in
            let bytes = try await request.body.collect()
            try await begun.wait()  // a reader that begins at the end sees only the end
            return HTTPResponse(.ok, body: HTTPBody(bytes), to: request)
        }
        let task = HTTPTask(
            Data.self, for: try HTTPRequest(.post, "https://h/").data(data), in: session
        )
        .onProgress { progress in
            told.add(progress)
            begun.open()
        }
        .onResult { _ in over.open() }
        #expect(try await task.run().value == data)
        try await over.wait()
        let last = try #require(told.entries.last { $0.kind == .upload })
        #expect(last == HTTPTransferProgress(.upload, bytes: 200 << 10, length: 200 << 10))
    }

    // MARK: Files in forms

    @Test(.rows("S1-40"))
    func `a form sends a file that is never in memory as a whole`() async throws {
        let folder = try DownloadFolder()
        let bytes = LoopbackPattern.bytes(0..<300_000)
        try folder.write(bytes, to: "film.bin")
        let request = try HTTPRequest(.post, "https://h/").multipart(boundary: "edge") {
            try $0.add(
                HTTPBody(file: folder.file("film.bin")), name: "film",
                headers: [.contentType: "video/mp4"])
        }
        #expect(request.body.bytes == nil)
        #expect(request.body.replay == .always)
        let sent = try await request.run(Data.self, in: receiving).value
        let head = Data(
            ("--edge\r\nContent-Disposition: form-data; name=\"film\"\r\n"
                + "Content-Type: video/mp4\r\n\r\n").utf8)
        #expect(sent == head + bytes + Data("\r\n--edge--\r\n".utf8))
    }

    // MARK: Files

    @Test(.rows("S1-24", "S1-40", "S1-41"))
    func `a file is sent as it is read`() async throws {
        let folder = try DownloadFolder()
        let bytes = LoopbackPattern.bytes(0..<300_000)
        try folder.write(bytes, to: "bigFile.txt")
        let told = Locked([HTTPTransferProgress]())
        let response = try await receiving.upload(
            file: folder.file("bigFile.txt"), with: try HTTPRequest(.post, "https://h/")
        ) { progress in
            told.withLock { $0.append(progress) }
        }
        #expect(try await response.data() == Data(bytes))
        let steps = told.withLock { $0 }
        #expect(steps.allSatisfy { $0.kind == .upload && $0.length == 300_000 })
        #expect(steps.last?.fraction == 1)
    }

    // MARK: Resources

    @Test(.rows("S1-37", "S1-38", "S1-41"))
    func `a resource is loaded to a file, and its progress watched`() async throws {
        let folder = try DownloadFolder()
        let told = Locked([Double?]())
        let session = inPieces
        let download = try await session.download(
            "https://speed.hetzner.de/100MB.bin", to: folder.file("100MB.bin")
        ) { progress in
            told.withLock { $0.append(progress.fraction) }
        }
        #expect(try folder.bytes(of: "100MB.bin") == Array(markJSON.utf8))
        #expect(download.length == Int64(markJSON.utf8.count))
        #expect(download.resumedOffset == nil)
        let fractions = told.withLock { $0.compactMap { $0 } }
        #expect(fractions == fractions.sorted() && fractions.last == 1)
        #expect(try folder.names == ["100MB.bin"])
    }
}
