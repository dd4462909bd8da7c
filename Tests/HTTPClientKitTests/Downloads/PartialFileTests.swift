import HTTPTesting
import TestSupport
import Testing

@testable import HTTPClientKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite struct PartialFileTests {
    private let folder: DownloadFolder
    private let request: HTTPRequest
    private var record: PartRecord

    init() throws {
        folder = try DownloadFolder()
        request = try HTTPRequest("https://h/f#part")
        let head = HTTPResponse.Head(
            status: .ok, headers: [.eTag: #""v1""#], url: request.url)
        record = try #require(PartRecord(head, to: request, length: 100))
    }

    // MARK: Records

    @Test(.rows("S1-31"))
    func `a record is read as it was written`() throws {
        let file = try PartialFile(for: folder.file())
        try file.write(record)
        #expect(file.names.readRecord() == record)
        try file.removeRecord()
        try file.removeRecord()
        #expect(file.names.readRecord() == nil)
    }

    @Test(.rows("S1-39"))
    func `the remains of a killed process are removed with the record`() throws {
        try folder.write([1], to: "file.part.json~")
        let file = try PartialFile(for: folder.file())
        try file.write(record)
        try folder.write([1], to: "file.part.json~")
        try file.finish()
        #expect(try folder.names == ["file"])
    }

    @Test(.rows("S1-39"))
    func `a path is free again once its download is gone`() throws {
        do {
            let first = try PartialFile(for: folder.file())
            #expect(throws: HTTPError.self) { try PartialFile(for: folder.file()) }
            withExtendedLifetime(first) {}
        }
        _ = try PartialFile(for: folder.file())
    }

    /// A process that is being started has copies of all descriptors for a moment.
    @Test(.rows("S1-39"))
    func `a path is free again although a copy of the descriptor is open`() throws {
        var copy: Int32 = -1
        do {
            let first = try PartialFile(for: folder.file())
            copy = dup(first.descriptor)
            withExtendedLifetime(first) {}
        }
        defer { _ = close(copy) }
        #expect(copy >= 0)
        _ = try PartialFile(for: folder.file())
    }

    @Test(.rows("S1-39"))
    func `a path is free again once its file is finished`() throws {
        let first = try PartialFile(for: folder.file())
        try first.finish()
        let second = try PartialFile(for: folder.file())
        #expect(try folder.names == ["file", "file.part"])
        withExtendedLifetime((first, second)) {}
    }

    @Test(.rows("S1-31", "S1-39"))
    func `a link in the place of the part is not followed`() throws {
        try folder.write([1], to: "victim")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("file.part"), withDestinationPath: folder.file("victim"))
        #expect(throws: HTTPError.self) { try PartialFile(for: folder.file()) }
    }

    @Test(.rows("S1-31", "S1-39"), .timeLimit(.minutes(1)), arguments: [false, true])
    func `a pipe or a folder in the place of the part is refused, and nothing is sent`(
        isPipe: Bool
    ) async throws {
        if isPipe {
            try #require(unsafe mkfifo(folder.file("file.part"), 0o600) == 0)
        } else {
            try FileManager.default.createDirectory(
                atPath: folder.file("file.part"), withIntermediateDirectories: false)
        }
        let session = MockSession { HTTPResponse(.ok, body: HTTPBody("abc"), to: $0) }
        let error = await #expect(throws: HTTPError.self) {
            try await session.download(request, to: folder.file())
        }
        #expect(error?.code == .fileNotWritten)
        #expect(session.requests.isEmpty)
        #expect(try folder.names == ["file.part"])
    }

    @Test(.rows("S1-31"), .timeLimit(.minutes(1)), arguments: ["pipe", "folder", "link", "huge"])
    func `something else in the place of the record is no record`(kind: String) throws {
        let path = folder.file("file.part.json")
        switch kind {
        case "pipe": try #require(unsafe mkfifo(path, 0o600) == 0)
        case "folder":
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
        case "link":
            try folder.write(record.encoded(), to: "other.json")
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: folder.file("other.json"))
        default:
            try folder.write(
                Data(repeating: UInt8(ascii: " "), count: 64 << 10) + record.encoded(),
                to: "file.part.json")
        }
        try folder.write([1, 2, 3], to: "file.part")
        #expect(PartialFile.Names(folder.file()).readRecord() == nil)
        #expect(HTTPResumeData(downloadTo: folder.file()) == nil)
    }

    @Test(.rows("S1-31"))
    func `notes of arrived ranges outlive the process, up to the longest record`() throws {
        let file = try PartialFile(for: folder.file())
        var record = record
        record.goOn(beside: [], of: 100)
        try file.write(record)
        var count: Int64 = 0
        while try file.note(StoredRanges(durable: [], arrived: [count % 50..<50, 60..<70])) {
            count += 1
            try #require(count < 100_000)
        }
        #expect(count > 1000)
        let last = (count - 1) % 50
        #expect(file.names.readRecord()?.ranges?.arrived == [last..<50, 60..<70])
        #expect(try folder.bytes(of: "file.part.json").count <= PartialFile.longestRecord)
    }

    @Test(.rows("S1-31"))
    func `after a restart of the system, only synced bytes count`() {
        var record = record
        #expect(record.trustedBytes(of: 70) == 70)
        #expect(record.trustedBytes(of: 101) == 0, "longer than the whole: another file")
        record.durable = 50
        record.boot = "another"
        #expect(record.trustedBytes(of: 70) == 50)
        #expect(record.trustedBytes(of: 30) == 30)
        record.goOn(from: 30, of: 100)
        #expect(record.trustedBytes(of: 70) == 70)
        #expect(record.durable == 30)
        record.boot = nil
        #expect(record.trustedBytes(of: 70) == 30)
    }

    @Test(.rows("S1-31"))
    func `a part is truncated to its trusted bytes before it is continued`() async throws {
        var record = record
        record.durable = 20
        record.boot = "another"
        try folder.write(LoopbackPattern.bytes(0..<20) + [9, 9, 9], to: "file.part")
        try folder.write(JSONEncoder().encode(record), to: "file.part.json")
        #expect(HTTPResumeData(downloadTo: folder.file())?.bytes == 20)
        let session = MockSession { request in
            #expect(request.headers[.range] == "bytes=20-")
            return HTTPResponse(
                .partialContent,
                headers: [.eTag: #""v1""#, .contentRange: "bytes 20-99/100"],
                body: HTTPBody(Data(LoopbackPattern.bytes(20..<100))), to: request)
        }
        try await session.download(request, to: folder.file())
        #expect(try folder.bytes() == LoopbackPattern.bytes(0..<100))
    }

    @Test(.rows("S1-31"))
    func `the same URL with another fragment is the same file, another method another`()
        throws
    {
        #expect(record.isOf(try HTTPRequest("https://h/f")))
        #expect(!record.isOf(try HTTPRequest("https://h/f?v=2")))
        #expect(!record.isOf(try HTTPRequest(.post, "https://h/f")))
    }

    @Test(.rows("S1-31"))
    func `the digest is the file's`() async throws {
        let file = try PartialFile(for: folder.file())
        let bytes = LoopbackPattern.bytes(0..<300_000)
        try Data(bytes).write(toDescriptor: file.descriptor, at: 0)
        #expect(try await file.sha256() == SHA256.hash(bytes))
    }
}
