import HTTPCore
import HTTPFormats
import HTTPRetry
import ToDoAPI

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The service, in memory. An actor can be a session, too.
actor ToDoService: HTTPSession {
    private(set) var todos: [ToDo]
    private var additions: [String: ToDo] = [:]

    init(_ titles: String...) {
        todos = titles.enumerated().map { ToDo(id: $0.offset + 1, title: $0.element) }
    }

    func response(for request: HTTPRequest) async throws -> HTTPResponse {
        switch (request.method, request.url.path) {
        case (.get, "/todos"):
            return try answer(todos, to: request)
        case (.post, "/todos"):
            return try answer(try await addition(request), .created, to: request)
        case (.put, let path):
            let id = path.split(separator: "/").dropFirst().first.flatMap { Int($0) }
            guard let index = todos.firstIndex(where: { $0.id == id }) else {
                return HTTPResponse(.notFound, to: request)
            }
            todos[index].isDone = true
            return HTTPResponse(.noContent, to: request)
        default:
            return HTTPResponse(.methodNotAllowed, to: request)
        }
    }

    private func addition(_ request: HTTPRequest) async throws -> ToDo {
        let asked = try HTTPJSON(parsing: try await request.body.collect(upTo: 1 << 10))
        let key = request.headers[.idempotencyKey] ?? ""
        if let known = additions[key] { return known }
        let todo = ToDo(id: todos.count + 1, title: asked["title"]?.string ?? "")
        todos.append(todo)
        additions[key] = todo
        return todo
    }

    private func answer(
        _ value: some Encodable, _ status: HTTPStatus = .ok, to request: HTTPRequest
    ) throws -> HTTPResponse {
        let body = HTTPBody(try JSONEncoder.sortedJSON.encode(value))
        return HTTPResponse(
            status, headers: [.contentType: "application/json"], body: body, to: request)
    }
}
