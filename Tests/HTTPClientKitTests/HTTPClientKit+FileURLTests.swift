import HTTPClientKit
import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// Every parameter for a file takes a path and a file URL, and refuses any other URL.
@Suite(.timeLimit(.minutes(5))) struct HTTPClientKitFileURLTests {
    private let folder: DownloadFolder
    private let session = MockSession { request in
        HTTPResponse(.ok, body: HTTPBody(try await request.body.collect()), to: request)
    }

    init() throws { folder = try DownloadFolder() }

    private func client() throws -> HTTPClient {
        try HTTPClient(baseURL: "https://h/", transport: session)
    }

    /// Uses a file, which contains `abc`, and returns what was read from it.
    private func use(_ name: String, _ url: URL) async throws -> String {
        let put = try HTTPRequest(.put, "https://h/")
        // Not the file itself, which is no jar and no folder.
        let other =
            url.isFileURL && url.path().hasSuffix("txt") ? URL(filePath: folder.path + "/c d") : url
        switch name {
        case "body":
            return String(decoding: try await HTTPBody(file: url).collect(), as: UTF8.self)
        case "range":
            let end = try await HTTPBody(file: url, range: 1..<3).collect()
            return "a" + String(decoding: end, as: UTF8.self)
        case "request": return try await session.response(for: put.file(url)).text()
        case "content": return try await client().put("a", .file(url)).text()
        case "upload": return try await session.upload(file: url, with: put).text()
        case "multipart":
            var form = MultipartForm()
            try form.add(file: url, name: "f")
            let text = String(decoding: try await form.body.collect(), as: UTF8.self)
            return text.contains("filename=\"a b.txt\"") && text.contains("abc") ? "abc" : text
        case "jar": return try HTTPCookieJar.file(at: other).cookies.isEmpty ? "abc" : ""
        case "cache":
            _ = try HTTPCache.disk(at: other, limit: 1 << 20)
            return "abc"
        case "store":
            _ = try HTTPDiskCacheStore(folder: other, limit: 1 << 20)
            return "abc"
        case "recording":
            let path = try RecordingFile(url).path
            return try String(contentsOfFile: path, encoding: .utf8)
        case "netrc":
            let passwords = try NetrcFile(url, options: [.defaultForAnyHost, .readableByOthers])
            let credentials = try passwords.credentials(for: HTTPOrigin("https://h"))
            return credentials == nil ? "" : "abc"
        case "download": try await client().download("https://h/a", to: url)
        case "request's download": try await client().get("a").download(to: url)
        case "task":
            let task = try client().downloadTask("https://h/a", to: url)
            task.run()
            _ = try await task.value
        default: _ = try await client().pipeline(for: "https://h/a", downloadingTo: url).value()
        }
        return try String(contentsOfFile: folder.path + "/a b.txt", encoding: .utf8)
    }

    @Test(
        arguments: [
            "body", "range", "request", "content", "upload", "multipart", "jar", "cache", "store",
            "recording", "netrc", "download", "request's download", "task", "pipeline",
        ])
    func `a file URL names a file, and any other URL is refused`(name: String) async throws {
        let path = folder.path + "/a b.txt"
        let content = name == "netrc" ? "default login a password b" : "abc"
        try Data(content.utf8).write(to: URL(filePath: path))
        let isWritten = name.contains("download") || name == "task" || name == "pipeline"
        let text = try await use(name, URL(filePath: path))
        #expect(text == (isWritten ? "" : "abc"))
        for text in [
            "https://h/a", "/a%20b.txt", "file:///a%00b", "file:///a#b", "file:///a?b",
            "file://other/a",
        ] {
            let url = try URL(strictly: text)
            let error = await #expect(throws: HTTPError.self, "\(text)") {
                _ = try await use(name, url)
            }
            #expect(error?.code == .invalidRequest)
        }
    }

    @Test func `resume data is found by a file URL`() async throws {
        let cut = MockSession { request in
            let pieces = AsyncThrowingStream<Data, any Error> { pieces in
                pieces.yield(Data([1]))
                pieces.finish(throwing: HTTPError(.bodyIncomplete, "cut", phase: .receiving))
            }
            return HTTPResponse(
                .ok, headers: [.eTag: #""v1""#, .acceptRanges: "bytes"],
                body: HTTPBody(pieces, length: 100), to: request)
        }
        let path = folder.path + "/cut"
        await #expect(throws: HTTPError.self) {
            _ = try await cut.download("https://h/a", to: path)
        }
        #expect(HTTPResumeData(downloadTo: URL(filePath: path))?.bytes == 1)
        #expect(try HTTPResumeData(downloadTo: URL(strictly: "https://h/a")) == nil)
        #expect(HTTPResumeData(downloadTo: URL(filePath: folder.path + "/none")) == nil)
    }
}
