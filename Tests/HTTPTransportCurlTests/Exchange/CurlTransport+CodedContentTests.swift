import HTTPCodings
import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

/// All cases of coded content, in each framing, and as each reader takes them.
@Suite(.timeLimit(.minutes(5))) struct CurlTransportCodedContentTests {
    /// A way to read a response.
    private enum Reading: CaseIterable {
        case streamed, buffered, lines, slowly

        func text(_ session: some HTTPSession, _ url: String) async throws -> String {
            var request = try HTTPRequest(.get, url)
            if self == .buffered { request.delivery = .buffered(upTo: 1 << 20) }
            let response = try await session.response(for: request)
            switch self {
            case .streamed, .buffered: return try await response.text()
            case .lines:
                var text = ""
                for try await line in response.lines() { text += line + "\n" }
                return text
            case .slowly:
                var bytes = Data()
                for try await piece in response.body {
                    bytes += piece
                    await Task.yield()
                }
                return String(decoding: bytes, as: UTF8.self)
            }
        }
    }

    private func check(
        _ cases: [CodedCase], _ session: CurlTransport,
        _ serve: (CodedCase) throws -> String
    ) async throws {
        for item in cases {
            for reading in Reading.allCases {
                do {
                    let text = try await reading.text(session, try serve(item))
                    #expect(item.isWhole && text == CodedCase.text, "\(item), \(reading)")
                } catch let error as HTTPError {
                    #expect(!item.isWhole, "\(item), \(reading): \(error)")
                    #expect(error.code == .contentDecodingFailed, "\(item), \(reading)")
                    #expect(error.response?.status == .ok && error.phase == .receiving)
                    #expect(error.timeline?.exchanges.count == 1)
                }
            }
        }
    }

    @Test(
        arguments: HTTPContentCoding.allCases,
        [LoopbackResponse.Framing.contentLength, .chunked, .untilClose])
    func `what is whole is read, and nothing else is taken for whole`(
        coding: HTTPContentCoding, framing: LoopbackResponse.Framing
    ) async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        let session = CurlTransport()
        try await check(try CodedCase.all(coding), session) { item in
            server.enqueue(item.response(framing))
            return server.url
        }
        #expect(try await session.response(for: server.url).text() == "fine")
    }

    @Test(
        .enabled(if: (try? CurlLibrary.loaded.get().hasHTTP2) == true, "libcurl is without HTTP/2"),
        arguments: HTTPContentCoding.allCases)
    func `so it is over HTTP 2`(coding: HTTPContentCoding) async throws {
        let current = Locked<CodedCase?>(nil)
        let server = try await FrameServer { connection in
            while let stream = connection.nextWholeRequest() {
                guard let item = current.withLock(\.self) else { return }
                let name = Array(item.coding.rawValue.utf8)
                // A literal whose name has the index 26: content-encoding (RFC 7541 §6.2.2).
                connection.send(
                    FrameServer.Frame(
                        kind: .headers, flags: FrameServer.Frame.endHeaders, stream: stream,
                        payload: [0x88, 0x0F, 0x0B, UInt8(name.count)] + name))
                let size = item.isDripped ? 1 : item.bytes.count
                for start in stride(from: 0, to: item.bytes.count, by: size) {
                    let piece = Array(item.bytes[start..<min(start + size, item.bytes.count)])
                    let isLast = start + size >= item.bytes.count
                    connection.send(
                        FrameServer.Frame(
                            kind: .data, flags: isLast ? FrameServer.Frame.endStream : 0,
                            stream: stream, payload: piece))
                }
            }
        }
        let session = try await TestAuthority.transport()
        try await check(try CodedCase.all(coding), session) { item in
            current.withLock { $0 = item }
            return server.url
        }
    }
}
