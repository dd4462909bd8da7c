import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPClientKit
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPTaskDownloadingTests {
    private let folder: DownloadFolder
    private let content = LoopbackPattern.bytes(0..<100)

    init() throws { folder = try DownloadFolder() }

    /// A server of the file that sends at most half of it to a request for the whole.
    private func origin() -> MockSession {
        MockSession { [content] request in
            var headers: HTTPHeaders = [.eTag: #""v1""#]
            guard let range = request.headers.range?.parts[0].resolved(inLength: 100) else {
                let pieces = AsyncStream<Data> { $0.yield(Data(content[..<50])) }  // never ends
                return HTTPResponse(
                    .ok, headers: headers, body: HTTPBody(pieces, length: 100), to: request)
            }
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/100"
            return HTTPResponse(
                .partialContent, headers: headers, body: HTTPBody(Data(content[range])),
                to: request)
        }
    }

    // MARK: Cancelling

    @Test(.rows("S1-30", "S1-31"))
    func `a cancelled download has resume data, and another one continues`() async throws {
        let session = origin()
        let task = session.downloadTask("https://h/file?key=hunter2", to: folder.file())
        let half = Gate()
        task.onProgress { if $0.bytes == 50 { half.open() } }.run()
        try await half.wait()
        let bytes = try #require(await task.cancelProducingResumeData())
        #expect(task.state == .cancelled)
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!String(decoding: bytes, as: UTF8.self).contains("hunter2"))

        let data = try HTTPResumeData(bytes)
        #expect(data.bytes == 50 && data.length == 100)
        let download = try await session.download("https://h/file?key=hunter2", resuming: data)
        #expect(download.resumedOffset == 50)
        #expect(try folder.bytes() == content)
        #expect(session.requests.last?.headers.range?.description == "bytes=50-")
    }

    // MARK: Resuming

    private func resumeData() throws -> HTTPResumeData {
        let request = try HTTPRequest("https://h/file?key=hunter2")
        let head = HTTPResponse.Head(
            status: .ok, headers: [.eTag: #""v1""#], url: request.url)
        let record = try #require(PartRecord(head, to: request, length: 100))
        try folder.write(content[..<50], to: "file.part")
        try folder.write(record.encoded(), to: "file.part.json")
        return try #require(HTTPResumeData(downloadTo: folder.file()))
    }

    @Test(.rows("S1-30", "S1-31"))
    func `a task continues a download from its resume data`() async throws {
        let session = origin()
        let task = session.downloadTask("https://h/file?key=hunter2", resuming: try resumeData())
        #expect(task.state == .pending && session.requests.isEmpty)
        #expect(try await task.value.resumedOffset == 50)
        #expect(try folder.bytes() == content)
        #expect(session.requests.map { $0.headers[.range] } == ["bytes=50-"])
    }

    @Test(
        .rows("S1-31"),
        arguments: [
            "https://h/file?key=other", "https://h/file", "http://h/file?key=hunter2",
            "https://g/file?key=hunter2", "https://u:p@h/file?key=hunter2",
        ])
    func `resume data of another URL is refused, and the part is kept`(url: String) async throws {
        let session = origin()
        let data = try resumeData()
        var options = HTTPDownloadOptions()
        options.maxResumptions = 0
        for isTask in [false, true] {
            let error = await #expect(throws: HTTPError.self) {
                if isTask {
                    try await session.downloadTask(url, resuming: data).value
                } else {
                    try await session.download(url, resuming: data)
                }
            }
            #expect(error?.code == .invalidRequest)
            let message = error?.message ?? ""
            #expect(message.contains("https://h/file?…"), "\(message)")
            #expect(message.contains(try HTTPRequest(url).url.logSafe), "\(message)")
            #expect(!message.contains("hunter2") && !message.contains("u:p"))
        }
        await #expect(throws: HTTPError.self) {
            try await session.download(
                HTTPRequest(.post, "https://h/file?key=hunter2"), resuming: data)
        }
        #expect(session.requests.isEmpty)
        #expect(try folder.bytes(of: "file.part") == Array(content[..<50]))
        #expect(try folder.names == ["file.part", "file.part.json"])
    }

    @Test(.rows("S1-31"))
    func `resume data of an older version is compared without its query`() async throws {
        struct Older: Codable {
            var path: String
            var bytes: Int64
            var length: Int64?
            var url: String
        }
        let encoded = try JSONEncoder().encode(try resumeData())
        let older = try JSONDecoder().decode(Older.self, from: encoded)
        let data = try HTTPResumeData(try JSONEncoder().encode(older))
        let error = await #expect(throws: HTTPError.self) {
            try await origin().download("https://h/other", resuming: data)
        }
        #expect(error?.code == .invalidRequest)
        let download = try await origin().download("https://h/file?key=hunter2", resuming: data)
        #expect(download.resumedOffset == 50)
    }

    // MARK: Finishing

    @Test(.rows("S1-37"), arguments: [true, false])
    func `a finished download reports its bytes`(knowsLength: Bool) async throws {
        let session = MockSession { [content] request in
            let pieces = AsyncStream<Data> { continuation in
                continuation.yield(Data(content[..<50]))
                continuation.yield(Data(content[50...]))
                continuation.finish()
            }
            return HTTPResponse(
                .ok, body: HTTPBody(pieces, length: knowsLength ? 100 : nil), to: request)
        }
        let task = session.downloadTask("https://h/file", to: folder.file())
        let reader = Task {
            var all: [HTTPTransferProgress] = []
            for await progress in task.progress { all.append(progress) }
            return all
        }
        _ = try await task.run().value
        let whole = HTTPTransferProgress(.download, bytes: 100, length: 100)
        #expect(task.currentProgress == whole)
        let all = await reader.value
        #expect(all.last == whole)
        #expect(all.dropLast().allSatisfy { ($0.fraction ?? 0) < 1 })
        if !knowsLength { #expect(all.dropLast().allSatisfy { $0.fraction == nil }) }
    }

    @Test(.rows("S1-30", "S1-37"))
    func `a finished download is the task's value, and leaves nothing to resume`()
        async throws
    {
        let session = MockSession { [content] in
            HTTPResponse(.ok, body: HTTPBody(Data(content)), to: $0)
        }
        let task = session.downloadTask("https://h/file", to: folder.file())
        #expect(try await task.value.length == 100)
        #expect(await task.cancelProducingResumeData() == nil)
        #expect(try folder.bytes() == content)
    }

    // MARK: No resume data

    @Test(.rows("S1-30"))
    func `a download without any bytes has no resume data`() async throws {
        let asked = Gate()
        let session = MockSession { request in
            asked.open()
            try await Task.sleep(for: .seconds(600))
            return HTTPResponse(.ok, to: request)
        }
        let task = session.downloadTask("https://h/file", to: folder.file()).run()
        try await asked.wait()
        #expect(await task.cancelProducingResumeData() == nil)
    }

    @Test(.rows("S1-30", "S1-31"))
    func `a part of another URL is no resume data of a download that has no bytes yet`()
        async throws
    {
        let first = origin().downloadTask("https://h/file?key=old", to: folder.file())
        let half = Gate()
        first.onProgress { if $0.bytes == 50 { half.open() } }.run()
        try await half.wait()
        #expect(await first.cancelProducingResumeData() != nil)
        let asked = Gate()
        let session = MockSession { request in
            asked.open()
            try await Gate().wait()
            return HTTPResponse(.ok, to: request)
        }
        let second = session.downloadTask("https://h/file?key=new", to: folder.file()).run()
        try await asked.wait()
        #expect(await second.cancelProducingResumeData() == nil)
        #expect(HTTPResumeData(downloadTo: folder.file())?.bytes == 50)
    }

    @Test(.rows("S1-30", "S1-31"))
    func `bytes that are not resume data are refused`() {
        let error = #expect(throws: HTTPError.self) { try HTTPResumeData(Data("{}".utf8)) }
        #expect(error?.code == .decodingFailed)
    }
}
