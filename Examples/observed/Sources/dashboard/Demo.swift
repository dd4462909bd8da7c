import HTTPClientKit
import HTTPTesting
import ServiceLifecycle
import Synchronization

/// Traffic for a look at the page: rounds of calls of many kinds to two servers of its own.
///
/// Each request has secrets in its query and its fields. None of them may appear on the page.
struct Demo: Service {
    private let client: HTTPClient
    private let pause: Duration
    private let server: LoopbackServer
    private let otherServer: LoopbackServer
    private let refusing: RefusingPort

    init(client: HTTPClient, pause: Duration) throws {
        self.client = client
        self.pause = pause
        var options = LoopbackOptions()
        options.loggedExchangeLimit = 0  // the demonstration may run for days
        let other = try LoopbackServer(options, script: LoopbackRoutes.standard)
        let failures = Failures()
        server = try LoopbackServer(options) { request in
            Self.script(for: request, failures: failures, otherServer: other.url)
        }
        otherServer = other
        refusing = try RefusingPort()
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                var round = 0
                while !Task.isCancelled {
                    round += 1
                    play(round, in: &group)
                    try? await Task.sleep(for: pause)
                }
            }
        }
    }

    /// Starts the calls of a round. They go on while the next round begins.
    private func play(_ round: Int, in group: inout DiscardingTaskGroup) {
        group.addTask { try? await get("/get") }
        group.addTask { try? await get("/flaky/\(round % 100)?failures=\(round % 2 + 1)") }
        group.addTask {
            for _ in 0..<2 { try? await get("/cached") }
            try? await get("/checked")
        }
        group.addTask { try? await get("/redirect/2") }
        group.addTask { try? await get("/elsewhere") }
        group.addTask { try? await get("/delay/\(400 + round % 3 * 300)") }
        group.addTask { try? await get("/bytes/60000?rate=60000") }
        group.addTask { try? await send(.post, "/count", of: 200_000) }
        switch round % 4 {
        case 1:
            group.addTask { try? await get("/stall", .seconds(5)) }
            group.addTask { try? await get("/status/404") }
        case 2:
            // The caller does not wait for the response.
            group.addTask {
                let call = Task { try await get("/delay/3000") }
                try? await Task.sleep(for: .milliseconds(300))
                call.cancel()
            }
            group.addTask { try? await get("/flaky/down?failures=9") }
        case 3:
            // More calls at a time than connections.
            for _ in 0..<8 { group.addTask { try? await get("/delay/150") } }
            group.addTask { try? await get("/cut") }
        default:
            group.addTask { _ = try? await client.get(refusing.url).data() }
            // Text that a page must not take for markup.
            group.addTask { try? await get("/&lt;b&gt;markup") }
        }
    }

    private func get(_ target: String, _ limit: Duration = .seconds(10)) async throws {
        try await send(.get, target, limit)
    }

    /// Sends a request with secrets, and reads the response.
    private func send(
        _ method: HTTPMethod, _ target: String, _ limit: Duration = .seconds(10),
        of length: Int = 0
    ) async throws {
        let separator = target.contains("?") ? "&" : "?"
        let secrets = "token=demo-secret-in-query#demo-secret-in-fragment"
        let url = server.url("\(target)\(separator)\(secrets)")
        var request = try HTTPRequest(method, url)
            .header(.authorization, "Bearer demo-secret-in-field")
            .header(.cookie, "session=demo-secret-in-cookie")
            .deadline(in: limit)
        if length > 0 { request = request.text(String(repeating: "x", count: length)) }
        _ = try await client.response(for: request).data()
    }

    // MARK: The server

    /// The requests that each target has failed, until it has failed enough.
    private final class Failures: Sendable {
        private let counts = Mutex<[String: Int]>([:])

        func isNext(of target: String, limit: Int) -> Bool {
            counts.withLock { counts in
                let count = counts[target, default: 0]
                counts[target] = count < limit ? count + 1 : nil
                return count < limit
            }
        }
    }

    private static func script(
        for request: LoopbackRequest, failures: Failures, otherServer: String
    ) -> LoopbackScript {
        var response = LoopbackResponse(content: .bytes(Array("content".utf8)))
        switch request.path {
        case "/cached":
            response.fields = [
                ("Cache-Control", "max-age=5"), ("X-Key", "demo-secret-in-response"),
            ]
        case "/checked":
            let tag = "\"1\""
            response.fields = [("Cache-Control", "no-cache"), ("ETag", tag)]
            if request["If-None-Match"] == tag { response.status = 304 }
        case "/elsewhere":
            response.status = 302
            let target = "/delay/80?key=demo-secret-in-redirect"
            response.fields = [("Location", otherServer + target)]
        case let path where path.hasPrefix("/flaky/"):
            let limit = request.query("failures").flatMap { Int($0) } ?? 1
            if failures.isNext(of: request.target, limit: limit) { response.status = 503 }
        default:
            return LoopbackRoutes.standard(request)
        }
        return [.pause(.milliseconds(20)), .respond(response)]
    }
}
