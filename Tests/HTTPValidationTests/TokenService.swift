import HTTPCore
import HTTPRetry
import HTTPTesting
import HTTPValidation
import PortableFoundation

/// A service that answers 401 to every token but the current one, and its login.
final class TokenService: Sendable {
    private struct State {
        var current: String
        var logins = 0
        var refusals = 0
        var accepted: [String] = []
    }

    private let state = Locked(State(current: "new"))
    /// The response to a login; may wait.
    let login: @Sendable (HTTPRequest) async throws -> HTTPResponse
    /// The wait of a request before its response.
    let beforeAnswer: @Sendable (HTTPRequest) async throws -> Void

    init(
        login: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse = {
            HTTPResponse(.ok, body: HTTPBody("new"), to: $0)
        },
        beforeAnswer: @escaping @Sendable (HTTPRequest) async throws -> Void = { _ in }
    ) {
        self.beforeAnswer = beforeAnswer
        self.login = login
    }

    var logins: Int { state.withLock { $0.logins } }
    var refusals: Int { state.withLock { $0.refusals } }
    var accepted: Int { state.withLock { $0.accepted.count } }

    func expireAll() { state.withLock { $0.current = "" } }

    var session: MockSession {
        MockSession { request in
            if request.url.path == "/login" {
                self.state.withLock { $0.logins += 1 }
                return try await self.login(request)
            }
            try await self.beforeAnswer(request)
            let isAccepted = self.state.withLock { state in
                guard request.headers[.authorization] == "Bearer \(state.current)" else {
                    state.refusals += 1
                    return false
                }
                state.accepted.append(request.url.path)
                return true
            }
            return HTTPResponse(
                isAccepted ? .ok : .unauthorized, body: HTTPBody(isAccepted ? "hello" : "who?"),
                to: request)
        }
    }
}

extension HTTPRequest {
    static func login() throws -> HTTPRequest {
        try HTTPRequest(.post, "https://origin.test/login", body: HTTPBody("me"))
    }

    /// A request with a token that is not accepted.
    static func stale(
        _ path: String = "/", clock: HTTPTestClock = HTTPTestClock(),
        _ change: (inout HTTPRequest) throws -> Void = { _ in }
    ) throws -> HTTPRequest {
        try test(.get, "https://origin.test\(path)", clock: clock) {
            $0.headers[.authorization] = "Bearer old"
            try change(&$0)
        }
    }
}
