import HTTPFormats
import HTTPHashing
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPClientKit
import PortableFoundation
import PortableLibc

/// Tests downloads over a mock of a server with one file, which breaks the body off at given
/// places.
@Suite(.timeLimit(.minutes(5))) struct HTTPDownloadTests {
    private let folder: DownloadFolder
    private let url = "https://h/file?key=hunter2"

    init() throws { folder = try DownloadFolder() }

    /// Breaks off each response after its number in `cuts`; responses after the last number are
    /// complete.
    private final class Origin: Sendable {
        struct State {
            var content: [UInt8]
            var headers: HTTPHeaders
            var cuts: [Int]
            var hasLength = true
        }
        let state: Locked<State>

        init(_ length: Int, cuts: [Int] = [], headers: HTTPHeaders = [.eTag: #""v1""#]) {
            state = Locked(
                State(content: LoopbackPattern.bytes(0..<length), headers: headers, cuts: cuts))
        }

        func answer(_ request: HTTPRequest) -> HTTPResponse {
            let (now, cut) = state.withLock { state in
                (state, state.cuts.isEmpty ? nil : state.cuts.removeFirst())
            }
            var headers = now.headers
            var content = now.content[...]
            var status = HTTPStatus.ok
            let condition = request.headers[.ifRange]
            if let range = request.headers.range,
                condition == nil || condition == headers[.eTag]
                    || condition == headers[.lastModified]
            {
                guard let part = range.parts[0].resolved(inLength: content.count) else {
                    headers[.contentRange] = "bytes */\(content.count)"
                    return HTTPResponse(.rangeNotSatisfiable, headers: headers, to: request)
                }
                headers[.contentRange] =
                    "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(content.count)"
                status = .partialContent
                content = content[part]
            }
            let bytes = content
            let pieces = AsyncThrowingStream<Data, any Error> { pieces in
                for byte in bytes.prefix(cut ?? .max) { pieces.yield(Data([byte])) }
                let error = HTTPError(.bodyIncomplete, "cut", phase: .receiving, isRetryable: true)
                pieces.finish(throwing: cut == nil ? nil : error)
            }
            return HTTPResponse(
                status, headers: headers,
                body: HTTPBody(pieces, length: now.hasLength ? Int64(bytes.count) : nil),
                to: request)
        }

        var session: MockSession { MockSession { self.answer($0) } }
    }

    private var quick: HTTPDownloadOptions {
        var options = HTTPDownloadOptions()
        options.backoff = .constant(.zero)
        return options
    }

    /// The content of ``Origin`` is in no coding, whatever its fields say.
    private var undecoded: HTTPDownloadOptions {
        var options = quick
        options.decoding = .never
        return options
    }

    private var once: HTTPDownloadOptions {
        var options = HTTPDownloadOptions()
        options.maxResumptions = 0
        return options
    }

    private func expectFile(_ length: Int) throws {
        #expect(try folder.bytes() == LoopbackPattern.bytes(0..<length))
        #expect(try folder.names == ["file"], "nothing else is left")
    }

    // MARK: From the start

    @Test(.rows("S1-37", "B-18"))
    func `a file arrives whole, with nothing beside it`() async throws {
        let session = Origin(100).session
        let download = try await session.download(url, to: folder.file())
        try expectFile(100)
        #expect(download.length == 100)
        #expect(download.resumedOffset == nil)
        #expect(download.response.status == .ok)
        let sent = try #require(session.requests.first).headers
        #expect(sent[.acceptEncoding] == "identity")
        #expect(!sent.contains(.range))
    }

    @Test(.rows("S1-37"))
    func `an empty file is a file`() async throws {
        let log = Locked([HTTPTransferProgress]())
        try await Origin(0).session.download(url, to: folder.file()) { progress in
            log.withLock { $0.append(progress) }
        }
        try expectFile(0)
        #expect(log.withLock { $0.map(\.fraction) } == [1])
    }

    // MARK: In one step

    @Test(.rows("S1-39"))
    func `the file that was there stays until the new one is whole`() async throws {
        try folder.write([7], to: "file")
        await #expect(throws: HTTPError.self) {
            try await Origin(100, cuts: [10]).session.download(
                url, to: folder.file(), options: once)
        }
        #expect(try folder.bytes() == [7])
        try await Origin(100).session.download(url, to: folder.file())
        try expectFile(100)
    }

    // MARK: Paths

    @Test(.rows("S1-39", "B-18"))
    func `a file URL is a path, another URL is none`() async throws {
        let session = Origin(3).session
        try await session.download(url, to: URL(filePath: folder.file()))
        try expectFile(3)
        let other = try URL(strictly: "https://h/x")
        await #expect(throws: HTTPError.self) { try await session.download(url, to: other) }
    }

    // MARK: Resuming

    @Test(.rows("S1-31"))
    func `a broken body is continued where it broke`() async throws {
        let origin = Origin(100, cuts: [10, 0, 30])
        let session = origin.session
        let download = try await session.download(url, to: folder.file(), options: quick)
        try expectFile(100)
        #expect(download.resumptions == 3)
        #expect(download.resumedOffset == nil, "all bytes came in this call")
        let ranges = session.requests.map { $0.headers[.range] }
        #expect(ranges == [nil, "bytes=10-", "bytes=10-", "bytes=40-"])
        #expect(session.requests.dropFirst().allSatisfy { $0.headers[.ifRange] == #""v1""# })
    }

    @Test(.rows("S1-31"))
    func `resumptions end at their number, and the part is kept`() async throws {
        let session = Origin(100, cuts: [1, 1, 1, 1]).session
        var options = quick
        options.maxResumptions = 2
        let error = await #expect(throws: HTTPError.self) {
            try await session.download(url, to: folder.file(), options: options)
        }
        #expect(error?.code == .bodyIncomplete)
        #expect(session.requests.count == 3)
        #expect(try folder.bytes(of: "file.part") == LoopbackPattern.bytes(0..<3))
        let data = try #require(HTTPResumeData(downloadTo: folder.file()))
        #expect(data.bytes == 3)
        #expect(data.length == 100)
        #expect(data.url == "https://h/file?…")
    }

    @Test(.rows("S1-31"))
    func `waits before going on are the clock's`() async throws {
        let clock = HTTPTestClock()
        var options = HTTPDownloadOptions()
        options.clock = clock
        options.backoff = Backoff(base: .seconds(1), jitter: .none)
        let session = Origin(100, cuts: [10, 10]).session
        async let download = session.download(url, to: folder.file(), options: options)
        for seconds in [1, 2] {
            try await clock.waitForSleepers(1)
            clock.advance(by: .seconds(seconds))
        }
        #expect(try await download.resumptions == 2)
        #expect(clock.sleeps == [.seconds(1), .seconds(2)])
        try expectFile(100)
    }

    @Test(.rows("S1-31"))
    func `a later call continues, and reports the offset`() async throws {
        let origin = Origin(100, cuts: [40])
        await #expect(throws: HTTPError.self) {
            try await origin.session.download(url, to: folder.file(), options: once)
        }
        let log = Locked([HTTPTransferProgress]())
        let data = try #require(HTTPResumeData(downloadTo: folder.file()))
        let copy = try JSONDecoder().decode(
            HTTPResumeData.self, from: JSONEncoder().encode(data))
        #expect(copy == data)
        let session = origin.session
        let download = try await session.download(url, resuming: copy) { progress in
            log.withLock { $0.append(progress) }
        }
        try expectFile(100)
        #expect(download.resumedOffset == 40)
        #expect(session.requests.map { $0.headers[.range] } == ["bytes=40-"])
        let progress = log.withLock { $0 }
        #expect(
            progress.first
                == HTTPTransferProgress(.download, bytes: 40, length: 100, resumedOffset: 40))
        #expect(progress.last?.fraction == 1)
        #expect(progress.map(\.bytes) == Array(40...100))
    }

    @Test(
        .rows("S1-31"),
        arguments: [
            [.eTag: #"W/"v1""#], [:], [.eTag: #""v1""#, .acceptRanges: "none"],
            [.lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"],
            [
                .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT",
                .date: "Sun, 06 Nov 1994 08:49:37 GMT",
            ],
        ] as [HTTPHeaders])
    func `a download without a reliable version is not continued`(headers: HTTPHeaders)
        async throws
    {
        let origin = Origin(100, cuts: [40], headers: headers)
        let session = origin.session
        await #expect(throws: HTTPError.self) {
            try await session.download(url, to: folder.file(), options: quick)
        }
        #expect(HTTPResumeData(downloadTo: folder.file()) == nil)
        #expect(try await session.download(url, to: folder.file()).resumedOffset == nil)
        #expect(session.requests.map { $0.headers[.range] } == [nil, nil])
        try expectFile(100)
    }

    @Test(.rows("S1-31"))
    func `a date that lies before the response stands for a version`() async throws {
        let origin = Origin(
            100, cuts: [40],
            headers: [
                .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT",
                .date: "Sun, 06 Nov 1994 08:49:38 GMT",
            ])
        let session = origin.session
        try await session.download(url, to: folder.file(), options: quick)
        try expectFile(100)
        #expect(session.requests.last?.headers[.ifRange] == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test(
        .rows("S1-31"),
        arguments: [
            ("https://cdn/a?sign=1", "https://cdn/a?sign=2", true),
            ("https://cdn/a", "https://mirror/a", false), ("https://cdn/a", "https://cdn/b", false),
        ])
    func `a redirect to another place continues a part with a tag, not one with a date`(
        first: String, second: String, isSamePlace: Bool
    ) async throws {
        let dated: HTTPHeaders = [
            .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT",
            .date: "Sun, 06 Nov 1994 08:49:38 GMT",
        ]
        for headers in [dated, [.eTag: #""v1""#]] {
            let origin = Origin(100, cuts: [40], headers: headers)
            let places = Locked([first, second, second])
            let session = MockSession { request in
                let response = origin.answer(request)
                var head = response.head
                head.url = try URL(strictly: places.withLock { $0.removeFirst() })
                return HTTPResponse(head, body: response.body, to: request)
            }
            try await session.download(url, to: folder.file(), options: quick)
            try expectFile(100)
            let isContinued = isSamePlace || headers != dated
            #expect(
                session.requests.map { $0.headers[.range] }
                    == (isContinued ? [nil, "bytes=40-"] : [nil, "bytes=40-", nil]))
        }
    }

    @Test(.rows("S1-31"))
    func `a changed file is loaded from the beginning`() async throws {
        let origin = Origin(100, cuts: [40])
        await #expect(throws: HTTPError.self) {
            try await origin.session.download(url, to: folder.file(), options: once)
        }
        origin.state.withLock { state in
            state.headers[.eTag] = #""v2""#
            state.content = [1, 2, 3]
        }
        let download = try await origin.session.download(url, to: folder.file())
        #expect(download.resumedOffset == nil)
        #expect(try folder.bytes() == [1, 2, 3])
        #expect(try folder.names == ["file"])
    }

    @Test(.rows("S1-31"))
    func `a server that ignores If-Range and sends the rest of another version is not believed`()
        async throws
    {
        let session = MockSession { request in
            guard request.headers.contains(.range) else {
                return Origin(100, cuts: [], headers: [.eTag: #""v2""#]).answer(request)
            }
            return HTTPResponse(
                .partialContent,
                headers: [.eTag: #""v2""#, .contentRange: "bytes 40-99/100"],
                body: HTTPBody(Data(count: 60)), to: request)
        }
        await #expect(throws: HTTPError.self) {
            try await Origin(100, cuts: [40]).session
                .download(url, to: folder.file(), options: once)
        }
        try await session.download(url, to: folder.file())
        try expectFile(100)
        #expect(session.requests.map { $0.headers[.range] } == ["bytes=40-", nil])
    }

    @Test(
        .rows("S1-31"),
        arguments: [
            ("identity", "gzip"), ("gzip", "identity"), ("gzip", "br"), ("gzip", "gzip, br"),
        ])
    func `a rest in another content coding is not joined to the part`(
        first: String, second: String
    ) async throws {
        let origin = Origin(100, cuts: [40])
        origin.state.withLock { $0.headers[.contentEncoding] = first }
        let mock = MockSession { request in
            let response = origin.answer(request)
            // A server that encodes its output, with the same entity tag for all codings.
            origin.state.withLock { $0.headers[.contentEncoding] = second }
            return response
        }
        let download = try await mock.download(url, to: folder.file(), options: undecoded)
        try expectFile(100)
        #expect(download.resumedOffset == nil)
        #expect(
            mock.requests.map { $0.headers[.range] } == [nil, "bytes=40-", nil])
    }

    @Test(.rows("S1-31"))
    func `a rest in the same content coding is joined`() async throws {
        let origin = Origin(
            100, cuts: [40], headers: [.eTag: #""v1""#, .contentEncoding: "gzip"])
        let mock = origin.session
        let request = try HTTPRequest(.get, url).header(.acceptEncoding, "gzip")
        _ = try await mock.download(request, to: folder.file(), options: undecoded)
        try expectFile(100)
        #expect(mock.requests.map { $0.headers[.range] } == [nil, "bytes=40-"])
    }

    @Test(.rows("S1-31"))
    func `a false range is an error, never a file, and the next call starts over`()
        async throws
    {
        let origin = Origin(100, cuts: [40])
        await #expect(throws: HTTPError.self) {
            try await origin.session.download(url, to: folder.file(), options: once)
        }
        let liar = MockSession { request in
            HTTPResponse(
                .partialContent, headers: [.eTag: #""v1""#, .contentRange: "bytes 0-99/100"],
                body: HTTPBody(Data(count: 100)), to: request)
        }
        let error = await #expect(throws: HTTPError.self) {
            try await liar.download(url, to: folder.file())
        }
        #expect(error?.code == .protocolViolation)
        #expect(try folder.names == [])
        let session = origin.session
        try await session.download(url, to: folder.file())
        try expectFile(100)
        #expect(session.requests.map { $0.headers[.range] } == [nil])
    }

    @Test(.rows("S1-31"))
    func `more bytes than the range has are an error`() async throws {
        await #expect(throws: HTTPError.self) {
            try await Origin(100, cuts: [40]).session
                .download(url, to: folder.file(), options: once)
        }
        let liar = MockSession { request in
            let pieces = AsyncStream<Data> { pieces in
                pieces.yield(Data(count: 61))
                pieces.finish()
            }
            return HTTPResponse(
                .partialContent, headers: [.eTag: #""v1""#, .contentRange: "bytes 40-99/100"],
                body: HTTPBody(pieces), to: request)
        }
        let error = await #expect(throws: HTTPError.self) {
            try await liar.download(url, to: folder.file())
        }
        #expect(error?.code == .protocolViolation)
        #expect(try folder.names == [])
    }

    @Test(.rows("S1-31"))
    func `a server that sends small ranges is asked again a limited number of times`()
        async throws
    {
        let origin = Origin(10)
        let session = MockSession { request in
            var request = request
            if let range = request.headers.range?.parts[0], case .from(let first) = range {
                request.headers.range = .bytes(first...first + 1)
            }
            return origin.answer(request)
        }
        try folder.write(LoopbackPattern.bytes(0..<4), to: "file.part")
        try record(length: 10)
        let download = try await session.download(url, to: folder.file(), options: quick)
        try expectFile(10)
        #expect(download.resumptions == 2, "ranges of two bytes count as broken")
        #expect(download.resumedOffset == 4)
    }

    @Test(.rows("S1-31"))
    func `a whole part is finished without loading it again`() async throws {
        try folder.write(LoopbackPattern.bytes(0..<100), to: "file.part")
        try record(length: 100)
        let session = Origin(100).session
        let download = try await session.download(url, to: folder.file())
        try expectFile(100)
        #expect(session.requests.map { $0.headers[.range] } == ["bytes=99-"])
        #expect(download.resumedOffset == 99)
    }

    @Test(.rows("S1-31"), arguments: [false, true])
    func `a 416 at the end of the part means that it is whole`(validates: Bool) async throws {
        try folder.write(LoopbackPattern.bytes(0..<100), to: "file.part")
        try record(length: nil)
        let mock = Origin(100).session
        let session = validates ? mock.with(Validation([HTTPDefaultValidator()])) : mock
        let download = try await session.download(url, to: folder.file())
        try expectFile(100)
        #expect(download.response.status == .rangeNotSatisfiable)
        #expect(download.resumedOffset == 100)
        #expect(mock.requests.map { $0.headers[.range] } == ["bytes=100-"])
    }

    @Test(.rows("S1-31"))
    func `any other 416 starts over`() async throws {
        try folder.write(LoopbackPattern.bytes(0..<101), to: "file.part")
        try record(length: nil)
        let session = Origin(100).session
        try await session.download(url, to: folder.file())
        try expectFile(100)
        #expect(session.requests.map { $0.headers[.range] } == ["bytes=101-", nil])
    }

    @Test(.rows("S1-31"))
    func `a part of another URL, or without a record, is not continued`() async throws {
        try folder.write([9, 9, 9], to: "file.part")
        let session = Origin(100).session
        try await session.download(url, to: folder.file())
        try expectFile(100)
        try folder.write([9, 9, 9], to: "file.part")
        try record(length: 100)
        try await session.download("https://h/other", to: folder.file())
        try expectFile(100)
        #expect(session.requests.map { $0.headers[.range] } == [nil, nil])
    }

    @Test(.rows("S1-31"))
    func `a whole file that comes as a part is downloaded, and counts as a 200`() async throws {
        let session = MockSession { request in
            #expect(!request.headers.contains(.range))
            return HTTPResponse(
                .partialContent, headers: [.eTag: #""v1""#, .contentRange: "bytes 0-2/3"],
                body: HTTPBody("abc"), to: request)
        }
        try await session.download(url, to: folder.file())
        #expect(try folder.bytes() == Array("abc".utf8))
        #expect(try folder.names == ["file"])
    }

    @Test(.rows("S1-31"))
    func `a part of another URL is kept until a file arrives in its place`() async throws {
        try folder.write([9, 9, 9], to: "file.part")
        try record(length: 100)
        let answers: [@Sendable (HTTPRequest) throws -> HTTPResponse] = [
            { HTTPResponse(.notFound, to: $0) },
            { _ in throw HTTPError(.cannotConnect, "down") },
            { HTTPResponse(.partialContent, body: HTTPBody("x"), to: $0) },
        ]
        for answer in answers {
            await #expect(throws: HTTPError.self) {
                try await MockSession { try answer($0) }
                    .download("https://h/other", to: folder.file())
            }
            #expect(try folder.bytes(of: "file.part") == [9, 9, 9])
            #expect(HTTPResumeData(downloadTo: folder.file())?.bytes == 3)
        }
        try await Origin(100).session.download("https://h/other", to: folder.file())
        try expectFile(100)
    }

    @Test(.rows("S1-31"))
    func `a part that is longer than the file is not continued`() async throws {
        try folder.write([UInt8](repeating: 9, count: 101), to: "file.part")
        try record(length: 100)
        let session = Origin(100).session
        try await session.download(url, to: folder.file())
        try expectFile(100)
        #expect(session.requests.map { $0.headers[.range] } == [nil])
    }

    @Test(.rows("S1-31", "B-18"), arguments: ["", "{", "null", #"{"url":1}"#])
    func `a broken record is no record`(text: String) async throws {
        try folder.write([9, 9, 9], to: "file.part")
        try folder.write(text.utf8, to: "file.part.json")
        try await Origin(100).session.download(url, to: folder.file())
        try expectFile(100)
    }

    @Test(.rows("S1-31"))
    func `a download starts over on request`() async throws {
        let origin = Origin(100, cuts: [40])
        await #expect(throws: HTTPError.self) {
            try await origin.session.download(url, to: folder.file(), options: once)
        }
        var options = HTTPDownloadOptions()
        options.startsOver = true
        let session = origin.session
        try await session.download(url, to: folder.file(), options: options)
        #expect(session.requests.map { $0.headers[.range] } == [nil])
        try expectFile(100)
    }

    @Test func `the record holds no query`() async throws {
        await #expect(throws: HTTPError.self) {
            try await Origin(100, cuts: [40]).session
                .download(url, to: folder.file(), options: once)
        }
        let text = String(decoding: try folder.bytes(of: "file.part.json"), as: UTF8.self)
        #expect(text.contains("v1"))
        #expect(!text.contains("hunter2"))
    }

    /// Writes the files that an earlier download of `"v1"` would have left.
    private func record(length: Int64?) throws {
        let request = try HTTPRequest(url)
        let head = HTTPResponse.Head(
            status: .ok, headers: [.eTag: #""v1""#], url: request.url)
        let record = try #require(PartRecord(head, to: request, length: length))
        try folder.write(JSONEncoder().encode(record), to: "file.part.json")
    }

    // MARK: Through a client

    @Test(.rows("S1-37"))
    func `a client downloads from its base, over breaks and through its validators`()
        async throws
    {
        let mock = Origin(100, cuts: [10, 20]).session
        let client = try HTTPClient(baseURL: "https://h/v1", transport: mock, retry: .standard)
        let download = try await client.download("file", to: folder.file(), options: quick)
        try expectFile(100)
        #expect(download.resumptions == 2)
        #expect(mock.requests.map(\.url.absoluteString).allSatisfy { $0 == "https://h/v1/file" })

        let error = await #expect(throws: HTTPError.self) {
            try await HTTPClient(transport: MockSession { HTTPResponse(.notFound, to: $0) })
                .download(url, to: folder.file())
        }
        #expect(error?.status == .notFound)
    }

    // MARK: Errors

    @Test(.rows("S1-39"))
    func `another status is an error with its explanation inside, and leaves nothing`()
        async throws
    {
        let session = MockSession { request in
            HTTPResponse(.notFound, body: HTTPBody("gone"), to: request)
        }
        let error = await #expect(throws: HTTPError.self) {
            try await session.download(url, to: folder.file())
        }
        #expect(error?.code == .unexpectedStatus)
        #expect(error?.status == .notFound)
        #expect(error?.bodyPrefix == Data("gone".utf8))
        #expect(try folder.names == [])
    }

    @Test(.rows("S1-39"))
    func `a status in the middle keeps the part`() async throws {
        await #expect(throws: HTTPError.self) {
            try await Origin(100, cuts: [40]).session
                .download(url, to: folder.file(), options: once)
        }
        let session = MockSession { HTTPResponse(.serviceUnavailable, to: $0) }
        await #expect(throws: HTTPError.self) { try await session.download(url, to: folder.file()) }
        #expect(HTTPResumeData(downloadTo: folder.file())?.bytes == 40)
    }

    // MARK: Cancelling

    @Test(.rows("S1-30"))
    func `a cancelled download can be resumed`() async throws {
        let (pieces, source) = AsyncStream.makeStream(of: Data.self)
        let session = MockSession { request in
            HTTPResponse(
                .ok, headers: [.eTag: #""v1""#], body: HTTPBody(pieces, length: 100),
                to: request)
        }
        let (arrivals, arrived) = AsyncStream.makeStream(of: Int64.self)
        let task = Task { [url, path = folder.file()] in
            try await session.download(url, to: path) { arrived.yield($0.bytes) }
        }
        source.yield(Data(LoopbackPattern.bytes(0..<40)))
        for await bytes in arrivals where bytes == 40 { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(HTTPResumeData(downloadTo: folder.file())?.bytes == 40)
        let download = try await Origin(100).session.download(url, to: folder.file())
        #expect(download.resumedOffset == 40)
        try expectFile(100)
    }

    // MARK: Errors

    @Test(.rows("S1-31", "S1-39"))
    func `the digest is checked, also of a resumed file`() async throws {
        let digest = SHA256.hash(LoopbackPattern.bytes(0..<100)).hexadecimal
        var options = HTTPDownloadOptions(sha256: digest.uppercased())
        options.backoff = .constant(.zero)
        try await Origin(100, cuts: [40]).session.download(url, to: folder.file(), options: options)
        try expectFile(100)

        let error = await #expect(throws: HTTPError.self) {
            try await Origin(99).session.download(url, to: folder.file(), options: options)
        }
        #expect(error?.code == .digestMismatch)
        try expectFile(100)
    }

    @Test func `an invalid digest is refused before anything is sent`() async throws {
        let session = Origin(1).session
        for digest in ["", "12", String(repeating: "x", count: 64)] {
            let error = await #expect(throws: HTTPError.self) {
                try await session.download(
                    url, to: folder.file(), options: HTTPDownloadOptions(sha256: digest))
            }
            #expect(error?.code == .invalidRequest)
        }
        #expect(session.requests.isEmpty)
    }

    @Test(
        .rows("S1-31"),
        arguments: [
            .range, .ifRange, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince,
        ] as [HTTPHeaderName])
    func `a request with a range or a precondition is refused`(name: HTTPHeaderName) async throws {
        let session = Origin(1).session
        let error = await #expect(throws: HTTPError.self) {
            try await session.download(
                try HTTPRequest(url).header(name, "x"), to: folder.file())
        }
        #expect(error?.code == .invalidRequest)
        #expect(session.requests.isEmpty)
    }

    @Test func `a HEAD is refused`() async throws {
        let session = Origin(1).session
        let error = await #expect(throws: HTTPError.self) {
            try await session.download(HTTPRequest(.head, url), to: folder.file())
        }
        #expect(error?.code == .invalidRequest)
        #expect(session.requests.isEmpty)
    }

    @Test(
        .rows("S1-39"),
        arguments: ["", "/no/such/folder/file", "a\u{0}b", "/dev/null/file", "/tmp"])
    func `an impossible path is an error, and nothing is sent`(path: String) async throws {
        let session = Origin(1).session
        let error = await #expect(throws: HTTPError.self) {
            try await session.download(url, to: path)
        }
        if error?.code != .invalidRequest {
            #expect(error?.code == .fileNotWritten)
            #expect(error?.underlyingError is SystemError)
        }
        #expect(session.requests.isEmpty)
    }

    @Test(.rows("S1-39"))
    func `a full disk has its own error`() async throws {
        let full = unsafe open("/dev/full", O_RDWR | O_CLOEXEC)
        try #require(full >= 0)
        let file = PartialFile(PartialFile.Names(folder.file()), descriptor: full)
        var run = DownloadRun(
            Origin(100).session, try HTTPRequest(url), into: file, from: nil, quick, report: nil)
        let error = await #expect(throws: HTTPError.self) { try await run.arrive() }
        #expect(error?.code == .fileNotWritten)
        #expect((error?.underlyingError as? SystemError)?.code == ENOSPC)
        #expect(error?.message.contains("No space left on device") == true)
        #expect(try folder.names == ["file.part.json"])
    }

    @Test(.rows("S1-39"))
    func `two downloads to one path do not mix`() async throws {
        let holder = try PartialFile(for: folder.file())
        let error = await #expect(throws: HTTPError.self) {
            try await Origin(100).session.download(url, to: folder.file())
        }
        #expect(error?.code == .fileBusy)
        withExtendedLifetime(holder) {}
    }

    @Test(.rows("S1-31"))
    func `a validator's refusal of the first response reaches the caller`() async throws {
        let session = MockSession { HTTPResponse(.rangeNotSatisfiable, to: $0) }
            .with(Validation([HTTPDefaultValidator()]))
        let error = await #expect(throws: HTTPError.self) {
            try await session.download(url, to: folder.file())
        }
        #expect(error?.code == .unexpectedStatus)
    }

    @Test(.rows("S1-31"))
    func `a failure before the body is not resumed`() async throws {
        let session = MockSession { _ in
            throw HTTPError(.connectionLost, "lost", isRetryable: true)
        }
        await #expect(throws: HTTPError.self) {
            try await session.download(url, to: folder.file(), options: quick)
        }
        #expect(session.requests.count == 1)
        #expect(try folder.names == [])
    }

    @Test func `a post is not sent again, and its error says that it may have arrived`()
        async throws
    {
        for isPipeline in [true, false] {
            let session = MockSession { request in
                let pieces = AsyncThrowingStream<Data, any Error> { pieces in
                    pieces.yield(Data("ab".utf8))
                    pieces.finish(throwing: HTTPError(.bodyIncomplete, "cut", isRetryable: true))
                }
                return HTTPResponse(
                    .ok, headers: [.eTag: "\"1\""], body: HTTPBody(pieces, length: 3), to: request)
            }
            let post = try HTTPRequest(.post, url)
            let error = await #expect(throws: HTTPError.self) {
                if isPipeline {
                    _ = try await session.pipeline(for: post, downloadingTo: folder.file())
                        .retry(2).value()
                } else {
                    try await session.download(post, to: folder.file(), options: quick)
                }
            }
            #expect(session.requests.count == 1)
            #expect(error?.mayHaveReachedServer == true)
        }
    }

    @Test(.rows("S1-31"))
    func `a lost connection on the way to the rest counts as one more break`() async throws {
        let origin = Origin(100, cuts: [40])
        let asked = Locked(0)
        let session = MockSession { request in
            if asked.withLock({
                $0 += 1; return $0 == 2
            }) {
                throw HTTPError(.cannotConnect, "down", isRetryable: true)
            }
            return origin.answer(request)
        }
        let download = try await session.download(url, to: folder.file(), options: quick)
        #expect(download.resumptions == 2)
        try expectFile(100)
    }

    @Test(.rows("S1-31", "S1-39"))
    func `a response without a length is whole when its body ends`() async throws {
        let origin = Origin(100)
        origin.state.withLock { $0.hasLength = false }
        let log = Locked([HTTPTransferProgress]())
        try await origin.session.download(url, to: folder.file()) { progress in
            log.withLock { $0.append(progress) }
        }
        try expectFile(100)
        let progress = log.withLock { $0 }
        #expect(progress.dropLast().allSatisfy { $0.fraction == nil })
        #expect(progress.last?.fraction == 1)
        #expect(progress.map(\.bytes) == progress.map(\.bytes).sorted())
    }

    @Test(.rows("S1-31"))
    func `a deadline is never followed by a resumption, whatever the transport reports`()
        async throws
    {
        let session = MockSession { request in
            let pieces = AsyncThrowingStream<Data, any Error> { pieces in
                pieces.yield(Data("abc".utf8))
                pieces.finish(
                    throwing: HTTPError(
                        .timedOut, "late", phase: .receiving,
                        timer: HTTPError.Timer(.deadline, .seconds(1)), isRetryable: true))
            }
            return HTTPResponse(
                .ok, headers: [.eTag: #""v1""#], body: HTTPBody(pieces, length: 100),
                to: request)
        }
        let error = await #expect(throws: HTTPError.self) {
            try await session.download(url, to: folder.file(), options: quick)
        }
        #expect(error?.timer?.name == .deadline && session.requests.count == 1)
    }
}
