import HTTPCore
import HTTPTesting
import PortableFoundation

extension MockSession {
    /// A small service that answers every path of the guides.
    static var userService: MockSession {
        MockSession { request in
            func answer(_ status: HTTPStatus, _ body: String) -> HTTPResponse {
                HTTPResponse(status, body: HTTPBody(body), to: request)
            }
            let path = request.url.path
            if path.hasSuffix("users/7") { return answer(.notFound, "{\"code\":7}") }
            if path.hasSuffix("search") { return answer(.ok, "[]") }
            if path.hasSuffix("log") { return answer(.ok, "one\n\ntwo\n") }
            return answer(.ok, "{\"id\": 1, \"name\": \"Ada\"}")
        }
    }
}
