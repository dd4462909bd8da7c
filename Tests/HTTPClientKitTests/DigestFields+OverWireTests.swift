import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// Tests digests over real connections: which bytes a transport passes on, and when.
@Suite(.timeLimit(.minutes(5))) struct DigestFieldsOverWireTests {
    /// "hello" in gzip.
    private static let coded: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 0, 255, 203, 72, 205, 201, 201, 7, 0, 134, 166, 16, 54, 5, 0, 0,
        0,
    ]

    private static func digest(_ bytes: some Sequence<UInt8>) -> String {
        var headers = HTTPHeaders()
        headers.contentDigest = [HTTPDigest(.sha256, of: Data(bytes))]
        return headers["Content-Digest"] ?? ""
    }

    /// Checks the digest of the request, and sends `hello`, coded if the client allows it or the
    /// path asks for it, with the digest of the content as it is sent or a wrong one.
    private static func answer(_ request: LoopbackRequest) -> LoopbackResponse {
        let content = request.content ?? []
        guard request["Content-Digest"] == (content.isEmpty ? nil : digest(content)) else {
            return .status(400)
        }
        let isCoded =
            request["Accept-Encoding"]?.contains("gzip") == true || request.path == "/coded"
        var response = LoopbackResponse.ok("hello")
        if isCoded {
            response.content = .bytes(Self.coded)
            response.fields.append(("Content-Encoding", "gzip"))
        }
        let right = digest(isCoded ? Self.coded : Array("hello".utf8))
        response.fields.append(
            ("Content-Digest", request.path == "/wrong" ? digest([0]) : right))
        if request.path == "/chunked" { response.framing = .chunked }
        return response
    }

    @Test(arguments: ClientWire.allCases)
    func `digests of both sides are right, and a wrong one is found`(
        wire: ClientWire
    ) async throws {
        let server = try LoopbackServer { Self.answer($0) }
        let client = HTTPClient(transport: try wire.transport()) {
            $0.attemptMiddleware = [DigestFields()]
        }
        #expect(try await client.get(server.url("/")).text() == "hello")
        #expect(try await client.get(server.url("/chunked")).text() == "hello")
        let file = try TemporaryFile("some content")
        for body in [HTTPBody("some content"), try HTTPBody(file: file.path)] {
            let request = try HTTPRequest(.put, server.url("/"), body: body)
            #expect(try await client.response(for: request).text() == "hello")
        }
        for delivery in [HTTPDelivery.streamed, .buffered(upTo: 100)] {
            let request = try HTTPRequest(server.url("/wrong")).delivery(delivery)
            let error = await #expect(throws: HTTPError.self) {
                _ = try await client.response(for: request).data()
            }
            #expect(error?.code == .digestMismatch)
        }
        #expect(try await client.get(server.url("/")).text() == "hello", "the connection is free")
    }

    @Test(arguments: ClientWire.allCases)
    func `coded content is checked as it was sent, or not at all`(wire: ClientWire) async throws {
        let server = try LoopbackServer { Self.answer($0) }
        let client = HTTPClient(transport: try wire.transport()) {
            $0.attemptMiddleware = [DigestFields()]
        }
        // The server codes although it was told not to, or because the request allows it.
        let requests = [
            try HTTPRequest(server.url("/coded")),
            try HTTPRequest(server.url("/")).header(.acceptEncoding, "gzip"),
        ]
        for request in requests {
            let bytes = try await client.response(for: request).data()
            #expect([Data(Self.coded), Data("hello".utf8)].contains(bytes))
        }
        // Without a check of responses, the transport decodes, as always.
        let other = HTTPClient(transport: try wire.transport()) {
            $0.attemptMiddleware = [DigestFields(checksResponses: false)]
        }
        #expect(try await other.get(server.url("/coded")).text() == "hello")
    }
}
