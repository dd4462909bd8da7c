import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

private struct Event: Encodable {
    var id = "e1"
}

private struct Unsigned: Error {}

private enum SubscriberKey: HTTPRequestOption {
    static var defaultValue: HMACSHA256? { nil }
}

private func isGenuine(_ signature: String, _ body: Data, by key: HMACSHA256, at now: Date) -> Bool
{
    var time = ""
    var codes: [String] = []
    for part in signature.split(separator: ",") {
        if part.hasPrefix("t=") { time = String(part.dropFirst(2)) }
        if part.hasPrefix("v1=") { codes.append(String(part.dropFirst(3))) }
    }
    guard let sent = Double(time), abs(now.timeIntervalSince1970 - sent) <= 300 else {
        return false  // a message that was recorded and is sent again
    }
    let message = Data("\(time).".utf8) + body
    return codes.contains { key.isValid(hexadecimal: $0, for: message) }
}

/// The code of Docs/Guides/Webhooks.md, word for word.
@Suite(.timeLimit(.minutes(5))) struct WebhooksGuideTests {
    private let secret = "whsec_test"
    private let subscriber = "https://hooks.example.com/orders"
    private let url = "https://api.example.com/report"
    private let event = Event()
    private let transport = MockSession { request in
        var headers = HTTPHeaders()
        headers.contentDigest = [HTTPDigest(.sha256, of: Data("ok".utf8))]
        return HTTPResponse(.ok, headers: headers, body: HTTPBody("ok"), to: request)
    }

    @Test func `a signed delivery that the receiver can check`() async throws {
        let key = try HMACSHA256(key: secret)
        let signing = RequestSigning { request, date in
            guard let body = request.body.bytes else { throw Unsigned() }
            let time = "\(Int(date.timeIntervalSince1970))"
            let code = key.hexadecimalCode(for: Data("\(time).".utf8) + body)
            return ["Webhook-Signature": "t=\(time),v1=\(code)"]
        }
        let client = HTTPClient(transport: transport, retry: .standard) {
            $0.attemptMiddleware = [DigestFields(checksResponses: false), signing]
        }
        let delivery = try HTTPRequest(.post, subscriber)
            .json(event)
            .idempotencyKey(event.id)
            .redirects(.error)
            .deadline(in: .seconds(60))
        let response = try await delivery.fetch(client)
        #expect(response.status == .ok)

        let sent = try #require(transport.requests.first)
        let body = try #require(sent.body.bytes)
        let signature = try #require(sent.headers["Webhook-Signature"])
        #expect(sent.headers.contentDigest == [HTTPDigest(.sha256, of: body)])
        #expect(sent.headers[.idempotencyKey] == "e1")
        #expect(isGenuine(signature, body, by: key, at: Date()))
        #expect(isGenuine("v1=00," + signature, body, by: key, at: Date()))
        #expect(!isGenuine(signature, body, by: key, at: Date() + 400))
        #expect(!isGenuine(signature, body + [0x20], by: key, at: Date()))
        #expect(!isGenuine("v1=00", body, by: key, at: Date()))
        let other = try HMACSHA256(key: "other")
        #expect(!isGenuine(signature, body, by: other, at: Date()))
    }

    @Test func `a key for each subscriber`() async throws {
        let key = try HMACSHA256(key: secret)
        let signing = RequestSigning { request, _ in
            guard let body = request.body.bytes else { throw Unsigned() }
            guard let key = request[SubscriberKey.self] else { return [:] }
            let code = key.hexadecimalCode(for: body)
            return ["X-Hub-Signature-256": "sha256=\(code)"]
        }
        let delivery = try HTTPRequest(.post, subscriber)
            .json(event)
            .option(SubscriberKey.self, key)
        let session = transport.with(signing)
        _ = try await session.response(for: delivery)
        _ = try await session.response(for: try HTTPRequest(.post, subscriber).json(event))
        let code = key.hexadecimalCode(for: Data(#"{"id":"e1"}"#.utf8))
        #expect(
            transport.requests.map { $0.headers["X-Hub-Signature-256"] }
                == ["sha256=\(code)", nil])
    }

    @Test func `digests of responses`() async throws {
        let client = HTTPClient(transport: transport, retry: .standard) {
            $0.attemptMiddleware = [DigestFields()]
        }
        let report = try await client.get(url).text()
        #expect(report == "ok")
        #expect(transport.requests[0].headers[.acceptEncoding] == "identity")
    }

    @Test func `the page shows this code`() throws {
        let page = try GuidePage("Webhooks")
        #expect(page.blocks.count == 6)
        let paragraphs = page.blocks.flatMap { $0.split(separator: "\n\n") }
        #expect(paragraphs.filter { !page.isTested($0) } == [])
    }
}
