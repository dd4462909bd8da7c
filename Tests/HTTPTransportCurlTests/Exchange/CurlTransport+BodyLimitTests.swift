import HTTPCore
import HTTPTesting
import HTTPTransportCurl
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct CurlTransportBodyLimitTests {
    /// Returns 1 + 258 × `runs` zeros in a zlib stream 158 times shorter (RFC 1951 §3.2.6).
    private static func zeros(_ runs: Int) -> (bytes: [UInt8], count: Int) {
        var bytes: [UInt8] = [0x78, 0x01]
        var buffer: UInt32 = 0
        var bits = 0
        func add(_ text: String) {
            for bit in text.utf8 {
                if bit == UInt8(ascii: "1") { buffer |= 1 << bits }
                bits += 1
                if bits == 8 {
                    bytes.append(UInt8(buffer))
                    (buffer, bits) = (0, 0)
                }
            }
        }
        // Last block, fixed codes; a literal 0; 258 from a distance of 1, again and again; the end.
        add("1" + "10" + "00110000")
        for _ in 0..<runs { add("11000101" + "00000") }
        add("0000000")
        if bits > 0 { bytes.append(UInt8(buffer)) }
        let count = runs * 258 + 1
        // Adler-32 of zeros.
        let sum = UInt32(count % 65_521) << 16 | 1
        bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
        return (bytes, count)
    }

    @inline(never) private static func transport(_ change: (inout CurlConfiguration) -> Void) throws
        -> CurlTransport
    {
        var configuration = CurlConfiguration()
        change(&configuration)
        return try CurlTransport(configuration)
    }

    private static let framings: [LoopbackResponse.Framing] = [
        .contentLength, .untilClose, .chunked,
    ]

    private static func server(
        _ bytes: [UInt8], coding: String? = "deflate",
        framing: LoopbackResponse.Framing = .contentLength
    ) throws -> LoopbackServer {
        try LoopbackServer { _ in
            LoopbackResponse(
                fields: coding.map { [("Content-Encoding", $0)] } ?? [], content: .bytes(bytes),
                framing: framing)
        }
    }

    @Test(arguments: [HTTPDelivery.streamed, .buffered(upTo: 1 << 30)], Self.framings)
    func `a body that expands beyond measure is cut off`(
        delivery: HTTPDelivery, framing: LoopbackResponse.Framing
    ) async throws {
        let (bytes, count) = Self.zeros(270_000)
        #expect(count > 66 << 20)
        let server = try Self.server(bytes, framing: framing)
        let session = try Self.transport { $0.maximumExpansion = 100 }
        var request = try HTTPRequest(.get, server.url)
        request.delivery = delivery
        let sent = request
        var read = 0
        let error = await #expect(throws: HTTPError.self) {
            for try await piece in try await session.response(for: sent).body {
                read += piece.count
            }
        }
        #expect(error?.code == .bodyTooLarge)
        #expect(error?.message.contains("100 times") == true)
        #expect(error?.response?.status == .ok)
        // From 16 MiB on, the ratio counts.
        #expect(read < 17 << 20)
    }

    @Test func `a body beyond the ratio passes only while it is short`() async throws {
        for (runs, mayPass) in [(65_000, true), (65_100, false), (200_000, false)] {
            let (bytes, count) = Self.zeros(runs)
            #expect(count / bytes.count > 150)
            #expect((count <= 16 << 20) == mayPass)
            let server = try Self.server(bytes)
            let session = try Self.transport { $0.maximumExpansion = 100 }
            do {
                var read = 0
                for try await piece in try await session.response(for: server.url).body {
                    read += piece.count
                }
                #expect(mayPass && read == count)
            } catch let error as HTTPError {
                #expect(error.code == .bodyTooLarge)
            }
        }
    }

    @Test(arguments: Self.framings)
    func `a body that expands within measure, or not much, is whole`(
        framing: LoopbackResponse.Framing
    ) async throws {
        let (long, longCount) = Self.zeros(70_000)
        let (short, shortCount) = Self.zeros(40_000)
        #expect(longCount > 16 << 20 && shortCount < 16 << 20)
        for (bytes, count, limit) in [(long, longCount, 160), (short, shortCount, 2)] {
            let server = try Self.server(bytes, framing: framing)
            let session = try Self.transport { $0.maximumExpansion = limit }
            var read = 0
            for try await piece in try await session.response(for: server.url).body {
                read += piece.count
            }
            #expect(read == count)
        }
    }

    @Test(arguments: [(1000, nil), (999, nil), (1000, "deflate")] as [(Int64, String?)])
    func `a body beyond the transport's limit is cut off, in bytes after decoding`(
        limit: Int64, coding: String?
    ) async throws {
        let (bytes, _) = Self.zeros(1000)
        let server = try Self.server(
            coding == nil ? Array(repeating: 7, count: 1000) : bytes, coding: coding)
        let session = try Self.transport { $0.maximumBodyLength = limit }
        let url = server.url
        let isWhole = coding == nil && limit == 1000
        do {
            let data = try await session.response(for: url).data()
            #expect(isWhole)
            #expect(data.count == 1000)
        } catch let error as HTTPError {
            #expect(!isWhole)
            #expect(error.code == .bodyTooLarge)
            #expect(error.message.contains("\(limit)"))
        }
    }
}
