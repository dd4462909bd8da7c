import HTTPClientKit
import HTTPTesting
import Testing
import PortableFoundation

/// The code of `Docs/Guides/Compression.md`, against a server.
@Suite struct CompressionGuideTests {
    private struct Span: Codable, Equatable {
        var name: String
    }

    @Test func `a response is decoded, and its timeline has both lengths`() async throws {
        let content = String(repeating: "All work and no play. ", count: 100)
        let server = try LoopbackServer { _ in .ok(content) }
        server.enqueue(.gzip(content))
        let client = try HTTPClient(baseURL: server.url, transport: CurlTransport())

        let response = try await client.response(for: HTTPRequest(.get, "/report"))
        let text = try await response.text()
        let exchange = response.timeline.exchanges[0]
        print("\(exchange.responseBodyBytes) bytes came, \(exchange.decodedBodyBytes) were read")

        #expect(text == content)
        #expect(exchange.decodedBodyBytes == 2200 && exchange.responseBodyBytes < 100)

        let decodable = HTTPContentCoding.allCases.filter(\.canDecode)
        #expect(decodable.map(\.rawValue) == (try CurlTransport.library.contentCodings))
    }

    @Test func `a request is compressed`() async throws {
        let server = try LoopbackServer { _ in .ok("taken") }
        let client = try HTTPClient(baseURL: server.url, transport: CurlTransport())
        let spans = (0..<100).map { Span(name: "span \($0)") }

        let request = try HTTPRequest(.post, "/v1/traces").json(spans).compressed(.gzip)
        let response = try await client.response(for: request)

        #expect(response.status == .ok)
        let received = try await server.nextRequest()
        #expect(received["Content-Encoding"] == "gzip")
        #expect(received["Content-Type"] == "application/json")
        #expect(received["Content-Length"] == "\(received.content?.count ?? 0)")
        let posted = Data(try received.decodedContent())
        #expect(try JSONDecoder().decode([Span].self, from: posted) == spans)
    }

    @Test func `a client compresses what is worth it`() async throws {
        let server = try LoopbackServer { _ in .ok("taken") }
        let (base, transport) = (server.url, CurlTransport())

        let client = try HTTPClient(baseURL: base, transport: transport) { configuration in
            configuration.compression = RequestCompression(.gzip, minimumLength: 2048)
        }

        for (count, coding) in [(2047, nil), (2048, "gzip")] as [(Int, String?)] {
            let text = String(repeating: "a", count: count)
            _ = try await client.response(for: HTTPRequest(.post, "/").text(text))
            let received = try await server.nextRequest()
            #expect(received["Content-Encoding"] == coding)
            #expect(String(decoding: try received.decodedContent(), as: UTF8.self) == text)
        }
    }

    @Test func `the test server answers in a coding`() async throws {
        let server = try LoopbackServer { _ in .gzip("hello") }
        let client = try HTTPClient(baseURL: server.url, transport: CurlTransport())
        #expect(try await client.response(for: HTTPRequest(.get, "/")).text() == "hello")
        let posted = try await server.nextRequest().decodedContent()
        #expect(posted.isEmpty)
    }
}
