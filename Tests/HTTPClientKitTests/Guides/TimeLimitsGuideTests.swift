import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// The code of Docs/Guides/TimeLimits.md, word for word.
@Suite(.timeLimit(.minutes(5))) struct TimeLimitsGuideTests {
    private let transport = MockSession { request in
        if request.url.path.hasSuffix("slow") {
            throw HTTPError(
                .timedOut, "late", phase: .waiting,
                timer: HTTPError.Timer(.responseHead, .seconds(1)))
        }
        return HTTPResponse(.ok, body: HTTPBody("one\ntwo\n"), to: request)
    }
    private let base = "https://api.example.com/"

    private var client: HTTPClient {
        get throws { try HTTPClient(baseURL: base, transport: transport) }
    }

    @Test func `a client with limits`() async throws {
        let client = try HTTPClient(baseURL: base, transport: transport) {
            $0.timeouts.responseHead = .seconds(10)  // of each exchange
            $0.deadline = .seconds(30)  // of each call
        }
        let report = try HTTPRequest(.get, "reports/1").deadline(in: .seconds(5))
        let text = try await client.response(for: report).text()
        #expect(text == "one\ntwo\n")
        #expect(transport.requests[0].timeouts.responseHead == .seconds(10))
        #expect(try #require(transport.requests[0].timeLeft) <= .seconds(5))
    }

    @Test func `what the error says`() async throws {
        let client = try client
        do {
            _ = try await client.get("slow").data()
        } catch let error as HTTPError where error.innermostCode == .timedOut {
            switch error.timer?.name {
            case .connect, .tls: print("the server cannot be reached")
            case .responseHead, .idle: print("the server is busy")
            case .total, .deadline, nil: print("it took too long")
            }
            print(error)
        }
    }

    @Test func `each message of the page is the one of the transports`() async throws {
        let page = try GuidePage("TimeLimits")
        let limits = TimeLimits(
            HTTPTimeouts(
                connect: .seconds(10), tls: .seconds(2), responseHead: .seconds(10),
                idle: .seconds(60), total: .seconds(5)),
            session: HTTPTimeouts(), timeLeft: .seconds(5))
        let names: [HTTPError.Timer.Name] = [
            .connect, .tls, .responseHead, .idle, .total, .deadline,
        ]
        for name in names {
            let error = limits.timedOut(name, phase: .waiting, mayHaveReachedServer: true)
            #expect(page.text.contains("| `\(name.rawValue)` | \(error.message) |"))
        }
    }

    @Test func `retries and a deadline`() async throws {
        let client = try client
        let order = try HTTPRequest(.get, "orders/7")
            .timeouts(HTTPTimeouts(responseHead: .seconds(2)))
            .maxRetries(2)
            .deadline(in: .seconds(8))
        let state = try await client.response(for: order).text()
        #expect(state == "one\ntwo\n")
    }

    @Test func streams() async throws {
        let client = try client
        var chat = try HTTPRequest(.post, "chat").json(["prompt": "hello"])
        chat.timeouts = HTTPTimeouts(responseHead: .seconds(20), idle: .seconds(120))
        try await client.withResponse(for: chat) { response in
            for try await line in response.body.lines { print(line) }
        }
        let folder = try DownloadFolder()
        let path = folder.file("image.iso")
        var image = try HTTPRequest(.get, "image.iso")
        image.timeouts = HTTPTimeouts(responseHead: .seconds(15), idle: .seconds(30))
        let download = try await client.download(image, to: path)
        #expect(download.length == 8)
    }

    @Test func `calls that share a deadline`() async throws {
        let client = try client
        let names = try await HTTPDeadline.within(.seconds(60)) {
            let first = try await client.get("names/1").text()
            let second = try await client.get("names/2").text()
            return [first, second]
        }
        #expect(names.count == 2)
    }

    @Test func `the page shows this code`() throws {
        let page = try GuidePage("TimeLimits")
        #expect(page.blocks.count == 6)
        #expect(page.untested == [])
    }
}
