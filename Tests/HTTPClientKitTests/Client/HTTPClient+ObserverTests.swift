import HTTPClientKit
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPClientObserverTests {
    private final class Log: HTTPObserver {
        let kinds = Locked([String]())
        func observe(_ event: HTTPEvent) {
            let name: String? =
                switch event.kind {
                case .queued: "queued"
                case .sending: "sending \(event.exchange ?? 0)"
                case .head(let head): "head \(head.status.code)"
                case .layer(is HTTPRedirectEvent): "redirected"
                case .layer(let decision as HTTPRetryEvent): "retry \(decision.attempt)"
                case .ended: "ended"
                case .layer(HTTPCredentialEvent.challenged(let head, let isAnswered)):
                    "challenged \(head.status.code) \(isAnswered)"
                case .layer(HTTPCredentialEvent.refreshing): "refreshing"
                case .layer(HTTPCredentialEvent.refreshed(let error)): "refreshed \(error == nil)"
                default: nil
                }
            if let name { kinds.withLock { $0.append(name) } }
        }
    }

    @Test(.rows("B-10", "B-15"))
    func `an observer receives the events of a call from its first send to its last body`()
        async throws
    {
        let log = Log()
        let count = Locked(0)
        let mock = MockSession { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return switch number {
            case 1: HTTPResponse(.found, headers: ["Location": "/b"], to: request)
            case 2: HTTPResponse(.serviceUnavailable, to: request)
            default: HTTPResponse(.ok, body: HTTPBody("x"), to: request)
            }
        }
        let client = HTTPClient(transport: mock, retry: .standard) {
            $0.observer = log
            $0.retry.backoff = .constant(.zero)
        }
        let response = try await client.get("https://h/a").response()
        let told = log.kinds.withLock { $0 }
        #expect(
            told.filter { $0 != "ended" } == [
                "queued", "sending 1", "head 302", "redirected", "queued", "sending 2", "head 503",
                "retry 1", "queued", "sending 3", "head 200",
            ])
        #expect(told.filter { $0 == "ended" }.count == 3)
        #expect(response.timeline.exchanges.count == 3)
    }

    @Test(.rows("B-10"))
    func `an observer receives challenges, answered or not`() async throws {
        let mock = MockSession { request in
            let isSigned = request.headers.contains(.authorization)
            return HTTPResponse(
                isSigned && request.url.path == "/a" ? .ok : .unauthorized,
                headers: [.wwwAuthenticate: "Digest realm=r, nonce=n, qop=auth"], to: request)
        }
        let log = Log()
        let credentials = PasswordCredentials(
            user: "me", password: "hunter2", for: try HTTPOrigin("https://h"))
        let client = HTTPClient(
            transport: mock, validators: [], authentication: [DigestAuthentication(credentials)]
        ) { $0.observer = log }
        try await client.get("https://h/a").response()
        try await client.get("https://other/a").response()
        #expect(
            log.kinds.withLock { $0.filter { $0.hasPrefix("chall") } }
                == ["challenged 401 true", "challenged 401 false"])
    }

    @Test(.rows("B-10"), arguments: [true, false])
    func `an observer receives a refresh, by a layer or by a validator, with its outcome`(
        isLayer: Bool
    ) async throws {
        struct Refusal: Error {}
        let mock = MockSession { HTTPResponse(.unauthorized, to: $0) }
        let origin = try HTTPOrigin("https://h")
        for isGood in [true, false] {
            let log = Log()
            let credential = try HTTPCredential.bearer("old")
            let client = HTTPClient(transport: mock) {
                $0.observer = log
                if isLayer {
                    $0.authentication = [
                        RefreshingAuthentication(for: origin, credential: credential) { _, _ in
                            guard isGood else { throw Refusal() }
                            return credential
                        }
                    ]
                } else {
                    $0.validators = [
                        HTTPAltTaskValidator { guard isGood else { throw Refusal() } }
                    ]
                }
            }
            await #expect(throws: HTTPError.self) { try await client.get("https://h/").response() }
            #expect(
                log.kinds.withLock { $0.filter { $0.hasPrefix("refresh") } }
                    == ["refreshing", "refreshed \(isGood)"])
        }
    }

    @Test func `an observer that retains events does not retain the client or itself`() async throws
    {
        final class Keeping: HTTPObserver {
            let events = Locked([HTTPEvent]())
            func observe(_ event: HTTPEvent) { events.withLock { $0.append(event) } }
        }
        weak var token: Keeping?
        do {
            let observer = Keeping()
            token = observer
            // A validator that may send other requests, which enter the client at the top.
            let client = HTTPClient(
                transport: MockSession { HTTPResponse(.ok, to: $0) },
                validators: [ClosureValidator { _, _ in .next }]
            ) { $0.observer = observer }
            try await client.get("https://h/").response()
            #expect(observer.events.withLock { !$0.isEmpty })
        }
        #expect(token == nil)
    }

    @Test func `an observer is told of the end of each call, after that of its exchanges`()
        async throws
    {
        let log = Record<String>()
        struct Ends: HTTPObserver {
            let log: Record<String>
            func observe(_ event: HTTPEvent) {
                switch event.kind {
                case .ended: log.add("ended \(event.exchange ?? 0)")
                case .callEnded(.complete): log.add("call complete")
                case .callEnded(.abandoned): log.add("call abandoned")
                case .callEnded(.failed): log.add("call broken")
                case .callFailed(let error as HTTPError): log.add("call failed \(error.code)")
                default: break
                }
            }
        }
        let answers = Locked([HTTPStatus.serviceUnavailable, .ok, .notFound, .ok])
        let mock = MockSession { request in
            let status = answers.withLock { $0.removeFirst() }
            return HTTPResponse(
                status, body: HTTPBody(source: ScriptedBodySource(["x"])), to: request)
        }
        let client = HTTPClient(transport: mock, retry: .standard) {
            $0.observer = Ends(log: log)
            $0.clock = BriskClock()
        }
        _ = try await client.get("https://h/").text()
        try await log.wait(for: 3)
        #expect(log.entries == ["ended 1", "ended 2", "call complete"])
        await #expect(throws: HTTPError.self) { try await client.get("https://h/").text() }
        try await log.wait(for: 5)
        #expect(log.entries.last == "call failed unexpectedStatus")
        do { _ = try await client.response(for: HTTPRequest(.get, "https://h/")) }
        try await log.wait(until: { $0.last?.hasPrefix("call") == true && $0.count > 6 })
        #expect(log.entries.last == "call abandoned")
    }
}
