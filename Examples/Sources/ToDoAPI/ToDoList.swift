public import HTTPCore
import HTTPFormats
public import HTTPRetry

/// A list that a service stores, as an example of a library. It knows no transport, so it runs over
/// any, and its tests need no network.
///
/// Lost requests are sent again. This is harmless for an addition, too: its request has a key by
/// which the service recognises it.
public struct ToDoList: Sendable {
    private let base: String
    private let token: String
    private let session: any HTTPSession
    private let clock: any HTTPClock

    /// - Parameters:
    ///   - base: The base URL, without a slash at the end.
    ///   - clock: The clock for waits.
    public init(
        at base: String, token: String, over transport: any HTTPSession,
        retrying policy: RetryPolicy = .standard, clock: any HTTPClock = .system
    ) {
        self.base = base
        self.token = token
        self.session = transport.with(Retry(policy))
        self.clock = clock
    }

    public func all() async throws -> [ToDo] {
        try await answer(to: request(.get, "\(unescaped: base)/todos")).json([ToDo].self)
    }

    public func add(_ title: String) async throws -> ToDo {
        let addition = try request(.post, "\(unescaped: base)/todos").json(["title": title])
            .idempotencyKey()
        return try await answer(to: addition).json(ToDo.self)
    }

    /// - Throws: ``ToDoError/noSuchToDo`` if no item has this ID.
    public func finish(_ id: ToDo.ID) async throws {
        _ = try await answer(to: request(.put, "\(unescaped: base)/todos/\(id)/done"))
    }

    private func request(_ method: HTTPMethod, _ route: HTTPRoute) throws -> HTTPRequest {
        var request = try HTTPRequest(method, route).beginningCall(clock: clock)
        request.headers.set(try .bearer(token))
        request.delivery = .buffered(upTo: 1 << 20)  // a truncated body is requested again
        return request
    }

    private func answer(to request: HTTPRequest) async throws -> HTTPResponse {
        let response = try await session.response(for: request)
        switch response.status {
        case .notFound: throw ToDoError.noSuchToDo
        case let status where !status.isSuccessful: throw ToDoError.refused(status)
        default: return response
        }
    }
}
