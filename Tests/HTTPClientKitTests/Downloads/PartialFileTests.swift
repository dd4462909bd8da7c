import HTTPHashing
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPClientKit
import PortableFoundation
import PortableLibc

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

    @Test(.rows("S1-31", "S1-39"), .timeLimit(.minutes(5)), arguments: [false, true])
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

    // MARK: Files of others

    /// The ways in which another user may prepare a part or a record.
    enum Trap: String, CaseIterable, Codable, Sendable {
        case owner, hardLink, groupMode, othersMode

        /// Only root can give a file to another user.
        static let possible = allCases.filter { $0 != .owner || geteuid() == 0 }

        func set(_ path: String, in folder: DownloadFolder) throws {
            switch self {
            case .owner: try #require(unsafe chown(path, 65_534, 65_534) == 0)
            case .hardLink: try #require(unsafe link(path, folder.file("victim")) == 0)
            case .groupMode: try #require(unsafe chmod(path, 0o660) == 0)
            case .othersMode: try #require(unsafe chmod(path, 0o606) == 0)
            }
        }
    }

    private static func status(_ path: String) throws -> stat {
        var status = stat()
        try #require(unsafe lstat(path, &status) == 0)
        return status
    }

    private func origin(expecting range: String?) -> MockSession {
        MockSession { request in
            #expect(request.headers[.range] == range)
            guard range != nil else {
                return HTTPResponse(
                    .ok, headers: [.eTag: #""v1""#],
                    body: HTTPBody(Data(LoopbackPattern.bytes(0..<100))), to: request)
            }
            return HTTPResponse(
                .partialContent, headers: [.eTag: #""v1""#, .contentRange: "bytes 20-99/100"],
                body: HTTPBody(Data(LoopbackPattern.bytes(20..<100))), to: request)
        }
    }

    /// Expects the file to be as one that this process has just created.
    private func expectOwn(_ name: String) throws {
        let plain = folder.file("plain")
        let descriptor = unsafe open(plain, O_WRONLY | O_CREAT | O_EXCL, 0o666)
        try #require(descriptor >= 0)
        _ = close(descriptor)
        let (expected, found) = (try Self.status(plain), try Self.status(folder.file(name)))
        #expect(found.st_mode == expected.st_mode && found.st_uid == geteuid())
        #expect(found.st_gid == expected.st_gid && found.st_nlink == 1)
    }

    @Test(.rows("S1-31", "S1-39"), arguments: Trap.possible)
    func `a part that another user may have prepared is not continued`(trap: Trap) async throws {
        let poison = [UInt8](repeating: 9, count: 20)
        try folder.write(poison, to: "file.part")
        try folder.write(JSONEncoder().encode(record), to: "file.part.json")
        try trap.set(folder.file("file.part"), in: folder)
        #expect(HTTPResumeData(downloadTo: folder.file()) == nil)
        try await origin(expecting: nil).download(request, to: folder.file())
        #expect(try folder.bytes() == LoopbackPattern.bytes(0..<100))
        if trap == .hardLink { #expect(try folder.bytes(of: "victim") == poison) }
        try expectOwn("file")
    }

    @Test(.rows("S1-31", "S1-39"), arguments: Trap.possible)
    func `a record that another user may have prepared is not believed`(trap: Trap) async throws {
        try folder.write([UInt8](repeating: 9, count: 20), to: "file.part")
        let text = try JSONEncoder().encode(record)
        try folder.write(text, to: "file.part.json")
        try trap.set(folder.file("file.part.json"), in: folder)
        #expect(HTTPResumeData(downloadTo: folder.file()) == nil)
        try await origin(expecting: nil).download(request, to: folder.file())
        #expect(try folder.bytes() == LoopbackPattern.bytes(0..<100))
        if trap == .hardLink { #expect(try folder.bytes(of: "victim") == Array(text)) }
        try expectOwn("file")
    }

    @Test(.rows("S1-31", "S1-39"), arguments: ["file.part.json~", "file.part.json"])
    func `no file is written through a prepared name of the record`(name: String) throws {
        try folder.write([1, 2, 3], to: "victim")
        let file = try PartialFile(for: folder.file())
        try file.write(record)
        _ = unsafe unlink(folder.file(name))
        try #require(unsafe link(folder.file("victim"), folder.file(name)) == 0)
        var ranged = record
        ranged.goOn(beside: [], of: 100)
        #expect(
            try file.note(StoredRanges(durable: [], arrived: [0..<1]))
                == (name == "file.part.json~"))
        try file.write(ranged)
        try Data(LoopbackPattern.bytes(0..<100)).write(toDescriptor: file.descriptor, at: 0)
        try file.finish()
        #expect(try folder.bytes(of: "victim") == [1, 2, 3])
        #expect(try folder.names == ["file", "victim"])
    }

    @Test(.rows("S1-31", "S1-39"))
    func `the user's own part is continued, is private until it is whole, and is the user's then`()
        async throws
    {
        try folder.write(LoopbackPattern.bytes(0..<20), to: "file.part")
        try folder.write(JSONEncoder().encode(record), to: "file.part.json")
        try await origin(expecting: "bytes=20-").download(request, to: folder.file())
        #expect(try folder.bytes() == LoopbackPattern.bytes(0..<100))
        try expectOwn("file")
        _ = unsafe unlink(folder.file("plain"))
        let next = try PartialFile(for: folder.file("next"))
        try next.write(record)
        #expect(try Self.status(next.names.part).st_mode & 0o777 == 0o600)
        #expect(try Self.status(next.names.record).st_mode & 0o777 == 0o600)
        try next.finish()
        try expectOwn("next")
    }

    @Test(.rows("S1-39"))
    func `a part that is replaced during the download is not taken for the file`() throws {
        try folder.write([9], to: "file")
        let file = try PartialFile(for: folder.file())
        _ = unsafe unlink(file.names.part)
        try folder.write([6, 6, 6], to: "file.part")
        let error = #expect(throws: HTTPError.self) { try file.finish() }
        #expect(error?.code == .fileNotWritten)
        #expect(try folder.bytes() == [9])
    }

    /// A folder such as /tmp, where only the owner of a file may remove it. Root may do so, too.
    @Test(.rows("S1-39"), .enabled(if: geteuid() == 0, "only root can become another user"))
    func `a part that cannot be replaced is refused by name, and nothing is sent`() async throws {
        try folder.write([9], to: "file.part")
        try #require(unsafe chmod(folder.file("file.part"), 0o666) == 0)
        try #require(unsafe chmod(folder.path, 0o1777) == 0)
        let path = folder.file()
        await #expect(processExitsWith: .success) { [path = path as String] in
            guard setuid(65_534) == 0 else { exit(7) }
            let session = MockSession { HTTPResponse(.ok, body: HTTPBody("abc"), to: $0) }
            do {
                try await session.download("https://h/f", to: path)
                exit(1)
            } catch let error as HTTPError {
                guard error.code == .fileNotWritten, session.requests.isEmpty,
                    error.message.contains("belongs to another user"),
                    error.message.contains("remove it")
                else { exit(2) }
            }
            exit(0)
        }
        #expect(try folder.bytes(of: "file.part") == [9])
    }

    @Test(.rows("S1-31"), .timeLimit(.minutes(5)), arguments: ["pipe", "folder", "link", "huge"])
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
