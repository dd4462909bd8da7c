import HTTPTesting
import Synchronization

/// A server that shows what can happen: a response, a failure that passes, a response to keep, and
/// one that never comes.
final class DemoTarget: Sendable {
    private let server: LoopbackServer

    init() throws {
        let flaky = Mutex(0)
        server = try LoopbackServer(script: { request in
            var response = LoopbackResponse.ok("hello")
            switch request.path {
            case "/flaky":
                let count = flaky.withLock { count in
                    count += 1
                    return count
                }
                if count == 1 { response.status = 503 }
            case "/kept": response.fields = [("Cache-Control", "max-age=60")]
            case "/silent": return [.stall]
            default: break
            }
            return [.respond(response)]
        })
    }

    /// The URLs to poll. The query is a secret that nothing may print.
    var urls: [String] {
        ["/plain?key=secret", "/flaky", "/kept", "/kept", "/silent"].map { server.url($0) }
    }

    func stop() { server.stop() }
}
