public import HTTPCore
public import HTTPRetry

/// A list that a service keeps: a library as others write them. It knows no transport, so it runs over any,
/// and its tests need no network.
///
/// Whatever is lost on the way is sent again. That is harmless for an addition, too: its requests have
/// a key by which the service tells that it has seen them.
public struct ToDoList: Sendable {
    private let base: String
    private let token: String
    private let session: any HTTPSession
    private let clock: any HTTPClock

    /// - Parameters:
    ///   - base: without a slash at its end.
    ///   - clock: what waits go by.
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
        try await answer(to: request(.get, "/todos")).json([ToDo].self)
    }

    public func add(_ title: String) async throws -> ToDo {
        let addition = try request(.post, "/todos").json(["title": title]).idempotencyKey()
        return try await answer(to: addition).json(ToDo.self)
    }

    /// - Throws: ``ToDoError/noSuchToDo`` if there is none of that id.
    public func finish(_ id: ToDo.ID) async throws {
        _ = try await answer(to: request(.put, "/todos/\(id)/done"))
    }

    private func request(_ method: HTTPMethod, _ path: String) throws -> HTTPRequest {
        var request = try HTTPRequest(method, base + path).beginningCall(clock: clock)
        request.headers.set(try .bearer(token))
        request.delivery = .buffered(upTo: 1 << 20)  // a body cut short is sent for again
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
