import HTTPClientKit
import HTTPCodings
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation
import PortableLibc

/// The code of Docs/Guides/Downloads.md, word for word.
@Suite(.timeLimit(.minutes(5))) struct DownloadsGuideTests {
    private let folder: DownloadFolder
    private let url = "https://files.example.com/image.iso"
    private let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    private let session = MockSession { request in
        HTTPResponse(.ok, headers: [.eTag: "\"1\""], body: HTTPBody("abc"), to: request)
    }

    init() throws { folder = try DownloadFolder() }

    @Test func `a file`() async throws {
        let path = folder.file()
        let download = try await session.download(
            "https://files.example.com/image.iso", to: path,
            options: HTTPDownloadOptions(sha256: digest)
        ) { progress in
            print(progress.fraction ?? 0, progress.bytes, progress.resumedOffset ?? 0)
        }
        print(download.length, "bytes at", download.path)
        #expect(try folder.bytes() == Array("abc".utf8))
    }

    @Test func `a file in a content coding`() async throws {
        let path = folder.file()
        let coded = try ContentEncoder.encode(Data("abc".utf8), .gzip)
        let session = MockSession { request in
            HTTPResponse(
                .ok, headers: [.contentEncoding: "gzip"], body: HTTPBody(coded), to: request)
        }
        do {
            let download = try await session.download(url, to: path)
            print(download.length, download.contentCoding ?? "the content itself")
            #expect(try folder.bytes() == Array("abc".utf8))
        }
        do {
            var options = HTTPDownloadOptions()
            options.decoding = .never
            let download = try await session.download(url, to: path, options: options)
            print(download.length, download.contentCoding ?? "the content itself")
            #expect(try Data(folder.bytes()) == coded)
        }
    }

    @Test func `going on`() async throws {
        let path = folder.file()
        let session = MockSession { request in
            if request.headers.contains(.range) {
                #expect(request.headers[.range] == "bytes=2-")
                return HTTPResponse(
                    .partialContent, headers: [.eTag: "\"1\"", .contentRange: "bytes 2-2/3"],
                    body: HTTPBody("c"), to: request)
            }
            let pieces = AsyncThrowingStream<Data, any Error> { pieces in
                pieces.yield(Data("ab".utf8))
                pieces.finish(throwing: HTTPError(.bodyIncomplete, "cut", isRetryable: true))
            }
            return HTTPResponse(
                .ok, headers: [.eTag: "\"1\""], body: HTTPBody(pieces, length: 3), to: request)
        }
        do {
            try await session.download(url, to: path)
        } catch let error as HTTPError where error.isRetryable {
            if let left = HTTPResumeData(downloadTo: path) {
                print(left.bytes, "of", left.length ?? 0, "bytes are there")
            }
            try await session.download(url, to: path)
        }
        #expect(session.requests.count == 2)
        #expect(try folder.bytes() == Array("abc".utf8))
    }

    @Test func `going on with a client that retries`() async throws {
        let path = folder.file()
        let count = Locked(0)
        let mock = MockSession { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            // The server is down for all attempts of the first call.
            guard number > 3 else {
                throw HTTPError(.cannotConnect, "down", phase: .connecting, isRetryable: true)
            }
            return HTTPResponse(
                .ok, headers: [.eTag: "\"1\""], body: HTTPBody("abc"), to: request)
        }
        let session = HTTPClient(transport: mock, retry: .standard) { $0.clock = BriskClock() }
        do {
            try await session.download(url, to: path)
        } catch let error as HTTPError where error.isRetryable {
            if let left = HTTPResumeData(downloadTo: path) {
                print(left.bytes, "of", left.length ?? 0, "bytes are there")
            }
            try await session.download(url, to: path)
        }
        #expect(count.withLock { $0 } == 4)
        #expect(try folder.bytes() == Array("abc".utf8))
    }

    @Test func `going on with a task`() async throws {
        let path = folder.file()
        let session = MockSession { request in
            guard request.headers.contains(.range) else {
                let pieces = AsyncStream<Data> { $0.yield(Data("ab".utf8)) }  // never ends
                return HTTPResponse(
                    .ok, headers: [.eTag: "\"1\""], body: HTTPBody(pieces, length: 3),
                    to: request)
            }
            return HTTPResponse(
                .partialContent, headers: [.eTag: "\"1\"", .contentRange: "bytes 2-2/3"],
                body: HTTPBody("c"), to: request)
        }
        let first = session.downloadTask(url, to: path)
        let half = Gate()
        first.onProgress { if $0.bytes == 2 { half.open() } }.run()
        try await half.wait()
        let bytes = try #require(await first.cancelProducingResumeData())

        let task = session.downloadTask(url, resuming: try HTTPResumeData(bytes)).run()
        let download = try await task.value
        #expect(download.resumedOffset == 2)
        #expect(try folder.bytes() == Array("abc".utf8))
    }

    @Test func `several ranges at once`() async throws {
        let path = folder.file()
        var options = HTTPDownloadOptions()
        options.maxConcurrentRanges = 4
        try await session.download(url, to: path, options: options)
        #expect(try folder.bytes() == Array("abc".utf8))
        #expect(session.requests.count == 1, "three bytes are not split")
    }

    @Test func `what the disk refuses`() async throws {
        let path = "/no/such/folder/file"
        do {
            try await session.download(url, to: path)
        } catch let error as HTTPError where error.code == .fileNotWritten {
            let cause = error.underlyingError as? SystemError
            print(cause?.code == ENOSPC ? "make room, then go on" : "\(error)")
        }
        #expect(session.requests.isEmpty)
    }

    @Test func `an upload`() async throws {
        let path = folder.file()
        try folder.write("abc".utf8, to: "file")
        let request = try HTTPRequest(.put, "https://files.example.com/image.iso")
        let response = try await session.upload(file: path, with: request) { progress in
            print(progress.fraction ?? 0)
        }
        #expect(response.status == .ok)
    }

    private struct Item: Decodable {
        var name: String
    }

    @Test func `pages`() async throws {
        let session = MockSession { request in
            let isLast = request.url.query() != nil
            return HTTPResponse(
                .ok, headers: isLast ? [:] : [.link: "<?p=2>; rel=next"],
                body: HTTPBody(isLast ? #"[{"name":"b"}]"# : #"[{"name":"a"}]"#), to: request)
        }
        var names: [String] = []
        for try await page in try session.pages([Item].self, of: "https://api.example.com/items") {
            names += page.map(\.name)
        }
        #expect(names == ["a", "b"])
    }

    @Test func `the page shows this code`() throws {
        let page = try GuidePage("Downloads")
        #expect(page.blocks.count == 9)
        #expect(page.untested == [])
    }
}
