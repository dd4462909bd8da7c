import HTTPCore
import HTTPFormats
import HTTPMiddleware
import HTTPRetry
import HTTPTesting
import HTTPValidation
import TestSupport
import Testing
import PortableFoundation

/// Limits of an exchange under layers that send several, over both transports.
@Suite(.timeLimit(.minutes(5))) struct TimeLimitsOverWireTests {
    /// Runs `attempt` with longer limits while the machine is too slow for the limit of the head.
    private func patient(_ attempt: (Duration) async throws -> Void) async throws {
        try await patiently(from: .milliseconds(200)) { limit in
            do {
                try await attempt(limit)
            } catch let error as HTTPError where error.timer?.name == .responseHead {
                throw TooSoon(error)
            }
        }
    }

    @Test(arguments: Wire.allCases)
    func `each redirect has the whole limit of the head`(wire: Wire) async throws {
        try await patient { limit in
            let server = try LoopbackServer(script: { request in
                let step = Int(request.path.dropFirst()) ?? 0
                let next = LoopbackResponse(status: 302, fields: [("Location", "/\(step + 1)")])
                return [.pause(limit / 2), .respond(step < 3 ? next : .ok("fine"))]
            })
            var request = try HTTPRequest(.get, server.url("/0"))
            request.timeouts.responseHead = .after(limit)
            let session = try wire.session().with(Redirects())
            let start = ContinuousClock.now
            #expect(try await session.response(for: request).text() == "fine")
            #expect(ContinuousClock.now - start >= limit * 2)
            #expect(server.snapshot.requestCount == 4)
        }
    }

    @Test(arguments: Wire.allCases)
    func `an interim response does not end the wait for the head`(wire: Wire) async throws {
        let server = try LoopbackServer(script: { _ in
            [.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"), .stall]
        })
        var request = try HTTPRequest(.get, server.url("/"))
        request.timeouts.responseHead = .after(.milliseconds(200))
        let (session, sent) = (try wire.session(), request)
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: sent)
        }
        #expect(error?.timer?.name == .responseHead)
    }

    @Test(arguments: Wire.allCases)
    func `the repetition after a challenge has the whole limit of the head`(
        wire: Wire
    ) async throws {
        try await patient { limit in
            let server = try LoopbackServer(script: { request in
                let challenge = LoopbackResponse(
                    status: 401,
                    fields: [("WWW-Authenticate", "Digest realm=r, nonce=n, algorithm=SHA-256")])
                let isAccepted = request["Authorization"] != nil
                return [
                    .pause(limit * 2 / 3), .respond(isAccepted ? .ok("fine") : challenge),
                ]
            })
            var request = try HTTPRequest(.get, server.url("/"))
            request.timeouts.responseHead = .after(limit)
            let credentials = PasswordCredentials(
                user: "u", password: "p", for: try HTTPOrigin(server.url("/")))
            let session = try wire.session().with(DigestAuthentication(credentials))
            #expect(try await session.response(for: request).text() == "fine")
            #expect(server.snapshot.requestCount == 2)
        }
    }

    @Test(arguments: Wire.allCases)
    func `an attempt whose head does not come is made again, and the error names the limit`(
        wire: Wire
    ) async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        server.enqueue([.stall])
        let session = try wire.session().with(Retry(.standard))
        var request = try HTTPRequest(.get, server.url("/"))
        request.timeouts.responseHead = .seconds(2)
        let response = try await session.response(for: request)
        #expect(try await response.text() == "fine")
        #expect(response.timeline.retryDecisions.count == 1)

        var order = try HTTPRequest(.post, server.url("/"), body: HTTPBody("{}"))
        order.timeouts.responseHead = .milliseconds(200)
        server.enqueue([.stall])
        let limited = order
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: limited)
        }
        #expect(error?.timer == HTTPError.Timer(.responseHead, .milliseconds(200)))
        #expect(error?.mayHaveReachedServer == true)
    }

    @Test(arguments: Wire.allCases)
    func `a deadline's error names the time that was set, after earlier attempts, too`(
        wire: Wire
    ) async throws {
        let server = try LoopbackServer(script: { _ in [.stall] })
        for _ in 0..<2 { server.enqueue(.status(503)) }
        // Long enough for the first attempts of both calls on a loaded machine.
        let limit = Duration.seconds(30)
        var policy = RetryPolicy.standard
        policy.backoff = .constant(.milliseconds(100))
        let session = try wire.session().with(Validation(), Retry(policy))
        let request = try HTTPRequest(.get, server.url("/"))
        async let own = #expect(throws: HTTPError.self) {
            try await session.response(for: request.deadline(in: limit))
        }
        async let inherited = #expect(throws: HTTPError.self) {
            try await HTTPDeadline.within(limit) { try await session.response(for: request) }
        }
        for error in await [own, inherited] {
            #expect(error?.timer == HTTPError.Timer(.deadline, limit))
            #expect(error?.description.contains("deadline limit of 30 s") == true)
        }
    }
}
