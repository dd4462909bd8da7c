import HTTPCodings
import HTTPCore
import HTTPFormats
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite struct RequestCompressionTests {
    private static let text = String(repeating: "All work and no play. ", count: 100)

    /// A server that takes content in some codings only, and says so.
    private static func server(taking codings: String?) -> MockSession {
        MockSession { request in
            let coding = request.headers[.contentEncoding]
            guard let coding, codings?.contains(coding) == false else {
                return HTTPResponse(.ok, to: request)
            }
            return HTTPResponse(
                .unsupportedMediaType, headers: [.acceptEncoding: codings ?? ""], to: request)
        }
    }

    private static func post(_ text: String = text, to host: String = "a.test") throws
        -> HTTPRequest
    {
        try HTTPRequest(.post, "http://\(host)/").text(text)
    }

    @Test func `what is worth it is compressed, and the rest sent as it is`() async throws {
        let server = Self.server(taking: nil)
        let session = server.with(RequestCompression(minimumLength: 1000))
        var random = SeededRandom(1)
        let noise = Data((0..<2000).map { _ in UInt8.random(in: 0...255, using: &random) })
        let requests = [
            (try Self.post(), true), (try Self.post("short"), false),
            (try HTTPRequest(.get, "http://a.test/"), false),
            (try HTTPRequest(.post, "http://a.test/").data(noise), false),
            (try Self.post().header(.contentEncoding, "aws-chunked"), false),
            (try Self.post().header("Content-Digest", "sha-256=:AA==:"), false),
            (try Self.post().header("Content-Range", "bytes 0-1/2"), false),
        ]
        for (request, isCompressed) in requests {
            _ = try await session.response(for: request)
            let sent = try #require(server.requests.last)
            #expect((sent.headers[.contentEncoding] == "gzip") == isCompressed)
            if !isCompressed { #expect(sent.headers == request.headers) }
        }
    }

    @Test(arguments: ["identity", "", "br, zstd", "gzip;q=0, x-gzip;q=0, *", "deflate;q=1.0"])
    func `what a server refuses is sent once more, and not compressed again`(
        accepted: String
    ) async throws {
        let server = MockSession { request in
            guard request.headers.contains(.contentEncoding) else {
                return HTTPResponse(.ok, to: request)
            }
            return HTTPResponse(
                .unsupportedMediaType, headers: [.acceptEncoding: accepted], to: request)
        }
        let compression = RequestCompression(minimumLength: 0)
        let session = server.with(compression)
        for _ in 0..<3 {
            let response = try await session.response(for: Self.post())
            #expect(response.status == .ok)
        }
        let codings = server.requests.map { $0.headers[.contentEncoding] }
        #expect(codings == ["gzip", nil, nil, nil])
        #expect(try await server.requests[1].body.collect() == Data(Self.text.utf8))
        // Another origin is asked by itself, and a copy knows what the first has learnt.
        _ = try await session.response(for: Self.post(to: "b.test"))
        #expect(server.requests.count == 6)
        _ = try await server.with(compression).response(for: Self.post())
        #expect(server.requests.count == 7)
    }

    @Test(arguments: [nil, "gzip", "x-gzip", "*", "br, GZIP ;q=0.5", "*;q=0, gzip"])
    func `a 415 that is not about the coding is handed back`(accepted: String?) async throws {
        let server = MockSession { request in
            var headers = HTTPHeaders()
            if let accepted { headers[.acceptEncoding] = accepted }
            return HTTPResponse(.unsupportedMediaType, headers: headers, to: request)
        }
        let session = server.with(RequestCompression())
        for count in 1...2 {
            let response = try await session.response(for: Self.post())
            #expect(response.status == .unsupportedMediaType)
            #expect(server.requests.count == count)
            #expect(server.requests.last?.headers[.contentEncoding] == "gzip")
        }
    }

    @Test func `a stream that was sent is not sent again, but later ones are not compressed`()
        async throws
    {
        let server = MockSession { request in
            _ = try await request.body.collect()
            let isCoded = request.headers.contains(.contentEncoding)
            return HTTPResponse(
                isCoded ? .unsupportedMediaType : .ok,
                headers: [.acceptEncoding: "identity"], to: request)
        }
        let session = server.with(RequestCompression())
        func stream() throws -> HTTPRequest {
            try HTTPRequest(.post, "http://a.test/").stream(
                once: AsyncStream { continuation in
                    continuation.yield(Data(Self.text.utf8))
                    continuation.finish()
                })
        }
        #expect(try await session.response(for: stream()).status == .unsupportedMediaType)
        #expect(try await session.response(for: stream()).status == .ok)
        #expect(server.requests.count == 2)
    }

    @Test func `the memory of origins has a limit`() async throws {
        let server = Self.server(taking: "identity")
        let session = server.with(RequestCompression())
        for number in 0..<1500 {
            _ = try await session.response(for: Self.post(to: "h\(number).test"))
        }
        #expect(server.requests.count == 3000)
        _ = try await session.response(for: Self.post(to: "h1499.test"))
        #expect(server.requests.count == 3001)
    }
}
