import HTTPClientKit
import HTTPSwiftTypes
import HTTPTesting
import HTTPTypes
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Sends the requests of a generated client through a session.
struct HTTPSessionTransport: ClientTransport {
    let session: any HTTPSession

    func send(
        _ request: HTTPTypes.HTTPRequest, body: OpenAPIRuntime.HTTPBody?, baseURL: URL,
        operationID: String
    ) async throws -> (HTTPTypes.HTTPResponse, OpenAPIRuntime.HTTPBody?) {
        var sent = try HTTPCore.HTTPRequest(
            HTTPMethod(request.method.rawValue),
            baseURL.absoluteString.removingSlash + (request.path ?? "/"),
            headers: HTTPHeaders(request.headerFields))
        if let body { sent = sent.sending(body) }
        let response = try await session.response(for: sent)
        return (try HTTPTypes.HTTPResponse(response), response.openAPIBody)
    }
}

extension HTTPCore.HTTPRequest {
    /// Returns this request with a body of the runtime, which is read again for another attempt if
    /// that is possible.
    fileprivate func sending(_ body: OpenAPIRuntime.HTTPBody) -> Self {
        var length: Int64?
        if case .known(let count) = body.length { length = count }
        let chunks = body.map { Data($0) }
        switch body.iterationBehavior {
        case .single: return stream(once: chunks, length: length)
        case .multiple: return stream(length: length) { chunks }
        }
    }
}

extension HTTPCore.HTTPResponse {
    fileprivate var openAPIBody: OpenAPIRuntime.HTTPBody {
        let chunks = body.map { ArraySlice($0) }
        return OpenAPIRuntime.HTTPBody(chunks, length: .unknown, iterationBehavior: .single)
    }
}

extension String {
    fileprivate var removingSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}

/// The code of Docs/Guides/OpenAPI.md, word for word.
@Suite(.timeLimit(.minutes(5))) struct OpenAPIGuideTests {
    private let session = HTTPClient(retry: .standard) {
        $0.validators = []
        $0.retry.backoff = Backoff(base: .zero)
    }

    private static func body(
        _ texts: [String], length: OpenAPIRuntime.HTTPBody.Length,
        _ behavior: OpenAPIRuntime.HTTPBody.IterationBehavior
    ) -> OpenAPIRuntime.HTTPBody {
        let chunks = AsyncStream(OpenAPIRuntime.ByteChunk.self) { continuation in
            for text in texts { continuation.yield(ArraySlice(text.utf8)) }
            continuation.finish()
        }
        return OpenAPIRuntime.HTTPBody(chunks, length: length, iterationBehavior: behavior)
    }

    private static func text(_ body: OpenAPIRuntime.HTTPBody?) async throws -> String {
        var bytes: [UInt8] = []
        if let body { for try await chunk in body { bytes += chunk } }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [true, false])
    func `a request with a body is sent, and the response streams`(hasLength: Bool) async throws {
        let server = try LoopbackServer { request in
            LoopbackResponse(
                status: 404, fields: [("X-A", "1")], content: .bytes(Array(request.text.utf8)))
        }
        let transport: any ClientTransport = HTTPSessionTransport(session: session)
        let (response, body) = try await transport.send(
            HTTPTypes.HTTPRequest(
                method: .post, scheme: nil, authority: nil, path: "/pets?limit=2",
                headerFields: [.contentType: "text/plain"]),
            body: Self.body(["ab", "cd"], length: hasLength ? .known(4) : .unknown, .single),
            baseURL: try HTTPCore.HTTPRequest(server.url("/v1/")).url, operationID: "add")
        #expect(response.status.code == 404)
        #expect(try await Self.text(body) == "abcd")
        let request = try await server.nextRequest()
        #expect(request.method == "POST" && request.target == "/v1/pets?limit=2")
        #expect(request["Content-Type"] == "text/plain")
        #expect(request["Content-Length"] == (hasLength ? "4" : nil))
    }

    @Test func `a request without a body is sent again by the session's rules`() async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        server.enqueue([.respond(.status(503))])
        let transport = HTTPSessionTransport(session: session)
        let (response, body) = try await transport.send(
            HTTPTypes.HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/pets"),
            body: nil, baseURL: try HTTPCore.HTTPRequest(server.url("")).url, operationID: "list")
        #expect(response.status == .ok)
        #expect(try await Self.text(body) == "fine")
        #expect(server.log.count == 2)
    }

    @Test func `the page shows this code`() throws {
        let page = try GuidePage("OpenAPI", testedIn: #filePath)
        #expect(page.blocks.count == 1)
        #expect(page.untested == [])
    }
}
