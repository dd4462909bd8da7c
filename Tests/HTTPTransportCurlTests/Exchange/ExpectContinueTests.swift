import HTTPCore
import HTTPFormats
import HTTPTesting
import HTTPTransportCurl
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct ExpectContinueTests {
    enum Kind: CaseIterable { case small, large, stream }

    private static func request(
        _ server: LoopbackServer, _ kind: Kind, patience: Duration, asked: Gate = Gate()
    ) throws -> HTTPRequest {
        let body: HTTPBody =
            switch kind {
            case .small: HTTPBody("hello")
            case .large: HTTPBody(Data(repeating: 7, count: 200_000))
            case .stream:
                HTTPBody(length: nil) {
                    asked.open()
                    return AsyncStream { continuation in
                        continuation.yield(Data("hello".utf8))
                        continuation.finish()
                    }
                }
            }
        var request = try HTTPRequest(.put, server.url("/"), body: body)
        request[ExpectContinue.self] = patience
        return request
    }

    private static var quiet: LoopbackOptions {
        var options = LoopbackOptions()
        options.waitsForContent = false
        return options
    }

    @Test(arguments: Kind.allCases)
    func `the body follows when the server says so`(kind: Kind) async throws {
        let server = try LoopbackServer { .ok("\($0.contentCount)") }
        let request = try Self.request(server, kind, patience: .seconds(30))
        let response = try await CurlTransport().response(for: request)
        #expect(try await response.text() == (kind == .large ? "200000" : "5"))
        #expect(server.log.first?.request?["Expect"] == "100-continue")
    }

    @Test(arguments: Kind.allCases, [413, 401, 200])
    func `a final answer instead means that the body stays here`(
        kind: Kind, status: Int
    ) async throws {
        let server = try LoopbackServer(Self.quiet) { _ in
            [
                .send(
                    "HTTP/1.1 \(status) No\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno"),
                .close,
            ]
        }
        let asked = Gate()
        let request = try Self.request(server, kind, patience: .seconds(30), asked: asked)
        let response = try await CurlTransport().response(for: request)
        #expect(response.status.code == status)
        #expect(try await response.text() == "no")
        let exchange = try #require(server.log.first)
        #expect(exchange.bytesReceived == exchange.request?.head.count)
        #expect(!asked.isOpen)
    }

    @Test(arguments: Kind.allCases)
    func `a server that says nothing gets the body after a while`(kind: Kind) async throws {
        let server = try LoopbackServer(Self.quiet) { _ in
            [.awaitContentEnd, .respond(.ok("got it"))]
        }
        let request = try Self.request(server, kind, patience: .milliseconds(50))
        #expect(try await CurlTransport().response(for: request).text() == "got it")
    }

    @Test func `nothing is expected where there is no body`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        var request = try HTTPRequest(.get, server.url)
        request[ExpectContinue.self] = .seconds(1)
        _ = try await CurlTransport().response(for: request).text()
        #expect(server.log.first?.request?["Expect"] == nil)
    }
    /// The server may take what follows on the connection for the body that did not come.
    @Test(arguments: Kind.allCases, [200, 204, 413])
    func `a connection on which the body stayed away is not used again`(
        kind: Kind, status: Int
    ) async throws {
        let server = try LoopbackServer(Self.quiet) { request in
            if request["Expect"] == nil { return [.respond(.ok("next"))] }
            let content = status == 204 ? "" : "Content-Length: 2\r\n"
            return [
                .send("HTTP/1.1 \(status) No\r\n\(content)\r\n\(status == 204 ? "" : "no")")
            ]
        }
        let session = CurlTransport()
        let request = try Self.request(server, kind, patience: .seconds(30))
        let response = try await session.response(for: request)
        #expect(response.status.code == status)
        #expect(try await response.text() == (status == 204 ? "" : "no"))
        for _ in 0..<2 {
            #expect(try await session.response(for: server.url).text() == "next")
        }
        let connections = server.log.compactMap { $0.request == nil ? nil : $0.connection }
        #expect(connections == [1, 2, 2])
    }

    @Test(arguments: Kind.allCases, [HTTPMethod.put, .post])
    func `a refused expectation is repeated once without it, with all of the body`(
        kind: Kind, method: HTTPMethod
    ) async throws {
        let server = try LoopbackServer(Self.quiet) { request in
            request["Expect"] == nil
                ? [.awaitContentEnd, .choose { [.respond(.ok("\($0.contentCount)"))] }]
                : [.send("HTTP/1.1 417 No\r\nContent-Length: 3\r\n\r\nwhy")]
        }
        var request = try Self.request(server, kind, patience: .seconds(30))
        request.method = method
        let response = try await CurlTransport().response(for: request)
        #expect(response.status == .ok)
        #expect(try await response.text() == (kind == .large ? "200000" : "5"))
        let requests = server.log.compactMap(\.request)
        #expect(requests.map { $0["Expect"] } == ["100-continue", nil])
        #expect(requests.map(\.contentCount) == [0, kind == .large ? 200_000 : 5])
    }

    @Test(arguments: Kind.allCases)
    func `a 417 that answers no expectation is handed back`(kind: Kind) async throws {
        let server = try LoopbackServer { _ in
            LoopbackResponse(status: 417, content: .bytes(Array("why".utf8)))
        }
        var request = try Self.request(server, kind, patience: .seconds(30))
        request.method = .post
        for patience in [nil, .seconds(30)] as [Duration?] {
            request[ExpectContinue.self] = patience
            let response = try await CurlTransport().response(for: request)
            #expect(response.status.code == 417)
            #expect(try await response.text() == "why")
        }
        #expect(server.log.count == 2)
    }

    /// Content that was produced once cannot be sent again. libcurl drops the content of the 417.
    @Test(arguments: [HTTPMethod.put, .post])
    func `a 417 after a part of a stream is handed back, its content as missing`(method: HTTPMethod)
        async throws
    {
        let server = try LoopbackServer(Self.quiet) { _ in
            [
                .awaitContent(1),
                .send("HTTP/1.1 417 No\r\nContent-Length: 5\r\n\r\nwh"),
                .pause(.milliseconds(50)), .send("ole"),
            ]
        }
        let (pieces, continuation) = AsyncStream.makeStream(of: Data.self)
        continuation.yield(Data("hello".utf8))
        defer { continuation.finish() }
        var request = try HTTPRequest(method, server.url("/"), body: HTTPBody(pieces))
        request[ExpectContinue.self] = .milliseconds(50)
        let response = try await CurlTransport().response(for: request)
        #expect(response.status.code == 417)
        let error = await #expect(throws: HTTPError.self) { try await response.text() }
        #expect(error?.code == .bodyIncomplete)
        #expect(server.log.count == 1)
    }

    @Test(arguments: [true, false])
    func `a body's file that is not there fails the request before anything is sent`(
        expects: Bool
    ) async throws {
        let server = try LoopbackServer(Self.quiet) { _ in [.respond(.ok())] }
        let folder = FileManager.default.temporaryDirectory
        let file = folder.appending(path: UUID().uuidString)
        try Data("hello".utf8).write(to: file)
        let body = try HTTPBody(file: file.path)
        try FileManager.default.removeItem(at: file)
        var request = try HTTPRequest(.put, server.url("/"), body: body)
        if expects { request[ExpectContinue.self] = .seconds(30) }
        let error = await #expect(throws: HTTPError.self) {
            try await CurlTransport().response(for: request)
        }
        #expect(error?.code == .requestBodyFailed)
        #expect(error?.mayHaveReachedServer == false)
        #expect(server.log.isEmpty)
    }
}
