import HTTPCore
import HTTPFormats
import HTTPHashing
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPClientKit
import PortableFoundation
import PortableLibc

/// Tests downloads that load several ranges at once, over a mock of a server with one file of 1,000
/// bytes.
@Suite(.timeLimit(.minutes(5))) struct RangedDownloadTests {
    private let folder: DownloadFolder
    private let url = "https://h/file?key=hunter2"

    init() throws { folder = try DownloadFolder() }

    /// A version of the file, and the responses with it.
    private struct Version: Sendable {
        var content: [UInt8]
        var headers: HTTPHeaders

        static let first = Version(
            content: LoopbackPattern.bytes(0..<1000),
            headers: [.eTag: #""v1""#, .acceptRanges: "bytes"])
        static let second = Version(
            content: LoopbackPattern.bytes(0..<1000).reversed(),
            headers: [.eTag: #""v2""#, .acceptRanges: "bytes"])

        func whole(
            _ request: HTTPRequest, after gate: Gate? = nil, cut: Int? = nil, ended: Gate? = nil
        ) -> HTTPResponse {
            let body = body(0..<content.count, after: gate, cut: cut, ended: ended)
            return HTTPResponse(.ok, headers: headers, body: body, to: request)
        }

        /// Responds to a range request.
        func part(
            _ request: HTTPRequest, after gate: Gate? = nil, cut: Int? = nil, ended: Gate? = nil,
            atMost count: Int = .max
        ) throws -> HTTPResponse {
            let range = try #require(
                request.headers.range?.parts.first?.resolved(inLength: content.count)
            ).prefix(count)
            var headers = headers
            headers[.contentRange] =
                "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(content.count)"
            let body = body(range, after: gate, cut: cut, ended: ended)
            return HTTPResponse(.partialContent, headers: headers, body: body, to: request)
        }

        private func body(
            _ range: Range<Int>, after gate: Gate?, cut: Int?, ended: Gate?
        ) -> HTTPBody {
            let next = Locked(range.lowerBound)
            let end = cut.map { min(range.lowerBound + $0, range.upperBound) } ?? range.upperBound
            let pieces = AsyncThrowingStream<Data, any Error> { [content] in
                try await gate?.wait()
                let piece = next.withLock { next in
                    defer { next = min(next + 7, end) }
                    return next..<min(next + 7, end)
                }
                guard piece.isEmpty else { return Data(content[piece]) }
                ended?.open()
                guard cut == nil else {
                    throw HTTPError(
                        .bodyIncomplete, "cut", phase: .receiving, isRetryable: true)
                }
                return nil
            }
            return HTTPBody(pieces, length: Int64(range.count))
        }
    }

    /// Opens a gate at the last of a number of events.
    private final class Countdown: Sendable {
        let gate = Gate()
        private let left: Locked<Int>

        init(_ count: Int) { left = Locked(count) }

        func count() {
            let isOver = left.withLock { left in
                left -= 1
                return left == 0
            }
            if isOver { gate.open() }
        }
    }

    private func options(_ ranges: Int, shortest: Int64 = 200) -> HTTPDownloadOptions {
        var options = HTTPDownloadOptions()
        options.backoff = .constant(.zero)
        options.maxConcurrentRanges = ranges
        options.shortestRange = shortest
        return options
    }

    private func expectFile(_ version: Version = .first) throws {
        #expect(try folder.bytes() == version.content)
        #expect(try folder.names == ["file"], "nothing else is left")
    }

    private func ranges(_ session: MockSession) -> [String] {
        session.requests.map { $0.headers[.range] ?? "whole" }.sorted()
    }

    /// Leaves a part of the first version with these ranges, as a killed process would.
    private func leave(_ arrived: [Range<Int64>]) throws {
        let request = try HTTPRequest(url)
        let head = HTTPResponse.Head(
            status: .ok, headers: Version.first.headers, url: request.url)
        var record = try #require(PartRecord(head, to: request, length: 1000))
        record.goOn(beside: arrived, of: 1000)
        var bytes = [UInt8](repeating: 9, count: Int(arrived.last?.upperBound ?? 0))
        for range in arrived {
            for byte in range { bytes[Int(byte)] = Version.first.content[Int(byte)] }
        }
        try folder.write(bytes, to: "file.part")
        try folder.write(record.encoded(), to: "file.part.json")
    }

    // MARK: At once

    @Test(.rows("S1-31", "S1-37"))
    func `the first response goes on as the first range, and others bring the rest`() async throws {
        let others = Countdown(3)
        let session = MockSession { request in
            guard request.headers.contains(.range) else {
                return Version.first.whole(request, after: others.gate)
            }
            let response = try Version.first.part(request)
            response.body.whenEnded { _ in others.count() }
            return response
        }
        let log = Locked([HTTPTransferProgress]())
        var options = options(4)
        options.sha256 = SHA256.hash(Version.first.content).hexadecimal
        let download = try await session.download(url, to: folder.file(), options: options) {
            news in
            log.withLock { $0.append(news) }
        }
        try expectFile()
        #expect(ranges(session) == ["bytes=250-499", "bytes=500-749", "bytes=750-999", "whole"])
        #expect(session.requests.first?.headers.contains(.range) == false)
        #expect(session.requests.dropFirst().allSatisfy { $0.headers[.ifRange] == #""v1""# })
        #expect(session.requests.allSatisfy { $0.headers[.acceptEncoding] == "identity" })
        #expect(download.length == 1000 && download.response.status == .ok)
        #expect(download.resumedOffset == nil && download.resumptions == 0)
        let progress = log.withLock { $0 }
        #expect(progress.map(\.bytes) == progress.map(\.bytes).sorted())
        #expect(progress.last == HTTPTransferProgress(.download, bytes: 1000, length: 1000))
        #expect(progress.first?.bytes == 0)
    }

    @Test(.rows("S1-37"))
    func `a range that is done takes half of what the slowest one lacks`() async throws {
        let others = Countdown(3)
        let session = MockSession { request in
            guard request.headers.contains(.range) else {
                return Version.first.whole(request, after: others.gate)
            }
            let response = try Version.first.part(request)
            response.body.whenEnded { _ in others.count() }
            return response
        }
        try await session.download(url, to: folder.file(), options: options(2, shortest: 100))
        try expectFile()
        #expect(ranges(session) == ["bytes=125-249", "bytes=250-499", "bytes=500-999", "whole"])
    }

    @Test(
        .rows("S1-37"),
        arguments: [
            [.eTag: #""v1""#], [.eTag: #""v1""#, .acceptRanges: "none"],
            [.eTag: #"W/"v1""#, .acceptRanges: "bytes"], [.acceptRanges: "bytes"],
            [.lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", .acceptRanges: "bytes"],
        ] as [HTTPHeaders])
    func `a file is split only if the first response proves that this is right`(
        headers: HTTPHeaders
    ) async throws {
        let session = MockSession { request in
            Version(content: Version.first.content, headers: headers).whole(request)
        }
        try await session.download(url, to: folder.file(), options: options(4))
        try expectFile()
        #expect(session.requests.count == 1)
    }

    @Test(.rows("S1-37"))
    func `a date that can stand for a version is enough, a length is necessary`() async throws {
        let headers: HTTPHeaders = [
            .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT",
            .date: "Sun, 06 Nov 1994 08:49:38 GMT", .acceptRanges: "bytes",
        ]
        let version = Version(content: Version.first.content, headers: headers)
        let others = Countdown(1)
        let session = MockSession { request in
            guard request.headers.contains(.range) else {
                return version.whole(request, after: others.gate)
            }
            #expect(request.headers[.ifRange] == headers[.lastModified])
            let response = try version.part(request)
            response.body.whenEnded { _ in others.count() }
            return response
        }
        try await session.download(url, to: folder.file(), options: options(2, shortest: 400))
        try expectFile()
        #expect(ranges(session) == ["bytes=500-999", "whole"])

        let endless = MockSession { request in
            let whole = Version.first.whole(request)
            let pieces = AsyncStream<Data> { pieces in
                pieces.yield(Data(Version.first.content))
                pieces.finish()
            }
            return HTTPResponse(.ok, headers: whole.headers, body: HTTPBody(pieces), to: request)
        }
        try await endless.download(url, to: folder.file(), options: options(2))
        #expect(endless.requests.count == 1)
        try expectFile()
    }

    @Test(.rows("S1-37"), arguments: [(1000, 501), (1000, 1 << 20), (1, 1), (0, 1)])
    func `a small file is not split`(length: Int, shortest: Int64) async throws {
        let version = Version(
            content: LoopbackPattern.bytes(0..<length), headers: Version.first.headers)
        let session = MockSession { version.whole($0) }
        try await session.download(
            url, to: folder.file(), options: options(16, shortest: shortest))
        try expectFile(version)
        #expect(session.requests.count == 1)
    }

    @Test(.rows("S1-37"), arguments: [Int.min, -1, 0, 17, Int.max])
    func `a number of ranges outside 1 to 16 is refused`(count: Int) async throws {
        let session = MockSession { Version.first.whole($0) }
        let error = await #expect(throws: HTTPError.self) {
            try await session.download(url, to: folder.file(), options: options(count))
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("1 to 16") == true)
        #expect(session.requests.isEmpty)
        #expect(try folder.names == [])
    }

    // MARK: Refused ranges

    @Test(.rows("S1-37"), arguments: [403, 404, 429, 500, 503])
    func `a server that refuses further ranges sends the file on its first connection`(
        code: Int
    ) async throws {
        let refusals = Countdown(3)
        let status = try #require(HTTPStatus(code: code))
        for validates in [false, true] {
            let mock = MockSession { request in
                guard request.headers.contains(.range) else {
                    return Version.first.whole(request, after: refusals.gate)
                }
                refusals.count()
                return HTTPResponse(status, body: HTTPBody("no"), to: request)
            }
            let session = validates ? mock.with(Validation([HTTPDefaultValidator()])) : mock
            let download = try await session.download(
                url, to: folder.file(), options: options(4))
            try expectFile()
            #expect(download.resumptions == 0)
            if !validates { #expect(mock.requests.count == 4) }
        }
    }

    @Test(.rows("S1-37"))
    func `connections that cannot be made, or break at once, leave the others`() async throws {
        let failures = Countdown(3)
        let session = MockSession { request in
            guard request.headers.contains(.range) else {
                return Version.first.whole(request, after: failures.gate)
            }
            defer { failures.count() }
            throw HTTPError(.cannotConnect, "down", isRetryable: true)
        }
        var options = options(4)
        options.maxResumptions = 0
        try await session.download(url, to: folder.file(), options: options)
        try expectFile()
    }

    @Test(.rows("S1-37"))
    func `a server that sends the whole file for a range is asked for one at a time`()
        async throws
    {
        let answers = Countdown(3)
        let session = MockSession { request in
            guard request.headers.contains(.range) else {
                return Version.first.whole(request, after: answers.gate)
            }
            defer { answers.count() }
            return Version.first.whole(request)
        }
        try await session.download(url, to: folder.file(), options: options(4))
        try expectFile()
        #expect(session.requests.count == 4)
    }

    @Test(.rows("S1-37"))
    func `the last worker's error ends the call, and the part is kept`() async throws {
        let served = Countdown(1)
        let session = MockSession { request in
            guard request.headers.contains(.range) else {
                return Version.first.whole(request, after: served.gate, cut: 70)
            }
            defer { served.count() }
            return HTTPResponse(.serviceUnavailable, to: request)
        }
        let error = await #expect(throws: HTTPError.self) {
            try await session.download(url, to: folder.file(), options: options(2))
        }
        #expect(error?.code == .unexpectedStatus && error?.status == .serviceUnavailable)
        #expect(HTTPResumeData(downloadTo: folder.file())?.bytes == 70)
    }

    // MARK: Another file

    /// The responses to a range request that belong to another representation.
    private enum Other: CaseIterable, Sendable {
        case tag, length, coding, unsatisfiable, whole, weak
    }

    @Test(.rows("S1-31"), arguments: Other.allCases)
    private func `bytes of another version are never joined`(other: Other) async throws {
        let hasChanged = Gate()
        let session = MockSession { request in
            guard request.headers.contains(.range) else {
                return hasChanged.isOpen
                    ? Version.second.whole(request)
                    : Version.first.whole(request, cut: nil, ended: nil)
            }
            hasChanged.open()
            var second = Version.second
            switch other {
            case .tag: return try second.part(request)
            case .weak:
                second.headers[.eTag] = #"W/"v1""#
                return try second.part(request)
            case .length:
                second.headers[.eTag] = #""v1""#
                second.content += [1]
                return try second.part(request)
            case .coding:
                second.headers[.eTag] = #""v1""#
                second.headers[.contentEncoding] = "gzip"
                return try second.part(request)
            case .unsatisfiable:
                return HTTPResponse(
                    .rangeNotSatisfiable, headers: [.contentRange: "bytes */3"], to: request)
            case .whole: return second.whole(request)
            }
        }
        let held = Gate()
        let mock = MockSession { request in
            let response = try await session.response(for: request)
            guard !request.headers.contains(.range), !hasChanged.isOpen else { return response }
            return Version.first.whole(request, after: held)
        }
        let download = try await mock.download(url, to: folder.file(), options: options(4))
        try expectFile(.second)
        #expect(download.resumedOffset == nil)
        let wholes = mock.requests.filter { !$0.headers.contains(.range) }.count
        #expect(wholes == (other == .whole ? 1 : 2))
        #expect(mock.requests.count <= 5, "after it has changed once, the file is not split")
    }

    @Test(.rows("S1-31"))
    func `a server with a new entity tag in each response sends the file in the end`()
        async throws
    {
        let count = Locked(0)
        let session = MockSession { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            var version = Version.first
            version.headers[.eTag] = "\"\(number)\""
            return request.headers.contains(.range)
                ? try version.part(request) : version.whole(request)
        }
        try await session.download(url, to: folder.file(), options: options(4))
        try expectFile()
    }

    @Test(
        .rows("S1-31"), arguments: ["bytes 0-249/1000", "bytes 0-999/1000", "items 500-999/1000"])
    func `a false range ends the call, and leaves nothing`(contentRange: String) async throws {
        let never = Gate()
        let session = MockSession { request in
            guard request.headers.contains(.range) else {
                return Version.first.whole(request, after: never)
            }
            var headers = Version.first.headers
            headers[.contentRange] = contentRange
            return HTTPResponse(
                .partialContent, headers: headers, body: HTTPBody("x"), to: request)
        }
        let error = await #expect(throws: HTTPError.self) {
            try await session.download(url, to: folder.file(), options: options(2))
        }
        #expect(error?.code == .protocolViolation)
        #expect(try folder.names == [])
    }

    @Test(.rows("S1-31"))
    func `more bytes than a range has end the call, and leave nothing`() async throws {
        let never = Gate()
        let session = MockSession { request in
            guard request.headers.contains(.range) else {
                return Version.first.whole(request, after: never)
            }
            let honest = try Version.first.part(request)
            let pieces = AsyncStream<Data> { pieces in
                pieces.yield(Data(count: 501))
                pieces.finish()
            }
            return HTTPResponse(
                .partialContent, headers: honest.headers, body: HTTPBody(pieces), to: request)
        }
        let error = await #expect(throws: HTTPError.self) {
            try await session.download(url, to: folder.file(), options: options(2))
        }
        #expect(error?.code == .protocolViolation)
        #expect(try folder.names == [])
    }

    // MARK: Broken ranges

    @Test(.rows("S1-31"))
    func `a broken range is continued where it broke, and the others go on`() async throws {
        let others = Countdown(2)
        let cuts = Locked(1)
        let session = MockSession { request in
            guard request.headers.contains(.range) else {
                return Version.first.whole(request, after: others.gate)
            }
            let isCut = cuts.withLock { cuts in
                cuts -= 1
                return cuts >= 0
            }
            let response = try Version.first.part(request, cut: isCut ? 70 : nil)
            response.body.whenEnded { _ in others.count() }
            return response
        }
        let download = try await session.download(
            url, to: folder.file(), options: options(2, shortest: 300))
        try expectFile()
        #expect(download.resumptions == 1)
        #expect(ranges(session) == ["bytes=500-999", "bytes=570-999", "whole"])
    }

    @Test(.rows("S1-31"))
    func `bytes that a layer below finds wrong end the call, and leave nothing`() async throws {
        let never = Gate()
        let session = MockSession { request in
            guard request.headers.contains(.range) else {
                return Version.first.whole(request, after: never)
            }
            let pieces = AsyncThrowingStream<Data, any Error> { pieces in
                pieces.yield(Data(count: 250))
                pieces.finish(throwing: HTTPError(.digestMismatch, "wrong", isRetryable: true))
            }
            let honest = try Version.first.part(request)
            return HTTPResponse(
                honest.head, body: HTTPBody(pieces, length: honest.body.length), to: request)
        }
        let error = await #expect(throws: HTTPError.self) {
            try await session.download(url, to: folder.file(), options: options(4))
        }
        #expect(error?.code == .digestMismatch)
        #expect(try folder.names == [])
    }

    @Test(.rows("S1-31"))
    func `resumptions are counted over all ranges`() async throws {
        let session = MockSession { request in
            request.headers.contains(.range)
                ? try Version.first.part(request, cut: 1) : Version.first.whole(request, cut: 1)
        }
        var options = options(4)
        options.maxResumptions = 3
        let error = await #expect(throws: HTTPError.self) {
            try await session.download(url, to: folder.file(), options: options)
        }
        #expect(error?.code == .bodyIncomplete)
        #expect(session.requests.count <= 4 + 3)
        let left = try #require(HTTPResumeData(downloadTo: folder.file()))
        #expect(left.bytes == session.requests.count, "each request brought a byte")
        #expect(left.length == 1000)
    }

    @Test(.rows("S1-31"))
    func `a server that sends less than was requested is asked for the rest`() async throws {
        let session = MockSession { request in
            request.headers.contains(.range)
                ? try Version.first.part(request, atMost: 90)
                : Version.first.whole(request, cut: 90)
        }
        var options = options(3)
        options.maxResumptions = 20
        try await session.download(url, to: folder.file(), options: options)
        try expectFile()
        #expect(session.requests.count >= 12)
    }

    @Test(.rows("S1-39"))
    func `a full disk ends the call`() async throws {
        let full = unsafe open("/dev/full", O_RDWR | O_CLOEXEC)
        try #require(full >= 0)
        let file = PartialFile(PartialFile.Names(folder.file()), descriptor: full)
        let session = MockSession { request in
            request.headers.contains(.range)
                ? try Version.first.part(request) : Version.first.whole(request)
        }
        var run = DownloadRun(
            session, try HTTPRequest(url), into: file, from: nil, options(4), report: nil)
        let error = await #expect(throws: HTTPError.self) { try await run.arrive() }
        #expect(error?.code == .fileNotWritten)
        #expect((error?.underlyingError as? SystemError)?.code == ENOSPC)
    }

    // MARK: Resuming later

    @Test(.rows("S1-30", "S1-31"))
    func `a cancelled download keeps all of its ranges, and one request each loads the gaps`()
        async throws
    {
        let ended = [Gate(), Gate()]
        let never = Gate()
        let session = MockSession { request in
            let isFirst = !request.headers.contains(.range)
            let version = Version.first
            let response = isFirst ? version.whole(request) : try version.part(request)
            // Sends 140 bytes, then nothing.
            let sent = Locked(0)
            let start = isFirst ? 0 : 500
            let pieces = AsyncThrowingStream<Data, any Error> {
                guard sent.withLock({ $0 }) == 0 else {
                    ended[isFirst ? 0 : 1].open()
                    try await never.wait()
                    return nil
                }
                sent.withLock { $0 = 140 }
                return Data(version.content[start..<start + 140])
            }
            return HTTPResponse(
                response.head, body: HTTPBody(pieces, length: response.body.length), to: request)
        }
        let task = session.downloadTask(url, to: folder.file(), options: options(2)).run()
        for gate in ended { try await gate.wait() }
        let data = try HTTPResumeData(try #require(await task.cancelProducingResumeData()))
        #expect(data.bytes == 280 && data.length == 1000)
        #expect(try folder.bytes(of: "file.part").count == 640)

        let later = MockSession { try Version.first.part($0) }
        let log = Locked([HTTPTransferProgress]())
        let download = try await later.download(url, resuming: data) { news in
            log.withLock { $0.append(news) }
        }
        try expectFile()
        #expect(download.resumedOffset == 280)
        #expect(later.requests.map { $0.headers[.range] } == ["bytes=140-499", "bytes=640-999"])
        #expect(later.requests.allSatisfy { $0.headers[.ifRange] == #""v1""# })
        #expect(
            log.withLock { $0.first }
                == HTTPTransferProgress(.download, bytes: 280, length: 1000, resumedOffset: 280))
        #expect(log.withLock { $0.last?.fraction } == 1)
    }

    @Test(.rows("S1-31"), arguments: [1, 4])
    func `bytes are synced and recorded at each checkpoint`(count: Int) async throws {
        let session = MockSession { request in
            request.headers.contains(.range)
                ? try Version.first.part(request, cut: 150)
                : Version.first.whole(request, cut: count == 1 ? 600 : 150)
        }
        var options = options(count)
        options.maxResumptions = 0
        options.checkpoint = 100
        await #expect(throws: HTTPError.self) {
            try await session.download(url, to: folder.file(), options: options)
        }
        var record = try #require(PartialFile.Names(folder.file()).readRecord())
        #expect(record.trustedBytes(of: 900) == (count == 1 ? 900 : 600))
        record.boot = "another"
        let durable = record.trustedBytes(of: 900)
        #expect((501...600).contains(durable), "\(durable)")
    }

    @Test(.rows("S1-31"), arguments: 1...4)
    func `gaps are loaded by any number of ranges`(count: Int) async throws {
        try leave([100..<200, 300..<500, 700..<1000])
        let session = MockSession { try Version.first.part($0) }
        let download = try await session.download(
            url, to: folder.file(), options: options(count, shortest: 1000))
        try expectFile()
        #expect(download.resumedOffset == 600)
        #expect(download.response.status == .partialContent)
        #expect(ranges(session) == ["bytes=0-99", "bytes=200-299", "bytes=500-699"])
    }

    @Test(.rows("S1-31"))
    func `a part whose gaps are filled is its beginning again`() async throws {
        try leave([0..<400])
        #expect(HTTPResumeData(downloadTo: folder.file())?.bytes == 400)
        let session = MockSession { try Version.first.part($0) }
        try await session.download(url, to: folder.file())
        try expectFile()
        #expect(ranges(session) == ["bytes=400-"])

        try leave([0..<1000])
        let other = MockSession { try Version.first.part($0) }
        try await other.download(url, to: folder.file())
        try expectFile()
        #expect(ranges(other) == ["bytes=999-"])
    }

    @Test(.rows("S1-31"), arguments: [1, 4])
    func `gaps of a changed file are not loaded`(count: Int) async throws {
        for isWhole in [false, true] {
            try leave([100..<200, 300..<500])
            let session = MockSession { request in
                request.headers.contains(.range) && !isWhole
                    ? try Version.second.part(request) : Version.second.whole(request)
            }
            let download = try await session.download(
                url, to: folder.file(), options: options(count))
            try expectFile(.second)
            #expect(download.resumedOffset == nil)
        }
    }

    @Test(.rows("S1-31"))
    func `a server without ranges sends the whole file in place of a gap`() async throws {
        try leave([100..<200, 300..<500])
        let session = MockSession { Version.first.whole($0) }
        let download = try await session.download(url, to: folder.file(), options: options(4))
        try expectFile()
        #expect(download.resumedOffset == nil)
        #expect(session.requests.count <= 4)
    }

    @Test(.rows("S1-31"))
    func `a part with gaps is another URL's, or starts over, as any other part`() async throws {
        try leave([100..<200])
        let session = MockSession { Version.first.whole($0) }
        try await session.download("https://h/other", to: folder.file())
        try expectFile()
        try leave([100..<200])
        var options = HTTPDownloadOptions()
        options.startsOver = true
        try await session.download(url, to: folder.file(), options: options)
        try expectFile()
        #expect(ranges(session) == ["whole", "whole"])
    }

    @Test(.rows("S1-31"))
    func `an error of the first request for a gap keeps the part`() async throws {
        try leave([100..<200, 300..<500])
        let session = MockSession { HTTPResponse(.serviceUnavailable, to: $0) }
        for count in [1, 4] {
            let error = await #expect(throws: HTTPError.self) {
                try await session.download(url, to: folder.file(), options: options(count))
            }
            #expect(error?.status == .serviceUnavailable)
            #expect(HTTPResumeData(downloadTo: folder.file())?.bytes == 300)
        }
    }

    // MARK: Permits

    @Test(.rows("S1-37"), .timeLimit(.minutes(5)), arguments: [false, true])
    func `with one permit, ranges are loaded one after the other`(hasPart: Bool) async throws {
        if hasPart { try leave([100..<200, 300..<500]) }
        let running = Locked((now: 0, most: 0))
        let mock = MockSession { request in
            running.withLock { running in
                running.now += 1
                running.most = max(running.most, running.now)
            }
            let response =
                request.headers.contains(.range)
                ? try Version.first.part(request) : Version.first.whole(request)
            response.body.whenEnded { _ in running.withLock { $0.now -= 1 } }
            return response
        }
        let session = mock.with(ConcurrencyLimit(perOrigin: 1, total: 1))
        try await session.download(url, to: folder.file(), options: options(4))
        try expectFile()
        #expect(running.withLock { $0.most } == 1)
    }

    // MARK: Pipelines

    @Test(.rows("B-20"))
    func `a pipeline loads ranges, and loads a refused file again`() async throws {
        let session = MockSession { request in
            request.headers.contains(.range)
                ? try Version.first.part(request) : Version.first.whole(request)
        }
        let refusals = Locked(1)
        let download = try await session.pipeline(
            for: url, downloadingTo: folder.file(), options: options(4)
        )
        .validate { _ in
            refusals.withLock {
                $0 -= 1; return $0 >= 0
            } ? .invalid(reason: "no") : .valid
        }
        .retry(1)
        .value()
        try expectFile()
        #expect(download.length == 1000)
        #expect(session.requests.filter { !$0.headers.contains(.range) }.count == 2)
    }

    // MARK: Any order

    @Test(.rows("S1-31", "S1-37"), arguments: 0..<60 as Range<UInt64>)
    func `the file is right, whatever the server does to each request`(seed: UInt64) async throws {
        let random = Locked(SeededRandom(seed))
        let version = Locked(Version.first)
        @Sendable func roll(_ sides: Int) -> Int {
            random.withLock { Int.random(in: 0..<sides, using: &$0) }
        }
        let session = MockSession { request in
            await Task.yield()
            if roll(60) == 0 { version.withLock { $0 = .second } }
            let version = version.withLock { $0 }
            let cut = roll(3) == 0 ? roll(200) : nil
            let isCurrent = request.headers[.ifRange] ?? version.headers[.eTag]
            guard request.headers.contains(.range), isCurrent == version.headers[.eTag] else {
                return version.whole(request, cut: cut)
            }
            switch roll(12) {
            case 0: return HTTPResponse(.serviceUnavailable, to: request)
            case 1: return version.whole(request, cut: cut)
            case 2: throw HTTPError(.connectionLost, "lost", isRetryable: true)
            case 3: return try version.part(request, atMost: 1 + roll(300))
            default: return try version.part(request, cut: cut)
            }
        }
        var calls = 0
        while true {
            calls += 1
            try #require(calls < 200, "seed \(seed)")
            let bytes = Locked([Int64]())
            let isCancelled = roll(4) == 0
            let stop = Int64(roll(1000))
            let options = options(1 + roll(16), shortest: Int64(1 + roll(300)))
            let (arrivals, arrived) = AsyncStream.makeStream(of: Int64.self)
            let task = Task { [url, path = folder.file()] in
                defer { arrived.finish() }
                return try await session.download(url, to: path, options: options) { news in
                    bytes.withLock { $0.append(news.bytes) }
                    arrived.yield(news.bytes)
                }
            }
            if isCancelled {
                for await bytes in arrivals where bytes >= stop { break }
                task.cancel()
            }
            let result = await task.result
            let log = bytes.withLock { $0 }
            #expect(log == log.sorted(), "seed \(seed)")
            guard case .success(let download) = result else { continue }
            #expect(download.length == 1000)
            break
        }
        let file = try folder.bytes()
        #expect(
            file == Version.first.content || file == Version.second.content, "seed \(seed)")
        #expect(try folder.names == ["file"])
    }
}
