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
            status: .ok, headers: [.entityTag: #""v1""#], url: request.url)
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
                headers: [.entityTag: #""v1""#, .contentRange: "bytes 20-99/100"],
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
