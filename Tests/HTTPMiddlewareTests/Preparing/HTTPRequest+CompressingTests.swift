import HTTPCodings
import HTTPCore
import HTTPFormats
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite struct HTTPRequestCompressingTests {
    private static let url = "http://example.com/"
    private static let mixed = Data((0..<20_000).flatMap { "\($0 &* 7919 % 1009)\n".utf8 })

    private static func decoded(_ body: HTTPBody, _ coding: HTTPContentCoding) async throws -> Data
    {
        try ContentDecoder.decode(try await body.collect(), [coding])
    }

    @Test(arguments: HTTPContentCoding.allCases)
    func `bytes are encoded at once, with their length`(coding: HTTPContentCoding) async throws {
        let request = try HTTPRequest(.post, Self.url).data(Self.mixed).compressed(coding)
        #expect(request.headers[.contentEncoding] == coding.rawValue)
        #expect(request.body.replay == .always)
        let count = try #require(request.body.length)
        #expect(count < Self.mixed.count)
        let first = try await request.body.collect()
        let second = try await request.body.collect()
        #expect(first.count == count && first == second)
        #expect(try await Self.decoded(request.body, coding) == Self.mixed)
    }

    @Test(arguments: HTTPContentCoding.allCases)
    func `a file is encoded anew each time that it is sent`(coding: HTTPContentCoding) async throws
    {
        let folder = try DownloadFolder()
        try folder.write(Self.mixed, to: "file")
        let request = try HTTPRequest(.put, Self.url).file(folder.file()).compressed(coding)
        #expect(request.body.replay == .always && request.body.length == nil)
        for _ in 0..<2 {
            #expect(try await Self.decoded(request.body, coding) == Self.mixed)
        }
        #expect(request.body.canBeSent)
    }

    @Test(arguments: HTTPContentCoding.allCases)
    func `each piece of a stream can be decoded when it has come`(
        coding: HTTPContentCoding
    ) async throws {
        let (body, writer) = HTTPBody.makeWritable()
        let request = try HTTPRequest(.post, Self.url, body: body).compressed(coding)
        #expect(request.body.replay == .once && request.body.length == nil)
        var pieces = request.body.makeAsyncIterator()
        var decoder = ContentDecoder([coding], limits: .init(expansion: nil, length: nil))
        let space = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { unsafe space.deallocate() }
        for text in ["first", "second", "third"] {
            try await writer.write(text)
            var read = ""
            while read.utf8.count < text.utf8.count {
                decoder.take(try #require(try await pieces.next()))
                while true {
                    let count = unsafe try decoder.decode(into: space)
                    if count == 0 { break }
                    unsafe read += String(decoding: space[..<count], as: UTF8.self)
                }
            }
            #expect(read == text)
        }
        try writer.finish()
        while let piece = try await pieces.next() {
            decoder.take(piece)
            let count = unsafe try decoder.decode(into: space)
            #expect(count == 0)
        }
        try decoder.finish()
    }

    @Test func `a writer learns why a compressed body is not wanted any more`() async throws {
        let (body, writer) = HTTPBody.makeWritable()
        let request = try HTTPRequest(.post, Self.url, body: body).compressed()
        request.body.willBeRead()
        let reader = try await request.body.makeReader()
        let reason = HTTPError(.requestBodyEnded, "enough")
        request.body.endWriting(because: reason)
        reader.abandon()
        let error = await #expect(throws: HTTPError.self) { try await writer.write("more") }
        #expect(error?.code == .requestBodyEnded && error?.message == "enough")
    }

    @Test func `a producer that fails makes the compressed body fail`() async throws {
        let stream = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data("some".utf8))
            continuation.finish(throwing: HTTPError(.internalFailure, "gone"))
        }
        let request = try HTTPRequest(.post, Self.url).stream(once: stream).compressed()
        let error = await #expect(throws: HTTPError.self) { try await request.body.collect() }
        #expect(error?.message == "gone")
    }

    @Test(arguments: [true, false], [500, 1500])
    func `a body that is not as long as it says fails, as it does uncompressed`(
        isReplayable: Bool, count: Int
    ) async throws {
        @Sendable func stream() -> AsyncStream<Data> {
            AsyncStream {
                $0.yield(Data(count: count))
                $0.finish()
            }
        }
        let body =
            isReplayable
            ? HTTPBody(length: 1000, restarting: { stream() }) : HTTPBody(stream(), length: 1000)
        let request = try HTTPRequest(.post, Self.url).body(body).compressed()
        let error = await #expect(throws: HTTPError.self) { try await request.body.collect() }
        #expect(error?.code == .requestBodyFailed)
        #expect(error?.message.contains("declared") == true)
    }

    @Test func `a stream stays unread until its compressed form is read`() async throws {
        let (body, writer) = HTTPBody.makeWritable()
        let request = try HTTPRequest(.post, Self.url, body: body)
        do {
            let compressed = try request.compressed()
            #expect(compressed.body.canBeSent)
            compressed.body.endWriting(because: HTTPError(.cannotConnect, "no"))
        }
        #expect(request.body.canBeSent, "another attempt may send it")
        async let read = request.compressed().body.collect()
        try await writer.write("late")
        try writer.finish()
        #expect(try await ContentDecoder.decode(read, [.gzip]) == Data("late".utf8))
        #expect(throws: HTTPError.self) { try request.compressed() }
    }

    @Test func `progress is reported once, of what is sent, and digests are of it`() async throws {
        let seen = Locked<[Int64]>([])
        let body = HTTPBody(Self.mixed).reportingProgress { bytes, _ in
            seen.withLock { $0.append(bytes) }
        }
        let request = try HTTPRequest(.post, Self.url).body(body).compressed()
        let length = try #require(request.body.length)
        #expect(length < Self.mixed.count)
        let session = MockSession { request in
            let digest = HTTPDigest(.sha256, of: try await request.body.collect())
            #expect(request.headers.contentDigest == [digest])
            return HTTPResponse(.ok, to: request)
        }
        _ = try await session.with(DigestFields()).response(for: request)
        #expect(seen.withLock { $0.last } == length)
        #expect(seen.withLock { Set($0).count == $0.count })
    }

    @Test func `no body stays none`() throws {
        for request in [try HTTPRequest(.get, Self.url), try HTTPRequest(.post, Self.url).text("")]
        {
            let compressed = try request.compressed()
            #expect(compressed.headers == request.headers && compressed.body.isEmpty)
        }
    }

    @Test(
        arguments: [
            "Content-Encoding", "Content-Digest", "Repr-Digest", "Content-MD5", "Digest",
            "Content-Range",
        ])
    func `a field that would become wrong is refused`(name: String) throws {
        let request = try HTTPRequest(.post, Self.url).text("text").header(
            HTTPHeaderName(name), "identity")
        let error = #expect(throws: HTTPError.self) { try request.compressed() }
        #expect(error?.code == .invalidRequest && error?.message.contains(name) == true)
        #expect(throws: HTTPError.self) {
            try HTTPRequest(.post, Self.url).text("text").compressed().compressed(.zstd)
        }
    }

    @Test func `the field goes with its body`() throws {
        let request = try HTTPRequest(.post, Self.url).text("text").compressed()
        #expect(request.headers[.contentType] == "text/plain; charset=utf-8")
        let other = request.text("other")
        #expect(other.headers[.contentEncoding] == nil && other.body.bytes == Data("other".utf8))
        #expect(other.headers[.contentType] == "text/plain; charset=utf-8")
        // What the caller has set stays.
        let typed = try HTTPRequest(.post, Self.url).header(.contentType, "a/b").text("x")
            .compressed().text("y")
        #expect(typed.headers[.contentType] == "a/b")
        #expect(typed.headers[.contentEncoding] == nil)
    }
}
