import Foundation
import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing

@testable import HTTPTransportURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct URLSessionTransportTests {
    // MARK: A session

    @Test(.rows("S4-7"))
    func `a GET is answered with head and body`() async throws {
        let server = try LoopbackServer { _ in .ok("hello") }
        let response = try await URLSessionTransport().response(for: server.url("/greeting?a=1#f"))
        #expect(response.status == .ok)
        #expect(try await response.text() == "hello")
        #expect(response.headers[.contentLength] == "5")
        #expect(try await server.nextRequest().target == "/greeting?a=1")
    }

    // MARK: Requests

    @Test(.rows("S2-5"))
    func `nothing is sent that the request does not have, beyond framing and coding`()
        async throws
    {
        let server = try LoopbackServer { _ in .ok() }
        let transport = URLSessionTransport()
        var request = try HTTPRequest(.get, server.url("/a"))
        _ = try await transport.response(for: request)
        var seen = try await server.nextRequest()
        #expect(Set(seen.fields.map(\.name)) == ["Host", "Accept-Encoding"])

        request = try HTTPRequest(.post, server.url("/a"), body: HTTPBody("x"))
        _ = try await transport.response(for: request)
        seen = try await server.nextRequest()
        #expect(Set(seen.fields.map(\.name)) == ["Host", "Accept-Encoding", "Content-Length"])
        #expect(seen.text == "x")
    }

    @Test func `the request's own fields are sent as they are`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let own: HTTPHeaders = [
            "User-Agent": "me/1", "Accept": "text/plain", "Accept-Language": "de",
            "Accept-Encoding": "gzip;q=0.5", "Content-Type": "text/x", "X-Empty": "",
            "Host": "example.org", "Authorization": "Bearer 1", "Cookie": "a=1",
        ]
        let request = try HTTPRequest(.post, server.url("/"), headers: own, body: HTTPBody("x"))
        _ = try await URLSessionTransport().response(for: request)
        let seen = try await server.nextRequest()
        for field in own { #expect(seen[field.name.spelling] == field.value) }
    }

    @Test func `fields of one name are sent apart, names as spelled; cookies are joined`()
        async throws
    {
        let server = try LoopbackServer { _ in .ok() }
        var headers: HTTPHeaders = ["x-lower": "1", "X-UPPER": "2"]
        for value in ["a", "", "b, c"] { try headers.append("X-Twice", value) }
        for value in ["c=1", "d=2"] { try headers.append(.cookie, value) }
        let request = try HTTPRequest(.get, server.url("/"), headers: headers)
        _ = try await URLSessionTransport().response(for: request)
        let fields = try await server.nextRequest().fields.map { "\($0.name): \($0.value)" }
        #expect(
            fields.filter { $0.hasPrefix("X-Twice") }
                == ["X-Twice: a", "X-Twice: ", "X-Twice: b, c"])
        #expect(Set(["x-lower: 1", "X-UPPER: 2", "Cookie: c=1; d=2"]).isSubset(of: fields))
        #expect(fields.count == 8, "\(fields)")
    }

    @Test func `a request with a Range does not ask for a content coding`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let request = try HTTPRequest(.get, server.url("/"), headers: [.range: "bytes=0-1"])
        _ = try await URLSessionTransport().response(for: request)
        #expect(try await server.nextRequest()["Accept-Encoding"] == nil)
    }

    @Test(arguments: ["DELETE", "OPTIONS", "PUT", "PATCH", "PURGE", "HEAD", "x-own"])
    func `any method is sent as written`(method: String) async throws {
        let server = try LoopbackServer { _ in .ok() }
        let request = try HTTPRequest(HTTPMethod(method), server.url("/"))
        let response = try await URLSessionTransport().response(for: request)
        #expect(response.status == .ok)
        #expect(try await server.nextRequest().method == method)
    }

    // MARK: Responses

    @Test(arguments: [204, 304, 400, 401, 404, 407, 500, 599, 600, 999])
    func `any status is a response`(status: Int) async throws {
        let server = try LoopbackServer { _ in .status(status, "why") }
        let response = try await URLSessionTransport().response(for: server.url("/"))
        #expect(response.status.code == status)
        #expect(try await response.text() == ([204, 304].contains(status) ? "" : "why"))
    }

    @Test(arguments: [
        "Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"y\"", "Bearer", "Basic",
        "Negotiate, Basic realm=\"x\"",
    ])
    func `a challenge is returned with its body`(challenge: String) async throws {
        let server = try LoopbackServer { _ in
            var response = LoopbackResponse.status(401, "who are you?")  // prose: data
            response.fields.append(("WWW-Authenticate", challenge))
            return response
        }
        let transport = URLSessionTransport()
        let response = try await transport.response(for: server.url("/"))
        #expect(response.status == .unauthorized)
        #expect(response.headers[.wwwAuthenticate] == challenge)
        #expect(try await response.text() == "who are you?")  // prose: data
        await transport.close()
        #expect(server.log.count == 1)
    }

    // MARK: No policy

    @Test(.rows("B-6"), arguments: [301, 302, 303, 307, 308])
    func `a redirect is a response, with its body, and is not followed`(status: Int) async throws {
        let server = try LoopbackServer { _ in
            var response = LoopbackResponse.redirect(to: "/elsewhere", status: status)
            response.content = .bytes(Array("moved".utf8))
            return response
        }
        let transport = URLSessionTransport()
        let response = try await transport.response(for: server.url("/"))
        #expect(response.status.code == status)
        #expect(response.headers[.location] == "/elsewhere")
        #expect(try await response.text() == "moved")
        await transport.close()
        #expect(server.log.map(\.request?.target) == ["/"])
    }

    @Test(.rows("S0-5"))
    func `no cookie is kept`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackResponse(fields: [("Set-Cookie", "a=1")])
        }
        let transport = URLSessionTransport()
        for _ in 0..<2 { _ = try await transport.response(for: server.url("/")) }
        #expect(server.log.count == 2)
        #expect(server.log.allSatisfy { $0.request?["Cookie"] == nil })
    }

    @Test(.rows("S2-18"))
    func `nothing is answered from a cache`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackResponse(
                fields: [("Cache-Control", "max-age=100"), ("ETag", "\"1\"")], content: .bytes([65])
            )
        }
        let transport = URLSessionTransport()
        for _ in 0..<2 {
            #expect(try await transport.response(for: server.url("/")).text() == "A")
        }
        #expect(server.log.count == 2)
        #expect(server.log.allSatisfy { $0.request?["If-None-Match"] == nil })
    }

    // MARK: Bodies

    @Test func `64 MiB are streamed, every byte in its place`() async throws {
        let server = try LoopbackServer { _ in .bytes(count: 64 << 20) }
        let response = try await URLSessionTransport().response(for: server.url("/"))
        #expect(response.body.length == 64 << 20)
        var offset = 0
        for try await piece in response.body {
            guard Pattern.matches(piece, from: offset) else {
                Issue.record("wrong bytes from \(offset) on")
                return
            }
            offset += piece.count
        }
        #expect(offset == 64 << 20)
        let exchange = try #require(response.timeline.exchanges.first)
        #expect(exchange.decodedBodyBytes == 64 << 20)
        #expect(exchange.lastByte != nil)
    }

    @Test func `what a slow reader leaves goes through a file and comes back in order`()
        async throws
    {
        let server = try LoopbackServer { _ in .bytes(count: 8 << 20) }
        var configuration = URLSessionTransportConfiguration()
        configuration.spillThreshold = 64 << 10
        let response = try await URLSessionTransport(configuration).response(for: server.url("/"))
        // The server is done before anything was read: it cannot be held back.
        try await server.waitUntil { $0.log.first?.isFinished == true }
        var bytes = Data()
        for try await piece in response.body { bytes += piece }
        #expect(bytes.count == 8 << 20)
        #expect(Pattern.matches(bytes))
    }

    @Test func `the response comes with the head, before the body`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { _ -> LoopbackScript in
            [
                .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe"), .pause(until: gate),
                .send("llo"),
            ]
        }
        let response = try await URLSessionTransport().response(for: server.url("/"))
        gate.open()
        #expect(try await response.text() == "hello")
    }

    @Test func `under buffered delivery the body is read inside, and a broken one is the error`()
        async throws
    {
        let server = try LoopbackServer { request -> LoopbackScript in
            let isCut = request.path == "/cut"
            return [
                .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\nConnection: close\r\n\r\n"),
                .send(isCut ? "12345" : "1234567890"), .close,
            ]
        }
        let transport = URLSessionTransport()
        var request = try HTTPRequest(.get, server.url("/whole"))
        request.delivery = .buffered(upTo: 100)
        let response = try await transport.response(for: request)
        #expect(response.body.bytes == Data("1234567890".utf8))

        request = try HTTPRequest(.get, server.url("/cut"))
        request.delivery = .buffered(upTo: 100)
        var error = await #expect(throws: HTTPError.self) {
            try await transport.response(for: request)
        }
        #expect(error?.code == .bodyIncomplete)
        #expect(error?.response?.status == .ok)
        #expect(error?.url == server.url("/cut"))
        #expect(error?.isRetryable == true)

        request = try HTTPRequest(.get, server.url("/whole"))
        request.delivery = .buffered(upTo: 9)
        error = await #expect(throws: HTTPError.self) {
            try await transport.response(for: request)
        }
        #expect(error?.code == .bodyTooLarge)
        #expect(error?.url == server.url("/whole"))
    }

    @Test func `under buffered delivery a body that is too long fails before its end`() async throws
    {
        let server = try LoopbackServer { _ -> LoopbackScript in
            [.send("HTTP/1.1 200 OK\r\n\r\n"), .generate(1000), .stall]
        }
        var request = try HTTPRequest(.get, server.url("/"))
        request.delivery = .buffered(upTo: 999)
        let error = await #expect(throws: HTTPError.self) {
            try await URLSessionTransport().response(for: request)
        }
        #expect(error?.code == .bodyTooLarge)
        #expect(error?.response?.status == .ok)
    }

    @Test func `under buffered delivery what exceeds memory comes whole`() async throws {
        let server = try LoopbackServer { _ in .bytes(count: 4 << 20) }
        var configuration = URLSessionTransportConfiguration()
        configuration.spillThreshold = 64 << 10
        var request = try HTTPRequest(.get, server.url("/"))
        request.delivery = .buffered(upTo: 4 << 20)
        let bytes = try await URLSessionTransport(configuration).response(for: request).body.bytes
        #expect(bytes?.count == 4 << 20)
        #expect(bytes.map { Pattern.matches($0) } == true)
    }

    @Test func `each byte of a buffered body is reported once, beyond memory too`() async throws {
        let server = try LoopbackServer { _ in .bytes(count: 1 << 20) }
        var configuration = URLSessionTransportConfiguration()
        configuration.spillThreshold = 64 << 10
        let told = Locked([Int]())
        var request = try HTTPRequest(.get, server.url("/"))
        request.delivery = .buffered(upTo: 1 << 20)
        request[ReceivingProgress.self] = { progress in
            told.withLock { $0.append(Int(progress.bytes)) }
        }
        _ = try await URLSessionTransport(configuration).response(for: request)
        let counts = told.withLock { $0 }
        #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 < $1 }, "\(counts)")
        #expect(counts.last == 1 << 20)
    }

    @Test func `a connection is used again, also after a discarded body`() async throws {
        let server = try LoopbackServer { _ in .bytes(count: 60_000) }
        let transport = URLSessionTransport()
        for _ in 0..<5 {
            let response = try await transport.response(for: server.url("/"))
            await response.discard()
        }
        #expect(server.connections.accepted == 1)
        #expect(server.log.count == 5)
    }

    @Test func `discarding a long body cuts its connection and returns`() async throws {
        let server = try LoopbackServer { _ -> LoopbackScript in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n"), .generate(1000), .stall]
        }
        let transport = URLSessionTransport()
        let response = try await transport.response(for: server.url("/"))
        await response.discard()
        try await server.waitUntil { $0.log.first?.ending != nil }
        await transport.close()
    }

    enum Ending: String, CaseIterable, Sendable { case read, dropped, brokenOff, discarded, failed }

    // MARK: Events

    @Test(.rows("B-10"), arguments: Ending.allCases)
    func `every body ends once, and the observer is told once`(ending: Ending) async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { _ -> LoopbackScript in
            [
                .send("HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n"), .generate(1000),
                .pause(until: gate),
            ] + (ending == .failed ? [.close] : [.generate(299_000, from: 1000)])
        }
        let events = EventRecorder()
        let ends = Locked<[HTTPBodyEnd]>([])
        let transport = URLSessionTransport()
        do {
            let request = try HTTPRequest(.get, server.url("/")).beginningCall(observer: events)
            let response = try await transport.response(for: request)
            response.body.whenEnded { end in ends.withLock { $0.append(end) } }
            switch ending {
            case .read:
                gate.open()
                #expect(try await response.body.collect().count == 300_000)
            case .dropped: break
            case .brokenOff: for try await _ in response.body { break }
            case .discarded:
                gate.open()
                await response.discard()
            case .failed:
                gate.open()
                let error = await #expect(throws: HTTPError.self) {
                    try await response.body.collect()
                }
                #expect(error?.code == .bodyIncomplete)
            }
        }
        await transport.close()
        let all = ends.withLock { $0 }
        #expect(all.count == 1)
        switch (ending, all.first) {
        case (.read, .complete), (.failed, .failed): break
        case (.dropped, .abandoned), (.brokenOff, .abandoned), (.discarded, .abandoned): break
        default: Issue.record("\(ending) ended as \(String(describing: all.first))")
        }
        #expect(events.names == ["queued", "sending 1", "head", "ended"])
    }

    @Test(.rows("B-10", "B-15"))
    func `a failure before the head is reported, with the exchange in the timeline`()
        async throws
    {
        let server = try LoopbackServer { _ -> LoopbackScript in [.close] }
        let events = EventRecorder()
        let request = try HTTPRequest(.get, server.url("/?secret=1")).beginningCall(
            observer: events)
        let error = await #expect(throws: HTTPError.self) {
            try await URLSessionTransport().response(for: request)
        }
        #expect(error?.code == .connectionLost)
        #expect(error?.attempt == 1)
        #expect(error?.timeline?.exchanges.count == 1)
        #expect(error?.elapsed != nil)
        #expect(error.map { "\($0)".contains("secret") } == false)
        #expect(events.names == ["queued", "sending 1", "failed"])
        #expect(request.call?.sends == 1)
    }

    @Test func `interim responses are reported and skipped`() async throws {
        let server = try LoopbackServer { _ -> LoopbackScript in
            [
                .send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
                .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
            ]
        }
        let events = EventRecorder()
        let request = try HTTPRequest(.get, server.url("/")).beginningCall(observer: events)
        let response = try await URLSessionTransport().response(for: request)
        #expect(try await response.text() == "ok")
        #expect(events.names == ["queued", "sending 1", "103", "head", "ended"])
    }

    @Test func `an observer is told of the head when it arrives, even if the body is awaited`()
        async throws
    {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { _ in
            [
                .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nha"), .pause(until: gate),
                .send("lf"),
            ]
        })
        // The body ends only after the head has been reported.
        let observer = HeadObserver { gate.open() }
        let request = try HTTPRequest(.get, server.url("/")).delivery(.buffered(upTo: 10))
            .beginningCall(observer: observer)
        let response = try await URLSessionTransport().response(for: request)
        #expect(try await response.text() == "half")
    }

    // MARK: No response

    @Test(.rows("S2-11"))
    func `a refused connection is an error at once`() async throws {
        let port = try RefusingPort()
        let error = await #expect(throws: HTTPError.self) {
            try await URLSessionTransport().response(for: port.url)
        }
        #expect(error?.code == .cannotConnect)
        #expect(error?.phase == .connecting)
        #expect(error?.isRetryable == true)
        #expect(error?.mayHaveReachedServer == false)
    }

    @Test(.rows("S2-11"))
    func `a name that does not exist is an error of its own`() async throws {
        let error = await #expect(throws: HTTPError.self) {
            try await URLSessionTransport().response(for: "http://nothing.invalid/")
        }
        #expect(error?.code == .nameNotResolved)
        #expect(error?.mayHaveReachedServer == false)
    }

    // MARK: Limits

    @Test func `an impossible setting is refused when the transport is made`() {
        var configurations = Array(repeating: URLSessionTransportConfiguration(), count: 3)
        configurations[0].maximumConnectionsPerHost = 0
        configurations[1].spillThreshold = -1
        configurations[2].timeouts.idle = .seconds(0)
        for configuration in configurations {
            let error = #expect(throws: HTTPError.self) { try URLSessionTransport(configuration) }
            #expect(error?.code == .invalidRequest)
        }
    }

    @Test func `many calls at once all get their own response`() async throws {
        let server = try LoopbackServer { .ok($0.target) }
        let transport = URLSessionTransport()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let url = server.url("/\(number)")
                    return try await transport.response(for: url).text() == "/\(number)"
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
        // Six at a time, and at times one that is opened while another is still closing.
        #expect(server.connections.highWater <= 12)
    }
}

/// The bytes of ``LoopbackPattern``, compared a whole period at a time, to be fast in a debug
/// build.
enum Pattern {
    private static let period = 65_536
    private static let table = Data(LoopbackPattern.bytes(0..<2 * period))

    static func bytes(_ count: Int) -> Data {
        var bytes = Data()
        while bytes.count < count { bytes += table.prefix(min(period, count - bytes.count)) }
        return bytes
    }

    static func matches(_ bytes: Data, from offset: Int = 0) -> Bool {
        var offset = offset
        var rest = bytes
        while !rest.isEmpty {
            let start = offset % period
            let piece = rest.prefix(period)
            guard piece == table[start..<start + piece.count] else { return false }
            rest = rest.dropFirst(piece.count)
            offset += piece.count
        }
        return true
    }
}

/// The events that an observer received, in short.
final class EventRecorder: HTTPObserver {
    private let log = Locked<[String]>([])
    var names: [String] { log.withLock { $0 } }

    func observe(_ event: HTTPEvent) {
        let name =
            switch event.kind {
            case .queued: "queued"
            case .sending: "sending \(event.exchange ?? 0)"
            case .sent: "sent"
            case .informational(let head): "\(head.status.code)"
            case .head: "head"
            case .ended: "ended"
            case .failed: "failed"
            default: "not of a transport"
            }
        log.withLock { $0.append(name) }
    }
}

private struct HeadObserver: HTTPObserver {
    let act: @Sendable () -> Void

    func observe(_ event: HTTPEvent) {
        if case .head = event.kind { act() }
    }
}
