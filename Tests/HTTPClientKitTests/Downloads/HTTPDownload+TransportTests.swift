import HTTPCodings
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPClientKit
import PortableFoundation

/// Tests downloads over a real connection.
@Suite(.timeLimit(.minutes(5))) struct HTTPDownloadTransportTests {
    private let folder: DownloadFolder

    init() throws { folder = try DownloadFolder() }

    private var quick: HTTPDownloadOptions {
        var options = HTTPDownloadOptions()
        options.backoff = .constant(.zero)
        return options
    }

    /// Cuts the connection after each `piece` bytes of a file of `length`.
    private static func cutting(
        _ length: Int, every piece: Int
    ) -> @Sendable (LoopbackRequest) -> LoopbackScript {
        { request in
            let first =
                request["Range"].flatMap { HTTPRange($0) }?.parts[0]
                .resolved(inLength: length)?.lowerBound ?? 0
            var head = "HTTP/1.1 200 OK\r\n"
            if request["Range"] != nil {
                head = "HTTP/1.1 206 Partial Content\r\n"
                head += "Content-Range: bytes \(first)-\(length - 1)/\(length)\r\n"
            }
            head += "ETag: \"v1\"\r\nContent-Length: \(length - first)\r\n\r\n"
            let script: LoopbackScript = [
                .send(head), .generate(min(piece, length - first), from: first),
            ]
            return first + piece < length ? script + [.close] : script
        }
    }

    // MARK: Resuming

    @Test(.rows("S1-31", "S1-37"), arguments: ClientWire.allCases)
    func `a connection that breaks again and again still brings the file`(wire: ClientWire)
        async throws
    {
        let transport = try wire.transport()
        let length = 1_000_000
        let server = try LoopbackServer(script: Self.cutting(length, every: 300_000))
        let log = Locked([HTTPTransferProgress]())
        let download = try await transport.download(
            server.url("/f"), to: folder.file(), options: quick
        ) { progress in log.withLock { $0.append(progress) } }
        #expect(download.resumptions == 3)
        #expect(LoopbackPattern.firstMismatch(in: try folder.bytes()) == nil)
        #expect(try folder.bytes().count == length)
        #expect(try folder.names == ["file"])
        let bytes = log.withLock { $0.map(\.bytes) }
        #expect(bytes == bytes.sorted())
        #expect(bytes.last == Int64(length))
        #expect(
            server.log.compactMap { $0.request?["Accept-Encoding"] }
                == Array(repeating: "identity", count: 4))
    }

    // MARK: Cancelling

    @Test(.rows("S1-30", "S1-31"), arguments: ClientWire.allCases)
    func `a cancelled download closes its connection, and the next one continues`(
        wire: ClientWire
    ) async throws {
        let transport = try wire.transport()
        let length = 400_000
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { request in
            let head = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: \(length)\r\n\r\n"
            guard request["Range"] == nil else {
                return Self.cutting(length, every: length)(request)
            }
            return [.send(head), .generate(100_000), .pause(until: gate), .stall]
        })
        let (arrivals, arrived) = AsyncStream.makeStream(of: Int64.self)
        let task = Task { [path = folder.file()] in
            try await transport.download(server.url("/f"), to: path) { arrived.yield($0.bytes) }
        }
        for await bytes in arrivals where bytes == 100_000 { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await server.waitUntil { $0.connections.open == 0 }
        #expect(HTTPResumeData(downloadTo: folder.file())?.bytes == 100_000)

        let download = try await transport.download(server.url("/f"), to: folder.file())
        #expect(download.resumedOffset == 100_000)
        #expect(LoopbackPattern.firstMismatch(in: try folder.bytes()) == nil)
    }

    // MARK: Resuming later

    @Test(.rows("S1-31"), arguments: ClientWire.allCases)
    func `the standard routes have a file that can be resumed`(wire: ClientWire) async throws {
        let transport = try wire.transport()
        let server = try LoopbackServer(script: LoopbackRoutes.standard)
        try folder.write(LoopbackPattern.bytes(0..<5_000), to: "file.part")
        let request = try HTTPRequest(server.url("/file/9000"))
        let head = HTTPResponse.Head(
            status: .ok, headers: [.eTag: #""9000""#], url: request.url)
        let record = try #require(PartRecord(head, to: request, length: 9000))
        try folder.write(JSONEncoder().encode(record), to: "file.part.json")
        let download = try await transport.download(request, to: folder.file())
        #expect(download.resumedOffset == 5000)
        #expect(download.response.status == .partialContent)
        #expect(try folder.bytes() == LoopbackPattern.bytes(0..<9000))
    }

    @Test(.rows("S1-31"), arguments: ClientWire.allCases)
    func `a deadline ends a download, which can be resumed`(wire: ClientWire) async throws {
        let transport = try wire.transport()
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { _ in
            [
                .send("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 100\r\n\r\n"),
                .generate(40), .pause(until: gate), .stall,
            ]
        })
        let bytes = try await patiently(from: .seconds(1)) { limit in
            let error = await #expect(throws: HTTPError.self) {
                try await transport.download(
                    try HTTPRequest(server.url("/f")).deadline(in: limit), to: folder.file(),
                    options: quick)
            }
            #expect(error?.timer?.name == .deadline)
            let bytes = HTTPResumeData(downloadTo: folder.file())?.bytes ?? 0
            guard bytes >= 40 else { throw TooSoon(error ?? "no error") }
            return bytes
        }
        #expect(bytes == 40)
    }

    // MARK: Ranges at once

    @Test(.rows("S1-37"), arguments: ClientWire.allCases)
    func `ranges are loaded at once, each on its own connection`(wire: ClientWire) async throws {
        let transport = try wire.transport(connections: 4)
        let length = 4 << 20
        let gate = LoopbackGate()
        // The first response pauses, too: it must not take over ranges before they are requested.
        let server = try LoopbackServer(script: { request in
            guard request["Range"] == nil else {
                return LoopbackScript([.pause(until: gate)]) + LoopbackRoutes.standard(request)
            }
            return [
                .send("HTTP/1.1 200 OK\r\nAccept-Ranges: bytes\r\nETag: \"\(length)\"\r\n"),
                .send("Content-Length: \(length)\r\n\r\n"), .generate(65536),
                .pause(until: gate), .generate(length - 65536, from: 65536),
            ]
        })
        var options = quick
        options.maxConcurrentRanges = 4
        let log = Locked([HTTPTransferProgress]())
        let task = Task { [options, path = folder.file()] in
            try await transport.download(
                server.url("/file/\(length)"), to: path, options: options
            ) { news in log.withLock { $0.append(news) } }
        }
        try await gate.reached(count: 4)
        gate.open()
        let download = try await task.value
        #expect(download.length == length && download.resumptions == 0)
        #expect(LoopbackPattern.firstMismatch(in: try folder.bytes()) == nil)
        #expect(try folder.bytes().count == length)
        #expect(try folder.names == ["file"])
        let bytes = log.withLock { $0.map(\.bytes) }
        #expect(bytes == bytes.sorted())
        // A range that is done may take a part of another one.
        let ranges = Set(server.log.compactMap { $0.request?["Range"] })
        #expect(
            ranges.isSuperset(
                of: ["bytes=1048576-2097151", "bytes=2097152-3145727", "bytes=3145728-4194303"]))
    }

    @Test(.rows("S1-31", "S1-37"), arguments: ClientWire.allCases)
    func `a transport with one connection loads the ranges one after the other`(
        wire: ClientWire
    ) async throws {
        let transport = try wire.transport()
        let length = 4 << 20
        let server = try LoopbackServer(script: LoopbackRoutes.standard)
        var options = quick
        options.maxConcurrentRanges = 4
        try await transport.download(
            server.url("/file/\(length)"), to: folder.file(), options: options)
        #expect(LoopbackPattern.firstMismatch(in: try folder.bytes()) == nil)
        #expect(try folder.bytes().count == length)
    }

    @Test(.rows("S1-30", "S1-31"), arguments: ClientWire.allCases)
    func `a cancelled download closes all of its connections, and its gaps are loaded later`(
        wire: ClientWire
    ) async throws {
        let transport = try wire.transport(connections: 4)
        let length = 4 << 20
        let isComplete = Locked(false)
        let sent = 100_000
        let server = try LoopbackServer(script: { request in
            let range =
                request["Range"].flatMap { HTTPRange($0) }?.parts[0].resolved(inLength: length)
            let bytes = range ?? 0..<length
            var head = "HTTP/1.1 200 OK\r\nAccept-Ranges: bytes\r\n"
            if range != nil {
                head = "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes "
                head += "\(bytes.lowerBound)-\(bytes.upperBound - 1)/\(length)\r\n"
            }
            head += "ETag: \"v1\"\r\nContent-Length: \(bytes.count)\r\n\r\n"
            if isComplete.withLock({ $0 }) {
                return [.send(head), .generate(bytes.count, from: bytes.lowerBound)]
            }
            return [.send(head), .generate(sent, from: bytes.lowerBound), .stall]
        })
        var options = quick
        options.maxConcurrentRanges = 4
        let (arrivals, arrived) = AsyncStream.makeStream(of: Int64.self)
        let task = Task { [options, path = folder.file()] in
            try await transport.download(server.url("/f"), to: path, options: options) {
                arrived.yield($0.bytes)
            }
        }
        for await bytes in arrivals where bytes == 4 * sent { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await server.waitUntil { $0.connections.open == 0 }
        #expect(HTTPResumeData(downloadTo: folder.file())?.bytes == Int64(4 * sent))

        isComplete.withLock { $0 = true }
        let download = try await transport.download(server.url("/f"), to: folder.file())
        #expect(download.resumedOffset == Int64(4 * sent))
        #expect(LoopbackPattern.firstMismatch(in: try folder.bytes()) == nil)
        #expect(try folder.bytes().count == length)
    }

    @Test(.rows("S1-31", "S1-37"), arguments: ClientWire.allCases)
    func `ranges that break again and again still bring the file`(wire: ClientWire) async throws {
        let transport = try wire.transport(connections: 3)
        let length = 6 << 20
        let cuts = Locked(6)
        let server = try LoopbackServer(script: { request in
            let script = LoopbackRoutes.standard(request)
            let isCut = cuts.withLock { cuts in
                cuts -= 1
                return cuts >= 0
            }
            guard isCut, let head = script.steps.first else { return script }
            let first =
                request["Range"].flatMap { HTTPRange($0) }?.parts[0]
                .resolved(inLength: length)?.lowerBound ?? 0
            return [head, .generate(100_000, from: first), .close]
        })
        var options = quick
        options.maxConcurrentRanges = 3
        options.maxResumptions = 6
        let download = try await transport.download(
            server.url("/file/\(length)"), to: folder.file(), options: options)
        #expect((1...6).contains(download.resumptions))
        #expect(LoopbackPattern.firstMismatch(in: try folder.bytes()) == nil)
        #expect(try folder.bytes().count == length)
    }

    // MARK: Content codings

    private static let text = Data(LoopbackPattern.bytes(0..<200_000))

    /// Sends an object that is stored in gzip, whatever is accepted, and cuts the connection once,
    /// after `cut` bytes.
    private static func storing(
        _ bytes: Data, cut: Int? = nil, isCodedAtFirst: Bool = true
    ) -> @Sendable (LoopbackRequest) -> LoopbackScript {
        let cut = Locked(cut)
        return { request in
            let range =
                request["Range"].flatMap { HTTPRange($0) }?.parts[0].resolved(inLength: bytes.count)
            let asked = range ?? 0..<bytes.count
            var head = "HTTP/1.1 200 OK\r\n"
            if range != nil {
                head = "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes "
                head += "\(asked.lowerBound)-\(asked.upperBound - 1)/\(bytes.count)\r\n"
            }
            let cut = cut.withLock { cut in
                defer { cut = nil }
                return cut
            }
            if isCodedAtFirst || cut == nil { head += "Content-Encoding: gzip\r\n" }
            head += "ETag: \"v1\"\r\nContent-Length: \(asked.count)\r\n\r\n"
            let script: LoopbackScript = [
                .send(head), .send(Array(bytes[asked].prefix(cut ?? .max))),
            ]
            return cut == nil ? script : script + [.close]
        }
    }

    /// `true` if the transport decodes what comes, so that a download cannot be continued.
    private func decodesByItself(_ wire: ClientWire) -> Bool { wire.rawValue == "urlSession" }

    @Test(.rows("S1-31", "S1-37"), arguments: ClientWire.allCases)
    func `an object that is stored in gzip is decoded, and continued if the transport leaves it`(
        wire: ClientWire
    ) async throws {
        let transport = HTTPClient(transport: try wire.transport())
        let bytes = try ContentEncoder.encode(Self.text, .gzip)
        let server = try LoopbackServer(script: Self.storing(bytes, cut: bytes.count / 2))
        let url = server.url("/object")
        if decodesByItself(wire) {
            let error = await #expect(throws: HTTPError.self) {
                try await transport.download(url, to: folder.file(), options: quick)
            }
            #expect(error?.message.contains("the transport has decoded its content") == true)
            #expect(HTTPResumeData(downloadTo: folder.file()) == nil)
        }
        let download = try await transport.download(url, to: folder.file(), options: quick)
        #expect(try Data(folder.bytes()) == Self.text)
        #expect(try folder.names == ["file"])
        #expect(download.length == Int64(Self.text.count))
        #expect(download.contentCoding == nil && download.resumedOffset == nil)
        #expect(!download.response.headers.contains(.contentEncoding))
        #expect(!download.response.headers.contains(.contentLength))
        #expect(
            server.log.compactMap(\.request).map { $0["Range"] }
                == [nil, decodesByItself(wire) ? nil : "bytes=\(bytes.count / 2)-"])
    }

    @Test(.rows("S1-31", "S1-37"), arguments: ClientWire.allCases)
    func `an object in gzip stays so if that is wanted, or is refused`(
        wire: ClientWire
    ) async throws {
        let transport = try wire.transport()
        let bytes = try ContentEncoder.encode(Self.text, .gzip)
        let server = try LoopbackServer(script: Self.storing(bytes))
        var options = quick
        options.decoding = .never
        guard !decodesByItself(wire) else {
            let error = await #expect(throws: HTTPError.self) {
                try await transport.download(
                    server.url("/object"), to: folder.file(), options: options)
            }
            #expect(error?.code == .unsupportedOption && error?.status == .ok)
            #expect(try folder.names == [])
            return
        }
        let download = try await transport.download(
            server.url("/object"), to: folder.file(), options: options)
        #expect(try Data(folder.bytes()) == bytes)
        #expect(download.contentCoding == "gzip" && download.length == Int64(bytes.count))
        #expect(download.response.headers[.contentLength] == "\(bytes.count)")
    }

    /// A transport that decodes by itself hides the coding of the rest.
    @Test(.rows("S1-31"), arguments: ClientWire.allCases, [false, true])
    func `a rest in gzip is not joined to a part without a coding`(
        wire: ClientWire, isStripped: Bool
    ) async throws {
        let base = try wire.transport()
        // A layer in between may take the field away that asks for no coding.
        let transport = MockSession { request in
            var request = request
            if isStripped { request.headers.remove(.acceptEncoding) }
            return try await base.response(for: request)
        }
        let bytes = try ContentEncoder.encode(Self.text, .gzip)
        let server = try LoopbackServer(
            script: Self.storing(bytes, cut: bytes.count / 2, isCodedAtFirst: false))
        let download = try await transport.download(
            server.url("/object"), to: folder.file(), options: quick)
        #expect(try Data(folder.bytes()) == Self.text)
        #expect(try folder.names == ["file"])
        #expect(download.contentCoding == nil)
        #expect(
            server.log.compactMap(\.request).map { $0["Range"] }
                == [nil, "bytes=\(bytes.count / 2)-", nil])
    }

    // MARK: Uploads

    @Test(.rows("S1-40"), arguments: ClientWire.allCases)
    func `an upload arrives as the file is`(wire: ClientWire) async throws {
        let transport = try wire.transport()
        let length = 3_000_000
        try folder.write(LoopbackPattern.bytes(0..<length), to: "file")
        let server = try LoopbackServer(script: LoopbackRoutes.standard)
        let log = Locked([HTTPTransferProgress]())
        let response = try await transport.upload(
            file: folder.file(), with: HTTPRequest(.put, server.url("/count"))
        ) { progress in log.withLock { $0.append(progress) } }
        #expect(try await response.text() == "\(length)")
        #expect(log.withLock { $0.last?.fraction } == 1)
    }
}
