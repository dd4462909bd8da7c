import HTTPFormats
import HTTPTesting
import TestSupport
import Testing

@testable import HTTPClientKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.timeLimit(.minutes(5))) struct HTTPTaskDownloadingTests {
    private let folder: DownloadFolder
    private let content = LoopbackPattern.bytes(0..<100)

    init() throws { folder = try DownloadFolder() }

    /// A server of the file that sends at most half of it to a request for the whole.
    private func origin() -> MockSession {
        MockSession { [content] request in
            var headers: HTTPHeaders = [.entityTag: #""v1""#]
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
    func `bytes that are not resume data are refused`() {
        let error = #expect(throws: HTTPError.self) { try HTTPResumeData(Data("{}".utf8)) }
        #expect(error?.code == .decodingFailed)
    }
}
