import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPClientKit
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPPipelineDownloadingTests {
    private let folder: DownloadFolder
    private let url = "https://h/file"
    private let content = LoopbackPattern.bytes(0..<100)
    private var old: [UInt8] { Array("old".utf8) }

    init() throws { folder = try DownloadFolder() }

    /// The responses to requests in order; the last one is repeated for ever.
    private enum Answer: Sendable {
        /// Sends this number of the requested bytes, then loses the connection.
        case broken(after: Int)
        case whole
        /// Sends another file with the same entity tag.
        case corrupt
        case status(HTTPStatus)
    }

    private func origin(_ answers: Answer...) -> MockSession {
        let sends = Locked(0)
        return MockSession { [content] request in
            let index = sends.withLock { sends in
                sends += 1
                return min(sends, answers.count) - 1
            }
            var headers: HTTPHeaders = [.eTag: #""v1""#]
            var asked = 0..<content.count
            if let range = request.headers.range {
                asked = try #require(range.parts[0].resolved(inLength: content.count))
                headers[.contentRange] =
                    "bytes \(asked.lowerBound)-\(asked.upperBound - 1)/\(content.count)"
            }
            let status: HTTPStatus = asked.count == content.count ? .ok : .partialContent
            switch answers[index] {
            case .broken(let length):
                let pieces = AsyncThrowingStream<Data, any Error> { [asked] pieces in
                    pieces.yield(Data(content[asked].prefix(length)))
                    pieces.finish(throwing: HTTPError(.connectionLost, "cut", isRetryable: true))
                }
                let body = HTTPBody(pieces, length: Int64(asked.count))
                return HTTPResponse(status, headers: headers, body: body, to: request)
            case .whole:
                let pieces = AsyncStream<Data> { [asked] pieces in
                    pieces.yield(Data(content[asked]))
                    pieces.finish()
                }
                let body = HTTPBody(pieces, length: Int64(asked.count))
                return HTTPResponse(status, headers: headers, body: body, to: request)
            case .corrupt:
                let body = HTTPBody(Data(repeating: 0, count: asked.count))
                return HTTPResponse(status, headers: headers, body: body, to: request)
            case .status(let status):
                return HTTPResponse(status, body: HTTPBody("sorry"), to: request)
            }
        }
    }

    /// Options without resumptions: those belong to the download, and are tested there.
    private var plain: HTTPDownloadOptions {
        var options = HTTPDownloadOptions()
        options.maxResumptions = 0
        return options
    }

    private func isPattern(_ file: HTTPDownload) throws -> HTTPValidity {
        let bytes = try Data(contentsOf: URL(filePath: file.path))
        return LoopbackPattern.firstMismatch(in: Array(bytes)) == nil
            ? .valid : .invalid(reason: "corrupt")
    }

    private func failure<Output>(
        of pipeline: HTTPPipeline<Output>
    ) async throws -> HTTPPipelineFailure? {
        switch try await pipeline.outcome() {
        case .success: nil
        case .failure(let failure): failure
        }
    }

    // MARK: Cold

    @Test(.rows("S3-1", "B-20"))
    func `a download is a description: nothing is sent or written before its value`()
        async throws
    {
        let session = origin(.whole)
        let progress = Locked([HTTPTransferProgress]())
        let pipeline = session.pipeline(for: url, downloadingTo: folder.file()) { news in
            progress.withLock { $0.append(news) }
        }
        .allowed(statusCode: 200)
        .validate { _ in .valid }
        .retry(2)
        .map(\.path)
        #expect(session.requests.isEmpty)
        #expect(try folder.names == [])

        #expect(try await pipeline.value() == folder.file())
        #expect(try folder.bytes() == content)
        #expect(try folder.names == ["file"])
        #expect(progress.withLock { $0.last?.fraction } == 1)

        #expect(try await pipeline.value() == folder.file())
        #expect(session.requests.count == 2, "each value is a separate call")
    }

    @Test(.rows("B-20"))
    func `an invalid request fails the value`() async throws {
        let failure = try await failure(
            of: origin(.whole).pipeline(for: "not a URL", downloadingTo: folder.file()))
        guard case .exchange(let error) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(error.code == .invalidRequest)
        #expect(try folder.names == [])
    }

    // MARK: Validating

    @Test(.rows("S3-10", "S3-12", "B-20"))
    func `a file that is refused never takes the place of the one that was there`()
        async throws
    {
        try folder.write(old, to: "file")
        let seen = Locked<String?>(nil)
        let pipeline = origin(.corrupt).pipeline(for: url, downloadingTo: folder.file())
            .validate { file in
                seen.withLock { $0 = file.path }
                return try isPattern(file)
            }
        guard case .invalid(let reason, let prefix, let head) = try await failure(of: pipeline)
        else {
            Issue.record("a corrupt file was accepted")
            return
        }
        #expect(reason.contains("corrupt"))
        #expect(prefix == Data(repeating: 0, count: 100))
        #expect(head.status == .ok)
        #expect(seen.withLock { $0 } == folder.file("file.part"))
        #expect(try folder.bytes() == old)
        #expect(try folder.names == ["file"])
    }

    @Test(.rows("B-20"))
    func `a rule below map is too late to keep a file from its place`() async throws {
        let pipeline = origin(.whole).pipeline(for: url, downloadingTo: folder.file())
            .map(\.length)
            .allowed(statusCode: 201)
        guard case .invalid = try await failure(of: pipeline) else {
            Issue.record("a 200 was accepted")
            return
        }
        #expect(try folder.bytes() == content)
    }

    @Test(.rows("B-20"))
    func `a file that was put together from parts is validated as a 200`() async throws {
        let session = origin(.broken(after: 40), .whole)
        let pipeline = session.pipeline(for: url, downloadingTo: folder.file(), options: plain)
            .validate(
                using: ClosureValidator { response, _ in
                    #expect(response.headers[.contentLength] == "100")
                    #expect(!response.headers.contains(.contentRange))
                    return .next
                }
            )
            .allowed(statusCode: 200)
        _ = try? await pipeline.value()
        let download = try await pipeline.value()
        #expect(download.response.status == .partialContent)
        #expect(download.resumedOffset == 40)
        #expect(try folder.bytes() == content)
    }

    @Test(.rows("S3-10", "B-20"))
    func `a rule that reads bodies reads the file, up to its limit`() async throws {
        let session = origin(.whole)
        let read = session.pipeline(for: url, downloadingTo: folder.file())
            .validate { data, _ in Array(data) == content ? .valid : .invalid(reason: "no") }
        #expect(try await read.value().length == 100)

        let short = session.pipeline(for: url, downloadingTo: folder.file("short"))
            .validate(using: ClosureValidator(bodyLimit: 99) { _, _ in .next })
        let error = await #expect(throws: HTTPError.self) { try await short.value() }
        #expect(error?.code == .bodyTooLarge)
        #expect(try folder.names == ["file"])
    }

    @Test(.rows("B-20"))
    func `rules of the session itself see the heads of a download, never its bytes`()
        async throws
    {
        let client = HTTPClient(
            transport: origin(.whole),
            validators: [ClosureValidator(bodyLimit: 10) { _, _ in .invalid("not asked") }])
        #expect(try await client.download(url, to: folder.file()).length == 100)
    }

    @Test(.rows("B-20"))
    func `a response that replaces a file's is no file`() async throws {
        let request = try HTTPRequest(url)
        let pipeline = origin(.whole).pipeline(for: url, downloadingTo: folder.file())
            .validate(
                using: ClosureValidator { _, _ in .nextWithResponse(HTTPResponse(.ok, to: request))
                })
        let error = await #expect(throws: HTTPError.self) { try await pipeline.value() }
        #expect(error?.code == .validationFailed)
        #expect(try folder.names == [])
    }

    // MARK: Retrying

    @Test(.rows("S3-21", "B-20"))
    func `a retry continues the part that a broken attempt left`() async throws {
        let session = origin(.broken(after: 40), .broken(after: 20), .whole)
        let bytes = Locked([Int64]())
        let pipeline = session.pipeline(
            for: url, downloadingTo: folder.file(), options: plain,
            progress: { news in bytes.withLock { $0.append(news.bytes) } }
        ).retry(2)
        let download = try await pipeline.value()
        #expect(session.requests.map { $0.headers[.range] } == [nil, "bytes=40-", "bytes=60-"])
        #expect(try folder.bytes() == content)
        #expect(download.resumedOffset == nil, "no earlier call left a part")
        #expect(bytes.withLock { $0 } == [0, 40, 60, 100])
    }

    @Test(.rows("S3-19", "B-20"))
    func `a retry below a refusal loads the file again, a retry above it does not`()
        async throws
    {
        let session = origin(.corrupt, .whole)
        let pipeline = session.pipeline(for: url, downloadingTo: folder.file())
        let file = try await pipeline.validate(isPattern).retry(1).value()
        #expect(session.requests.map { $0.headers[.range] } == [nil, nil])
        #expect(file.path == folder.file())
        #expect(try folder.bytes() == content)

        let again = origin(.corrupt, .whole)
        let late = again.pipeline(for: url, downloadingTo: folder.file("late"))
            .retry(1).validate(isPattern)
        guard case .invalid = try await failure(of: late) else {
            Issue.record("a corrupt file was accepted")
            return
        }
        #expect(again.requests.count == 1)
    }

    @Test(.rows("S3-21", "B-20"))
    func `a mapping that throws is retried with a new file`() async throws {
        let session = origin(.corrupt, .whole)
        let pipeline = session.pipeline(for: url, downloadingTo: folder.file())
            .map { file in
                guard try isPattern(file) == .valid else { throw PipelineMistake() }
                return file.path
            }
            .retry(1)
        #expect(try await pipeline.value() == folder.file())
        #expect(session.requests.count == 2)
        #expect(try folder.bytes() == content)
    }

    @Test(.rows("S3-14", "S3-15", "B-20"))
    func `a retrier may send another request for the same file`() async throws {
        let session = origin(.status(.unauthorized), .whole)
        let pipeline = session.pipeline(for: url, downloadingTo: folder.file())
            .retryDecision(delay: .zero) { failure, request in
                #expect(failure.status == .unauthorized)
                return .retryWithRequest(
                    HTTPRequest(url: request.url).header(.authorization, "Bearer t"))
            }
        #expect(try await pipeline.value().length == 100)
        #expect(session.requests.map { $0.headers[.authorization] } == [nil, "Bearer t"])
    }

    @Test(.rows("B-20"))
    func `a part that a failed call left is continued by the next value`() async throws {
        let session = origin(.broken(after: 40), .whole)
        let pipeline = session.pipeline(for: url, downloadingTo: folder.file(), options: plain)
        guard case .exchange(let error) = try await failure(of: pipeline) else {
            Issue.record("a broken body was accepted")
            return
        }
        #expect(error.code == .connectionLost)
        #expect(HTTPResumeData(downloadTo: folder.file())?.bytes == 40)
        #expect(try await pipeline.value().resumedOffset == 40)
    }

    // MARK: Adapting

    @Test(.rows("S3-20", "B-20"))
    func `a request is adapted before each attempt, and where that fails nothing is left`()
        async throws
    {
        let session = origin(.status(.serviceUnavailable), .whole)
        let count = Locked(0)
        let pipeline = session.pipeline(for: url, downloadingTo: folder.file())
            .adapt { request in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return HTTPRequest(url: request.url).header("X-Number", "\(number)")
            }
            .retry(1)
        _ = try await pipeline.value()
        #expect(session.requests.map { $0.headers["X-Number"] } == ["1", "2"])

        let broken = session.pipeline(for: url, downloadingTo: folder.file("none"))
            .adapt { _ in throw PipelineMistake() }
        guard case .adapting(_, let thrown) = try await failure(of: broken) else {
            Issue.record("a request that could not be adapted was sent")
            return
        }
        #expect(thrown as? PipelineMistake == PipelineMistake())
        #expect(session.requests.count == 2)
        #expect(try folder.names == ["file"])
    }

    @Test(.rows("B-20"))
    func `an adapter that asks for a range is refused, and nothing is left`() async throws {
        let session = origin(.broken(after: 0), .whole)
        let pipeline = session.pipeline(for: url, downloadingTo: folder.file(), options: plain)
            .adapt { session.requests.isEmpty ? $0 : $0.header(.range, "bytes=0-1") }
            .retry(1)
        let error = await #expect(throws: HTTPError.self) { try await pipeline.value() }
        #expect(error?.code == .invalidRequest)
        #expect(session.requests.count == 1)
        #expect(try folder.names == [])
    }

    // MARK: Outcomes

    @Test(.rows("S3-4", "B-20"))
    func `a status without a file is a response that is not accepted`() async throws {
        let pipeline = origin(.status(.notFound)).pipeline(for: url, downloadingTo: folder.file())
        guard case .invalid(_, let bytes, let head) = try await failure(of: pipeline) else {
            Issue.record("a 404 resulted in a file")
            return
        }
        #expect(head.status == .notFound)
        #expect(bytes == Data("sorry".utf8))
        #expect(try folder.names == [])
    }

    @Test(.rows("S3-4", "B-20"))
    func `a file with another digest is not accepted`() async throws {
        let pipeline = origin(.whole).pipeline(
            for: url, downloadingTo: folder.file(),
            options: HTTPDownloadOptions(sha256: String(repeating: "0", count: 64)))
        guard case .invalid = try await failure(of: pipeline) else {
            Issue.record("a wrong digest was accepted")
            return
        }
        #expect(try folder.names == [])
    }

    @Test(.rows("S3-4", "B-20"))
    func `a dropped call has its reason and the first failure`() async throws {
        let pipeline = origin(.broken(after: 10))
            .pipeline(for: url, downloadingTo: folder.file(), options: plain)
            .retryDecision { _, _ in .dropWithReason("enough") }
        guard case .dropped("enough", let original) = try await failure(of: pipeline),
            case .exchange = original
        else {
            Issue.record("it was not dropped")
            return
        }
        #expect(HTTPResumeData(downloadTo: folder.file())?.bytes == 10)
    }

    @Test(.rows("B-20"))
    func `two values at once do not mix, and a path is free after an error that is kept`()
        async throws
    {
        let held = HeldSession()
        let pipeline = held.pipeline(for: url, downloadingTo: folder.file())
        async let first = pipeline.value()
        try await held.asked.wait()
        let error = await #expect(throws: HTTPError.self) { try await pipeline.value() }
        #expect(error?.code == .fileBusy)
        held.answer.open()
        #expect(try await first.path == folder.file())

        let failing = origin(.broken(after: 10), .whole)
            .pipeline(for: url, downloadingTo: folder.file(), options: plain)
        let kept = await #expect(throws: HTTPError.self) { try await failing.value() }
        _ = try await failing.value()
        #expect(kept != nil)
    }

    // MARK: Cancelling

    @Test(.rows("S3-9", "B-20"), arguments: ClientWire.allCases)
    func `a cancelled value leaves a part that the next one continues`(wire: ClientWire)
        async throws
    {
        let server = try LoopbackServer(script: { request in
            let head = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 100\r\n\r\n"
            guard request["Range"] == nil else { return Self.rest(request) }
            return [.send(head), .generate(40), .stall]
        })
        let (arrivals, arrived) = AsyncStream.makeStream(of: Int64.self)
        let pipeline = try wire.transport().pipeline(
            for: server.url("/f"), downloadingTo: folder.file(),
            progress: { arrived.yield($0.bytes) })
        let task = Task { try await pipeline.value() }
        for await bytes in arrivals where bytes == 40 { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await pipeline.value().resumedOffset == 40)
        #expect(LoopbackPattern.firstMismatch(in: try folder.bytes()) == nil)
    }

    private static func rest(_ request: LoopbackRequest) -> LoopbackScript {
        let first =
            request["Range"].flatMap { HTTPRange($0) }?.parts[0].resolved(inLength: 100)?
            .lowerBound ?? 0
        return [
            .send(
                "HTTP/1.1 206 Partial Content\r\nETag: \"v1\"\r\n"
                    + "Content-Range: bytes \(first)-99/100\r\n"
                    + "Content-Length: \(100 - first)\r\n\r\n"),
            .generate(100 - first, from: first),
        ]
    }

    // MARK: Over a connection

    @Test(.rows("B-20"), arguments: ClientWire.allCases)
    func `over a transport, a refused and a broken answer come to one file`(wire: ClientWire)
        async throws
    {
        let answers = Locked(0)
        let server = try LoopbackServer(script: { request in
            let number = answers.withLock { answers in
                answers += 1
                return answers
            }
            let head = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 100\r\n\r\n"
            switch number {
            case 1: return [.send("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n")]
            case 2: return [.send(head), .generate(40), .close]
            default: return Self.rest(request)
            }
        })
        let client = HTTPClient(transport: try wire.transport())
        let pipeline = client.pipeline(
            for: server.url("/f"), downloadingTo: folder.file(), options: plain
        )
        .allowed(statusCode: 200)
        .validate(isPattern)
        .retry(2)
        let download = try await pipeline.value()
        #expect(download.length == 100)
        #expect(LoopbackPattern.firstMismatch(in: try folder.bytes()) == nil)
        #expect(try folder.names == ["file"])
        #expect(
            server.log.compactMap { $0.request }.map { $0["Range"] } == [nil, nil, "bytes=40-"])
    }
}
