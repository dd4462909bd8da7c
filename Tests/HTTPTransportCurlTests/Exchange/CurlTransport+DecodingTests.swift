import HTTPCore
import HTTPFormats
import HTTPTesting
import HTTPTransportCurl
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.timeLimit(.minutes(5))) struct CurlTransportDecodingTests {
    private static let text = String(repeating: "All work and no play. ", count: 4000)

    /// A content coding and its name.
    enum Coding: String, Sendable, CaseIterable {
        case gzip, deflate

        func code(_ text: String) -> [UInt8] {
            let bytes = Array(text.utf8)
            return switch self {
            case .gzip:
                [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + StoredDeflate.blocks(bytes)
                    + StoredDeflate.littleEndian(StoredDeflate.crc32(bytes))
                    + StoredDeflate.littleEndian(UInt32(bytes.count))
            case .deflate:
                [0x78, 0x01] + StoredDeflate.blocks(bytes)
                    + StoredDeflate.littleEndian(StoredDeflate.adler32(bytes)).reversed()
            }
        }
    }

    private static func response(
        _ coding: String, _ bytes: [UInt8], _ framing: LoopbackResponse.Framing = .contentLength
    ) -> LoopbackResponse {
        LoopbackResponse(
            fields: [("Content-Encoding", coding), ("X", "1")], content: .bytes(bytes),
            framing: framing)
    }

    @Test(
        arguments: Coding.allCases,
        [LoopbackResponse.Framing.contentLength, .chunked, .untilClose])
    func `coded content is decoded and the head says nothing about it`(
        coding: Coding, framing: LoopbackResponse.Framing
    ) async throws {
        let bytes = coding.code(Self.text)
        let server = try LoopbackServer { _ in
            Self.response(coding.rawValue, bytes, framing)
        }
        let session = CurlTransport()
        for delivery in [HTTPDelivery.streamed, .buffered(upTo: 1 << 20)] {
            var request = try HTTPRequest(.get, server.url("/"))
            request.delivery = delivery
            let response = try await session.response(for: request)
            #expect(response.headers[.contentEncoding] == nil)
            #expect(response.headers[.contentLength] == nil)
            #expect(response.headers["X"] == "1")
            if delivery == .streamed { #expect(response.body.length == nil) }
            #expect(try await response.text() == Self.text)
            let exchange = try #require(response.timeline.exchanges.first)
            #expect(exchange.responseBodyBytes == Int64(bytes.count))
            #expect(exchange.decodedBodyBytes == Int64(Self.text.utf8.count))
        }
    }

    @Test(arguments: ["more", "trash", "zero"], [HTTPDelivery.streamed, .buffered(upTo: 1 << 20)])
    func `what follows a gzip member is an error that names the coding`(
        what: String, delivery: HTTPDelivery
    ) async throws {
        let member = Coding.gzip.code(Self.text)
        let rest: [UInt8] =
            switch what {
            case "more": member
            case "trash": Array("trailing".utf8)
            default: [0]
            }
        let server = try LoopbackServer { _ in Self.response("gzip", member + rest) }
        let error = await #expect(throws: HTTPError.self) {
            var request = try HTTPRequest(.get, server.url)
            request.delivery = delivery
            _ = try await CurlTransport().response(for: request).data()
        }
        #expect(error?.code == .contentDecodingFailed)
        #expect(error?.phase == .receiving)
        #expect(error?.message.contains("gzip") == true)
        #expect(error?.isRetryable == false)
    }

    @Test(arguments: [HTTPHeaderName("Accept-Encoding"), "Range"], ["", "gzip", "bytes=0-"])
    func `a request that names a coding or a range gets the body as it was sent`(
        name: HTTPHeaderName, value: String
    ) async throws {
        let bytes = Coding.gzip.code("hello")
        let server = try LoopbackServer { _ in Self.response("gzip", bytes) }
        var request = try HTTPRequest(.get, server.url("/"))
        request.headers[name] = value
        let response = try await CurlTransport().response(for: request)
        #expect(try await response.data() == Data(bytes))
        #expect(response.headers[.contentEncoding] == "gzip")
        #expect(response.headers[.contentLength] == "\(bytes.count)")
        if name == "Range" {
            #expect(try await server.nextRequest()["Accept-Encoding"] == nil)
        }
    }

    @Test func `a transport that does not decode does not ask and does not touch`() async throws {
        let bytes = Coding.gzip.code("hello")
        let server = try LoopbackServer { _ in Self.response("gzip", bytes) }
        var configuration = CurlConfiguration()
        configuration.decodesContent = false
        let response = try await CurlTransport(configuration).response(for: server.url("/"))
        #expect(try await response.data() == Data(bytes))
        #expect(response.headers[.contentEncoding] == "gzip")
        #expect(try await server.nextRequest()["Accept-Encoding"] == nil)
    }

    @Test func `identity is no coding`() async throws {
        let server = try LoopbackServer { _ in Self.response("identity", Array("hello".utf8)) }
        #expect(try await CurlTransport().response(for: server.url("/")).text() == "hello")
    }

    enum Damage: Sendable, CaseIterable {
        case notCoded, brokenHeader, brokenBlock, wrongSum, cut, cutSum, unknown

        /// libcurl does not ask at the end of the content whether the coding has ended, too.
        var isMissedByLibrary: Bool { self == .cut || self == .cutSum }
    }

    @Test(arguments: Coding.allCases, Damage.allCases)
    func `broken content fails and the next request is fine`(
        coding: Coding, damage: Damage
    ) async throws {
        var bytes = coding.code(Self.text)
        var name = coding.rawValue
        switch damage {
        case .notCoded: bytes = Array(Self.text.utf8)
        case .brokenHeader: bytes[0] = 0x42
        case .brokenBlock: bytes[coding == .gzip ? 10 : 2] = 0x07
        case .wrongSum: bytes[bytes.count - (coding == .gzip ? 6 : 2)] ^= 0xFF
        case .cut: bytes.removeLast(bytes.count / 2)
        case .cutSum: bytes.removeLast(2)
        case .unknown: name = "x-compressed-by-magic"
        }
        let server = try LoopbackServer { _ in .ok("fine") }
        let session = CurlTransport()
        for delivery in [HTTPDelivery.streamed, .buffered(upTo: 1 << 20)] {
            server.enqueue(Self.response(name, bytes))
            var request = try HTTPRequest(.get, server.url("/"))
            request.delivery = delivery
            await withKnownIssue {
                let error = await #expect(throws: HTTPError.self) {
                    try await session.response(for: request).data()
                }
                #expect(error?.code == .contentDecodingFailed)
                #expect(error?.isRetryable == false)
            } when: {
                damage.isMissedByLibrary
            }
            #expect(try await session.response(for: server.url("/")).text() == "fine")
        }
    }
}

/// Deflate without compression (RFC 1951 §3.2.4), and the sums of its wrappers.
private enum StoredDeflate {
    static func blocks(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var start = 0
        repeat {
            let end = min(start + 65_535, bytes.count)
            let count = UInt16(end - start)
            result.append(end == bytes.count ? 1 : 0)
            for word in [count, ~count] {
                result += [UInt8(truncatingIfNeeded: word), UInt8(word >> 8)]
            }
            result += bytes[start..<end]
            start = end
        } while start < bytes.count
        return result
    }

    static func littleEndian(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return b << 16 | a
    }
}
