import HTTPCodings
import HTTPCore
import HTTPFormats
import HTTPHashing
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPClientKit
import PortableFoundation

/// Tests downloads of an object that is stored in a content coding, over a mock of a server that
/// knows nothing but the coded bytes.
@Suite(.timeLimit(.minutes(5))) struct DecodedFileTests {
    private let folder: DownloadFolder
    private let url = "https://h/object?key=hunter2"
    private let old = Array("old".utf8)

    init() throws {
        folder = try DownloadFolder()
        try folder.write(old, to: "file")
    }

    /// Bytes of which some compress.
    private static let content: Data = {
        var random = SeededRandom(7)
        var bytes = Data()
        for _ in 0..<10 {
            bytes += Data("All work and no play. All work and no play.\n".utf8)
            bytes += Data((0..<60).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
        return bytes
    }()

    /// An object as it is stored, and what its file is.
    private struct Stored: Sendable, CustomTestStringConvertible {
        enum File: Sendable {
            /// This content, if it is decoded.
            case content(Data)
            /// The bytes that are stored.
            case coded
            /// No file: the coding is broken.
            case broken
        }

        let name: String
        /// The value of `Content-Encoding`.
        let coding: String?
        let bytes: Data
        let file: File
        var testDescription: String { name }

        /// `Content-Encoding` without `identity`.
        var contentCoding: String? { coding == "identity" ? nil : coding }

        static let all: [Stored] = {
            do { return try make() } catch { return [] }
        }()

        private static func make() throws -> [Stored] {
            let content = DecodedFileTests.content
            let codings = HTTPContentCoding.allCases.filter { $0.canDecode && $0.canEncode }
            var all: [Stored] = []
            for coding in codings {
                let name = coding.rawValue
                let bytes = try ContentEncoder.encode(content, coding)
                all += [
                    Stored(name: name, coding: name, bytes: bytes, file: .content(content)),
                    Stored(
                        name: "\(name), cut at the end", coding: name, bytes: bytes.dropLast(),
                        file: .broken),
                    Stored(
                        name: "\(name), half", coding: name,
                        bytes: bytes.prefix(bytes.count / 2), file: .broken),
                    Stored(
                        name: "\(name), with more after its end", coding: name,
                        bytes: bytes + Data("more".utf8), file: .broken),
                    Stored(
                        name: "\(name), twice", coding: name, bytes: bytes + bytes,
                        file: coding == .gzip || coding == .zstd
                            ? .content(content + content) : .broken),
                    Stored(
                        name: "\(name), which is not", coding: name, bytes: content,
                        file: .broken),
                    Stored(name: "\(name), empty", coding: name, bytes: Data(), file: .coded),
                ]
            }
            let gzip = try ContentEncoder.encode(content, .gzip)
            var wrong = gzip
            wrong[wrong.count - 8] ^= 1  // the CRC before the length
            let both = try ContentEncoder.encode(gzip, .deflate)
            return all + [
                Stored(name: "a wrong CRC", coding: "gzip", bytes: wrong, file: .broken),
                Stored(name: "x-gzip", coding: "x-gzip", bytes: gzip, file: .content(content)),
                Stored(
                    name: "two codings", coding: "gzip, deflate", bytes: both,
                    file: .content(content)),
                Stored(name: "identity", coding: "identity", bytes: content, file: .coded),
                Stored(name: "none", coding: nil, bytes: content, file: .coded),
                Stored(name: "aws-chunked", coding: "aws-chunked", bytes: content, file: .coded),
                Stored(name: "utf-8", coding: "utf-8", bytes: content, file: .coded),
                Stored(
                    name: "one of two is unknown", coding: "gzip, aws-chunked", bytes: gzip,
                    file: .coded),
            ]
        }
    }

    @Test
    func `the table has all codings`() {
        #expect(Stored.all.count == 7 * HTTPContentCoding.allCases.count + 8)
    }

    /// The ways in which the bytes come.
    private enum Way: String, CaseIterable, Sendable {
        case fresh
        /// The response names no version, so that nothing can be continued.
        case unversioned
        /// The body breaks in the middle, and the call goes on.
        case resumed
        /// The body breaks in the middle, and a later call goes on.
        case later
        /// An earlier call has received all bytes, and the server says 416.
        case unsatisfiable
        /// Three ranges at once.
        case ranges
    }

    /// A server of an object.
    private final class Server: Sendable {
        let bytes: Data
        let headers: HTTPHeaders
        /// The number of bytes after which the next body breaks.
        let cut: Locked<Int?>
        /// The number of requests that are to come before bodies do. A body that is there at once
        /// may fill the gaps of ranges that are not yet requested.
        private let awaited: Locked<Int>
        private let haveCome = Gate()

        init(_ stored: Stored, cut: Int? = nil, isVersioned: Bool = true, awaiting: Int = 1) {
            awaited = Locked(awaiting)
            bytes = Data(stored.bytes)
            var headers: HTTPHeaders = [.acceptRanges: "bytes"]
            if isVersioned { headers[.eTag] = #""v1""# }
            headers[.contentEncoding] = stored.coding
            self.headers = headers
            self.cut = Locked(cut)
        }

        private func answer(_ request: HTTPRequest) throws -> HTTPResponse {
            let left = awaited.withLock { left in
                left -= 1
                return left
            }
            if left == 0 { haveCome.open() }
            var headers = headers
            var content = bytes
            var status = HTTPStatus.ok
            if let asked = request.headers.range {
                guard let range = asked.parts[0].resolved(inLength: bytes.count) else {
                    headers[.contentRange] = "bytes */\(bytes.count)"
                    headers[.contentEncoding] = nil
                    return HTTPResponse(
                        .rangeNotSatisfiable, headers: headers, body: HTTPBody("no"), to: request)
                }
                headers[.contentRange] =
                    "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)"
                status = .partialContent
                content = Data(bytes[range])
            }
            headers[.contentLength] = "\(content.count)"
            let cut = cut.withLock { cut in
                defer { cut = nil }
                return cut
            }
            let length = Int64(content.count)
            let rest = Locked(content.prefix(cut ?? .max))
            let pieces = AsyncThrowingStream<Data, any Error> { [haveCome] in
                try await haveCome.wait()
                let piece = rest.withLock { rest in
                    defer { rest = rest.dropFirst(97) }
                    return Data(rest.prefix(97))
                }
                guard piece.isEmpty else { return piece }
                guard cut == nil else {
                    throw HTTPError(
                        .bodyIncomplete, "cut", phase: .receiving, isRetryable: true)
                }
                return nil
            }
            return HTTPResponse(
                status, headers: headers, body: HTTPBody(pieces, length: length), to: request)
        }

        var session: MockSession { MockSession { try self.answer($0) } }
    }

    private func options(
        _ decoding: HTTPDownloadOptions.Decoding = .automatic, resumptions: Int = 5
    ) -> HTTPDownloadOptions {
        var options = HTTPDownloadOptions()
        options.decoding = decoding
        options.backoff = .constant(.zero)
        options.maxResumptions = resumptions
        return options
    }

    private func record() throws -> PartRecord? {
        try? PartRecord(encoded: Data(folder.bytes(of: "file.part.json")))
    }

    /// Leaves the first bytes of an object, as a call that breaks does.
    private func leave(_ stored: Stored, _ count: Int) async throws {
        let server = Server(stored, cut: count)
        await #expect(throws: HTTPError.self) {
            try await server.session.download(
                url, to: folder.file(), options: options(resumptions: 0))
        }
        guard count > 0 else { return }
        #expect(try folder.bytes(of: "file.part") == Array(stored.bytes.prefix(count)))
        #expect(try record()?.coding == stored.contentCoding)
        #expect(try folder.names == ["file", "file.part", "file.part.json"])
    }

    private func expectFile(
        _ bytes: Data, coded coding: String?, _ download: HTTPDownload,
        _ place: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try Data(folder.bytes()) == bytes, sourceLocation: place)
        #expect(try folder.names == ["file"], "nothing else is left", sourceLocation: place)
        #expect(download.path == folder.file(), sourceLocation: place)
        #expect(download.length == Int64(bytes.count), sourceLocation: place)
        #expect(download.contentCoding == coding, sourceLocation: place)
        #expect(download.response.headers.contentCoding == coding, sourceLocation: place)
    }

    // MARK: Every coding, in every way

    @Test(.rows("S1-31", "S1-37", "S1-39"), arguments: Stored.all, Way.allCases)
    private func `the file is the content, or coded if that is wanted, or none`(
        stored: Stored, way: Way
    ) async throws {
        for decoding in [HTTPDownloadOptions.Decoding.automatic, .never] {
            try folder.write(old, to: "file")
            let half = stored.bytes.count / 2
            var options = options(decoding)
            let isSplit = way == .ranges && stored.bytes.count >= 200
            let server = Server(
                stored, isVersioned: way != .unversioned, awaiting: isSplit ? 2 : 1)
            switch way {
            case .fresh, .unversioned: break
            case .resumed: server.cut.withLock { $0 = half > 0 ? half : nil }
            case .later: try await leave(stored, half)
            case .unsatisfiable:
                // A call that did not know the length, and ended before the end was seen.
                try await leave(stored, stored.bytes.count)
                if var record = try record() {
                    record.length = nil
                    try folder.write(record.encoded(), to: "file.part.json")
                }
            case .ranges:
                options.maxConcurrentRanges = 3
                options.shortestRange = 100
            }
            let log = Locked([HTTPTransferProgress]())
            let session = server.session
            let result: Result<HTTPDownload, any Error>
            do {
                result = .success(
                    try await session.download(url, to: folder.file(), options: options) { news in
                        log.withLock { $0.append(news) }
                    })
            } catch {
                result = .failure(error)
            }
            #expect(session.requests.allSatisfy { $0.headers[.acceptEncoding] == "identity" })
            switch stored.file {
            case .broken where decoding == .automatic:
                let error = try #require(throws: HTTPError.self) { try result.get() }
                #expect(error.code == .contentDecodingFailed && !error.isRetryable)
                #expect(error.method == .get && error.url == "https://h/object?…")
                #expect(error.response != nil)
                #expect(try folder.bytes() == old)
                #expect(try folder.names == ["file"])
                // The next call begins anew.
                let next = Server(Stored.all[0]).session
                let download = try await next.download(url, to: folder.file(), options: options)
                #expect(next.requests.first?.headers[.range] == nil)
                try expectFile(Self.content, coded: nil, download)
            case .content(let content) where decoding == .automatic:
                let download = try result.get()
                try expectFile(content, coded: nil, download)
                #expect(!download.response.headers.contains(.contentLength))
            case .coded where stored.bytes.isEmpty:
                let download = try result.get()
                let coding = decoding == .never ? stored.contentCoding : nil
                try expectFile(Data(), coded: coding, download)
            case .broken, .content, .coded:
                try expectFile(stored.bytes, coded: stored.contentCoding, try result.get())
            }
            guard case .success(let download) = result else { continue }
            let progress = log.withLock { $0 }
            #expect(progress.last?.fraction == 1)
            #expect(progress.last?.bytes == Int64(stored.bytes.count), "the bytes of the wire")
            #expect(progress.map(\.bytes) == progress.map(\.bytes).sorted())
            switch way {
            case .later where half > 0: #expect(download.resumedOffset == Int64(half))
            case .resumed where half > 0: #expect(download.resumptions == 1)
            case .unsatisfiable where !stored.bytes.isEmpty:
                #expect(download.response.status == .rangeNotSatisfiable)
            case .ranges: #expect(session.requests.count > 1 || !isSplit)
            default: #expect(session.requests.count == 1)
            }
        }
    }

    @Test(.rows("S1-31"))
    func `more codings than are decoded are refused before anything is loaded`() async throws {
        let stored = Stored(
            name: "", coding: "gzip, gzip, gzip, gzip", bytes: Self.content, file: .broken)
        let session = Server(stored).session
        for _ in 0..<2 {
            let error = await #expect(throws: HTTPError.self) {
                try await session.download(url, to: folder.file())
            }
            #expect(error?.code == .contentDecodingFailed && error?.status == .ok)
            #expect(error?.bodyPrefix == nil)
            #expect(try folder.names == ["file"])
        }
        // What an earlier call has left stays, for a call that keeps the codings.
        let server = Server(stored, cut: 300)
        _ = try? await server.session.download(
            url, to: folder.file(), options: options(.never, resumptions: 0))
        await #expect(throws: HTTPError.self) {
            try await session.download(url, to: folder.file())
        }
        #expect(HTTPResumeData(downloadTo: folder.file())?.bytes == 300)
        let download = try await session.download(
            url, to: folder.file(), options: options(.never))
        #expect(download.resumedOffset == 300)
        try expectFile(Self.content, coded: stored.coding, download)
    }

    @Test(.rows("S1-31"))
    func `a request that accepts a coding loads fewer bytes, and its file is decoded, too`()
        async throws
    {
        let session = Server(Stored.all[0]).session
        let request = try HTTPRequest(url).header(.acceptEncoding, "gzip, deflate")
        let download = try await session.download(request, to: folder.file())
        #expect(session.requests.map { $0.headers[.acceptEncoding] } == ["gzip, deflate"])
        try expectFile(Self.content, coded: nil, download)
    }

    // MARK: Checks

    private var gzip: Stored {
        get throws { try #require(Stored.all.first { $0.name == "gzip" }) }
    }

    @Test(.rows("S1-37"))
    func `the digest is that of the file that results`() async throws {
        let stored = try gzip
        let digests = (
            decoded: SHA256.hash(Self.content).hexadecimal,
            coded: SHA256.hash(stored.bytes).hexadecimal
        )
        for (decoding, right, wrong) in [
            (HTTPDownloadOptions.Decoding.automatic, digests.decoded, digests.coded),
            (.never, digests.coded, digests.decoded),
        ] {
            try folder.write(old, to: "file")
            var options = options(decoding)
            options.sha256 = wrong
            let error = await #expect(throws: HTTPError.self) {
                try await Server(stored).session.download(
                    url, to: folder.file(), options: options)
            }
            #expect(error?.code == .digestMismatch)
            #expect(error?.bodyPrefix?.first == (decoding == .never ? 0x1F : UInt8(ascii: "A")))
            #expect(try folder.bytes() == old)
            #expect(try folder.names == ["file"])
            options.sha256 = right
            let session = Server(stored).session
            try await session.download(url, to: folder.file(), options: options)
            #expect(session.requests.map { $0.headers[.range] } == [nil])
        }
    }

    @Test(.rows("S1-37"))
    func `a digest field is checked against the bytes of the wire`() async throws {
        let stored = try gzip
        for (bytes, isRight) in [(stored.bytes, true), (Self.content, false)] {
            try folder.write(old, to: "file")
            let digest = Data(SHA256.hash(bytes)).base64EncodedString()
            let session = MockSession { request in
                HTTPResponse(
                    .ok,
                    headers: [
                        .contentEncoding: "gzip", "Content-Digest": "sha-256=:\(digest):",
                    ],
                    body: HTTPBody(stored.bytes), to: request)
            }.with(DigestFields())
            guard !isRight else {
                let download = try await session.download(url, to: folder.file())
                try expectFile(Self.content, coded: nil, download)
                continue
            }
            let error = await #expect(throws: HTTPError.self) {
                try await session.download(url, to: folder.file())
            }
            #expect(error?.code == .digestMismatch)
            #expect(try folder.bytes() == old)
            #expect(try folder.names == ["file"])
        }
    }

    @Test(.rows("S1-37"))
    func `a limit holds for the bytes of the wire and for those of the file`() async throws {
        let stored = try gzip
        let size = Self.content.count
        try #require(stored.bytes.count < size - 1)
        for (limit, decoding, isBroken) in [
            (size, HTTPDownloadOptions.Decoding.automatic, false), (size - 1, .automatic, true),
            (stored.bytes.count, .never, false), (stored.bytes.count - 1, .never, true),
            (stored.bytes.count - 1, .automatic, true),
        ] {
            try folder.write(old, to: "file")
            let session = Server(stored).session
            var request = try HTTPRequest(url)
            request.delivery = .buffered(upTo: limit)
            guard isBroken else {
                try await session.download(
                    request, to: folder.file(), options: options(decoding))
                continue
            }
            let error = await #expect(throws: HTTPError.self) {
                try await session.download(request, to: folder.file(), options: options(decoding))
            }
            #expect(error?.code == .bodyTooLarge && error?.status == .ok)
            #expect(try folder.bytes() == old)
            #expect(try folder.names == ["file"])
        }
    }

    @Test(.rows("S1-37"))
    func `a file that expands without bounds is given up`() async throws {
        let coded = try ContentEncoder.encode(Data(count: 32 << 20), .gzip)
        let stored = Stored(name: "", coding: "gzip", bytes: coded, file: .broken)
        let error = await #expect(throws: HTTPError.self) {
            try await Server(stored).session.download(url, to: folder.file())
        }
        #expect(error?.code == .bodyTooLarge)
        #expect(try folder.names == ["file"])
        let download = try await Server(stored).session.download(
            url, to: folder.file(), options: options(.never))
        try expectFile(coded, coded: "gzip", download)
    }

    // MARK: Validators

    @Test(.rows("B-20"))
    func `validators read the content, and a refused file is loaded again`() async throws {
        let session = Server(try gzip).session
        let count = Locked(0)
        let paths = Locked([String]())
        let pipeline = session.pipeline(for: url, downloadingTo: folder.file())
            .validate { file in
                paths.withLock { $0.append(file.path) }
                let bytes = try Data(contentsOf: URL(filePath: file.path))
                #expect(bytes == Self.content)
                #expect(file.length == Int64(Self.content.count) && file.contentCoding == nil)
                let isFirst = count.withLock { count in
                    count += 1
                    return count == 1
                }
                return isFirst ? .invalid(reason: "once") : .valid
            }
            .validate(
                using: ClosureValidator(bodyLimit: 1 << 20) { response, _ in
                    let body = try await response.data()
                    #expect(body == Self.content)
                    #expect(!response.headers.contains(.contentEncoding))
                    #expect(!response.headers.contains(.contentLength))
                    #expect(response.body.length == Int64(Self.content.count))
                    return .next
                }
            )
            .retry(1)
        let download = try await pipeline.value()
        try expectFile(Self.content, coded: nil, download)
        #expect(session.requests.map { $0.headers[.range] } == [nil, nil])
        #expect(Set(paths.withLock { $0 }) == [folder.file("file.part.decoded")])
    }

    @Test(.rows("B-20"), arguments: [HTTPDownloadOptions.Decoding.automatic, .never])
    func `validators see the head of the file that was put together`(
        decoding: HTTPDownloadOptions.Decoding
    ) async throws {
        let stored = try gzip
        let length = decoding == .never ? stored.bytes.count : Self.content.count
        for isUnsatisfiable in [false, true] {
            try await leave(stored, isUnsatisfiable ? stored.bytes.count : 100)
            if isUnsatisfiable, var record = try record() {
                record.length = nil
                try folder.write(record.encoded(), to: "file.part.json")
            }
            let pipeline = Server(stored).session
                .pipeline(for: url, downloadingTo: folder.file(), options: options(decoding))
                .validate(
                    using: ClosureValidator { response, _ in
                        #expect(response.status == .ok)
                        #expect(response.headers[.contentLength] == "\(length)")
                        #expect(
                            response.headers.contentCoding == (decoding == .never ? "gzip" : nil))
                        return .next
                    })
            let download = try await pipeline.value()
            #expect(download.length == Int64(length))
            #expect(
                download.response.status
                    == (isUnsatisfiable ? .rangeNotSatisfiable : .partialContent))
        }
    }

    @Test(.rows("B-20"))
    func `a refused file leaves nothing`() async throws {
        let session = Server(try gzip).session
        let pipeline = session.pipeline(for: url, downloadingTo: folder.file())
            .validate { _ in .invalid(reason: "never") }
        await #expect(throws: HTTPError.self) { try await pipeline.value() }
        #expect(try folder.bytes() == old)
        #expect(try folder.names == ["file"])
    }

    @Test(.rows("B-20", "S1-31"), arguments: [1, 3])
    func `a cancelled validator leaves the coded bytes, which the next call continues`(
        ranges: Int
    ) async throws {
        let stored = try gzip
        var options = options()
        options.maxConcurrentRanges = ranges
        options.shortestRange = 100
        let session = Server(stored, awaiting: ranges).session
        let pipeline = session.pipeline(for: url, downloadingTo: folder.file(), options: options)
            .validate { _ in throw CancellationError() }
        await #expect(throws: CancellationError.self) { try await pipeline.value() }
        #expect(session.requests.count >= ranges)
        #expect(try folder.names == ["file", "file.part", "file.part.json"])
        #expect(try Data(folder.bytes(of: "file.part")) == stored.bytes)
        let next = Server(stored).session
        let download = try await next.download(url, to: folder.file())
        #expect(next.requests.map { $0.headers[.range] } == ["bytes=\(stored.bytes.count - 1)-"])
        #expect(download.resumedOffset == Int64(stored.bytes.count - 1))
        try expectFile(Self.content, coded: nil, download)
    }

    // MARK: Progress

    @Test(.rows("S1-37"))
    func `the progress of a task ends with the bytes of the wire`() async throws {
        let stored = try gzip
        let task = Server(stored).session.downloadTask(url, to: folder.file())
        let news = task.progress
        task.run()
        #expect(try await task.value.length == Int64(Self.content.count))
        var last: HTTPTransferProgress?
        for await progress in news { last = progress }
        #expect(last?.bytes == Int64(stored.bytes.count))
        #expect(last?.fraction == 1)
    }

    @Test(.rows("S1-31"))
    func `a call that is cancelled before it decodes leaves the coded bytes`() async throws {
        let stored = try gzip
        let task = Task { [url, path = folder.file()] in
            try await Server(stored).session.download(url, to: path) { progress in
                if progress.fraction == 1 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try folder.names == ["file", "file.part", "file.part.json"])
        let download = try await Server(stored).session.download(url, to: folder.file())
        #expect(download.resumedOffset == Int64(stored.bytes.count - 1))
        try expectFile(Self.content, coded: nil, download)
    }

    // MARK: Killed processes

    /// The steps at which a process is killed that turns the part into the file.
    private enum Step: String, CaseIterable, Sendable {
        case arrived, decoding, decoded, named, unrecorded
    }

    /// - Returns: The files during a validation, when the decoded file is whole.
    private func decodedFiles(_ stored: Stored) async throws -> [String: [UInt8]] {
        let files = Locked([String: [UInt8]]())
        let pipeline = Server(stored).session.pipeline(for: url, downloadingTo: folder.file())
            .validate { [folder] _ in
                for name in try folder.names {
                    let bytes = try folder.bytes(of: name)
                    files.withLock { $0[name] = bytes }
                }
                // While it is validated, no other call has the file.
                let error = await #expect(throws: HTTPError.self) {
                    try await Server(stored).session.download(url, to: folder.file())
                }
                #expect(error?.code == .fileBusy)
                return .invalid(reason: "seen")
            }
        _ = try? await pipeline.value()
        return files.withLock { $0 }
    }

    @Test(
        .rows("S1-31", "S1-39"), arguments: Step.allCases,
        [HTTPDownloadOptions.Decoding.automatic, .never])
    private func `a killed process leaves no state whose bytes are taken for others`(
        step: Step, decoding: HTTPDownloadOptions.Decoding
    ) async throws {
        let stored = try gzip
        var files = try await decodedFiles(stored)
        #expect(
            files.keys.sorted() == [
                "file", "file.part", "file.part.decoded", "file.part.json",
            ])
        #expect(files["file"] == old)
        #expect(files["file.part"] == Array(stored.bytes))
        #expect(files["file.part.decoded"] == Array(Self.content))
        switch step {
        case .arrived: files["file.part.decoded"] = nil
        case .decoding: files["file.part.decoded"]?.removeLast(Self.content.count / 2)
        case .decoded: break
        case .named: files["file"] = files.removeValue(forKey: "file.part.decoded")
        case .unrecorded:
            files["file"] = files.removeValue(forKey: "file.part.decoded")
            files["file.part.json"] = nil
        }
        for (name, bytes) in files { try folder.write(bytes, to: name) }
        #expect(try folder.names == files.keys.sorted())
        let session = Server(stored).session
        let download = try await session.download(
            url, to: folder.file(), options: options(decoding))
        #expect(
            session.requests.map { $0.headers[.range] } == [
                step == .unrecorded ? nil : "bytes=\(stored.bytes.count - 1)-"
            ])
        switch decoding {
        case .automatic: try expectFile(Self.content, coded: nil, download)
        case .never: try expectFile(stored.bytes, coded: "gzip", download)
        }
    }

    @Test(.rows("S1-31", "S1-39"))
    func `a decoded file that was left goes with any later download, also one that breaks`()
        async throws
    {
        try folder.write([1], to: "file.part.decoded")
        try await leave(try gzip, 100)
        try folder.write([1], to: "file.part.decoded")
        let plain = Stored(name: "", coding: nil, bytes: Self.content, file: .coded)
        let download = try await Server(plain).session.download(url, to: folder.file())
        try expectFile(Self.content, coded: nil, download)
    }

    @Test(.rows("S1-39"))
    func `a file that could not get its name is continued by the next value`() async throws {
        let stored = try gzip
        let session = Server(stored).session
        let place = folder.file()
        let pipeline = session.pipeline(for: url, downloadingTo: place)
            .validate { _ in
                guard session.requests.count == 1 else { return .valid }
                try FileManager.default.removeItem(atPath: place)
                try FileManager.default.createDirectory(
                    atPath: place, withIntermediateDirectories: false)
                return .valid
            }
        let error = await #expect(throws: HTTPError.self) { try await pipeline.value() }
        #expect(error?.code == .fileNotWritten)
        #expect(try folder.names == ["file", "file.part", "file.part.json"])
        #expect(try Data(folder.bytes(of: "file.part")) == stored.bytes)
        try FileManager.default.removeItem(atPath: place)
        let download = try await pipeline.value()
        #expect(session.requests.last?.headers[.range] == "bytes=\(stored.bytes.count - 1)-")
        try expectFile(Self.content, coded: nil, download)
    }

    // MARK: Other files

    @Test(.rows("S1-39"))
    func `a link in the place of the decoded file is not followed`() async throws {
        try folder.write([1], to: "victim")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("file.part.decoded"), withDestinationPath: folder.file("victim"))
        try await Server(try gzip).session.download(url, to: folder.file())
        #expect(try folder.bytes(of: "victim") == [1])
        #expect(try Data(folder.bytes()) == Self.content)
        #expect(try folder.names == ["file", "victim"])
    }

    @Test(.rows("S1-39"))
    func `without room for the decoded file, the coded bytes are kept`() async throws {
        let stored = try gzip
        let place = folder.file("file.part.decoded")
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: false)
        let error = await #expect(throws: HTTPError.self) {
            try await Server(stored).session.download(url, to: folder.file())
        }
        #expect(error?.code == .fileNotWritten)
        #expect(try folder.bytes() == old)
        #expect(
            try folder.names == ["file", "file.part", "file.part.decoded", "file.part.json"])
        try FileManager.default.removeItem(atPath: place)
        let download = try await Server(stored).session.download(url, to: folder.file())
        #expect(download.resumedOffset == Int64(stored.bytes.count - 1))
        try expectFile(Self.content, coded: nil, download)
    }

    @Test(.rows("S1-39"))
    func `a decoded file that another one has replaced does not become the file`() async throws {
        let pipeline = Server(try gzip).session.pipeline(for: url, downloadingTo: folder.file())
            .validate { [folder] file in
                try FileManager.default.removeItem(atPath: file.path)
                try folder.write([6], to: "file.part.decoded")
                return .valid
            }
        let error = await #expect(throws: HTTPError.self) { try await pipeline.value() }
        #expect(error?.code == .fileNotWritten)
        #expect(try folder.bytes() == old)
    }
}
