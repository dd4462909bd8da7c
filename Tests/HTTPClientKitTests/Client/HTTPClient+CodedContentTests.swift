import HTTPClientKit
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// Coded content through a client with a cache.
@Suite(.timeLimit(.minutes(5))) struct HTTPClientCodedContentTests {
    @Test(
        arguments: HTTPContentCoding.allCases,
        [LoopbackResponse.Framing.contentLength, .chunked, .untilClose])
    func `what is whole is stored decoded, and nothing that is cut is stored`(
        coding: HTTPContentCoding, framing: LoopbackResponse.Framing
    ) async throws {
        let transport = CurlTransport()
        for item in try CodedCase.all(coding) {
            for delivery in [HTTPDelivery.streamed, .buffered(upTo: 1 << 20)] {
                let server = try LoopbackServer { _ in item.response(framing) }
                let client = try HTTPClient(
                    baseURL: server.url, transport: transport, cache: .inMemory)
                for count in 1...2 {
                    var request = try HTTPRequest(.get, "/")
                    request.delivery = delivery
                    do {
                        let response = try await client.response(for: request)
                        #expect(try await response.text() == CodedCase.text, "\(item)")
                        #expect(item.isWhole && response.headers[.contentEncoding] == nil)
                        #expect(server.snapshot.requestCount == 1, "\(item)")
                    } catch let error as HTTPError {
                        #expect(!item.isWhole && error.code == .contentDecodingFailed)
                        #expect(server.snapshot.requestCount == count, "\(item)")
                    }
                }
            }
        }
    }

    @Test(arguments: [true, false])
    func `coded content that one request asked for is none for others`(varies: Bool) async throws {
        let server = try LoopbackServer { _ in
            var response = LoopbackResponse.gzip("hello")
            response.fields.append(("Cache-Control", "max-age=600"))
            if varies { response.fields.append(("Vary", "Accept-Encoding")) }
            return response
        }
        let client = try HTTPClient(
            baseURL: server.url, transport: CurlTransport(), cache: .inMemory)
        let own = try HTTPRequest(.get, "/").header(.acceptEncoding, "gzip")
        for _ in 0..<2 {
            let coded = try await client.response(for: own)
            #expect(coded.headers[.contentEncoding] == "gzip")
            #expect(try await coded.data().first == 0x1F)
        }
        #expect(server.snapshot.requestCount == 1)
        for (count, accepted) in ["identity", "br", "gzip;q=0", ""].enumerated() {
            let request = try HTTPRequest(.get, "/").header(.acceptEncoding, accepted)
            _ = try await client.response(for: request).data()
            #expect(server.snapshot.requestCount == 2 + count, "\(accepted)")
        }
        for _ in 0..<2 {
            #expect(try await client.response(for: HTTPRequest(.get, "/")).text() == "hello")
        }
        #expect(server.snapshot.requestCount == 6)
    }

    @Test func `a transport that does not decode uses what it has stored`() async throws {
        let server = try LoopbackServer { _ in
            var response = LoopbackResponse.gzip("hello")
            response.fields.append(("Cache-Control", "max-age=600"))
            return response
        }
        var configuration = CurlConfiguration()
        configuration.decodesContent = false
        let client = try HTTPClient(
            baseURL: server.url, transport: CurlTransport(configuration), cache: .inMemory)
        for _ in 0..<2 {
            #expect(try await client.response(for: HTTPRequest(.get, "/")).data().first == 0x1F)
        }
        #expect(server.snapshot.requestCount == 1)
    }

    @Test func `a HEAD of a coded response keeps what is stored decoded`() async throws {
        let server = try LoopbackServer { _ in
            var response = LoopbackResponse.gzip("hello")
            response.fields += [("Cache-Control", "max-age=600"), ("ETag", "\"1\"")]
            return response
        }
        let client = try HTTPClient(
            baseURL: server.url, transport: CurlTransport(), cache: .inMemory)
        _ = try await client.response(for: HTTPRequest(.get, "/")).data()
        _ = try await client.response(
            for: HTTPRequest(.head, "/").header("Cache-Control", "no-cache"))
        #expect(try await client.response(for: HTTPRequest(.get, "/")).text() == "hello")
        #expect(server.snapshot.requestCount == 2)
    }

    @Test func `retries and redirects send what was compressed, and digests are of it`()
        async throws
    {
        let server = try LoopbackServer { request in
            switch (request.path, request["X-Attempt"]) {
            case ("/old", _): .redirect(to: "/new", status: 308)
            default: .ok("taken")
            }
        }
        server.enqueue(.status(503))
        let client = try HTTPClient(
            baseURL: server.url, transport: CurlTransport(),
            retry: .standard
        ) {
            $0.compression = RequestCompression(minimumLength: 0)
            $0.attemptMiddleware = [DigestFields(checksResponses: false)]
        }
        let text = String(repeating: "All work and no play. ", count: 100)
        let request = try HTTPRequest(.put, "/old").text(text)
        #expect(try await client.response(for: request).text() == "taken")
        for path in ["/old", "/old", "/new"] {
            let received = try await server.nextRequest()
            #expect(received.path == path && received["Content-Encoding"] == "gzip")
            #expect(String(decoding: try received.decodedContent(), as: UTF8.self) == text)
            let digest = HTTPDigest(.sha256, of: Data(received.content ?? []))
            let fields = HTTPHeaders {
                $0["Content-Digest"] = received["Content-Digest"]
            }
            #expect(fields.contentDigest == [digest])
        }
    }

    @Test func `a server that refuses codings gets what was made`() async throws {
        let server = try LoopbackServer { request in
            guard request["Content-Encoding"] == nil else {
                var refusal = LoopbackResponse.status(415)
                refusal.fields.append(("Accept-Encoding", "identity"))
                return refusal
            }
            return .echo(request)
        }
        let client = try HTTPClient(baseURL: server.url, transport: CurlTransport()) {
            $0.compression = RequestCompression(.zstd, minimumLength: 0)
        }
        let text = String(repeating: "All work and no play. ", count: 100)
        for _ in 0..<2 {
            let response = try await client.response(for: HTTPRequest(.post, "/").text(text))
            #expect(try await response.text() == text)
        }
        #expect(server.snapshot.requestCount == 3)
    }

    @Test func `a body that is written while it is read can be compressed`() async throws {
        let server = try LoopbackServer { request in .echo(request) }
        let client = try HTTPClient(baseURL: server.url, transport: CurlTransport()) {
            $0.compression = RequestCompression()
        }
        let text = try await client.withDuplex(for: HTTPRequest(.post, "/")) { duplex in
            for number in 0..<10 { try await duplex.writer.write("line \(number)\n") }
            try duplex.writer.finish()
            return Data(try await duplex.response.data())
        }
        let received = try await server.nextRequest()
        #expect(received["Content-Encoding"] == "gzip" && Array(text) == received.content)
        #expect(
            String(decoding: try received.decodedContent(), as: UTF8.self)
                == (0..<10).map { "line \($0)\n" }.joined())
    }
}
