import HTTPClientKit
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// The services that the guides for users of other libraries talk to.
extension MockSession {
    /// The last request.
    var last: HTTPRequest {
        get throws { try #require(requests.last) }
    }

    /// The body of the last request.
    var lastBody: String {
        get async throws { String(decoding: try await last.body.collect(), as: UTF8.self) }
    }

    /// A service that never responds.
    static var silentService: MockSession {
        MockSession { request in
            try await HTTPTestClock().sleep(for: .seconds(1))
            return HTTPResponse(.ok, to: request)
        }
    }

    /// A service that refuses the first requests.
    static func failing(times: Int, _ status: HTTPStatus = .serviceUnavailable) -> MockSession {
        let left = Locked(times)
        return MockSession { request in
            let isRefused = left.withLock { left in
                left -= 1
                return left >= 0
            }
            let body = HTTPBody(#"{"id": 1, "name": "Ada"}"#)
            return HTTPResponse(isRefused ? status : .ok, body: body, to: request)
        }
    }

    /// A service that accepts the token `a1`, and gives it out at `/token`.
    static var tokenService: MockSession {
        MockSession { request in
            if request.url.path() == "/token" {
                let body = #"{"access_token":"a1","refresh_token":"r1","expires_in":3600}"#
                return HTTPResponse(.ok, body: HTTPBody(body), to: request)
            }
            let isAccepted = request.headers[.authorization] == "Bearer a1"
            return HTTPResponse(
                isAccepted ? .ok : .unauthorized, body: HTTPBody("yours"), to: request)
        }
    }

    /// A service that asks for a password.
    static var passwordService: MockSession {
        MockSession { request in
            guard request.headers[.authorization] != nil else {
                return HTTPResponse(
                    .unauthorized, headers: [.wwwAuthenticate: "Basic realm=\"r\""], to: request)
            }
            return HTTPResponse(.ok, body: HTTPBody("yours"), to: request)
        }
    }

    /// A service that redirects `/old` to `/new`.
    static var redirectService: MockSession {
        MockSession { request in
            guard request.url.path() == "/old" else { return HTTPResponse(.ok, to: request) }
            return HTTPResponse(.found, headers: [.location: "/new"], to: request)
        }
    }

    /// A service whose responses may be stored, and are numbered.
    static var cacheableService: MockSession {
        let count = Locked(0)
        return MockSession { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return HTTPResponse(
                .ok, headers: [.cacheControl: "max-age=60"], body: HTTPBody("report \(number)"),
                to: request)
        }
    }

    /// A service that sets a cookie at `/login`.
    static var cookieService: MockSession {
        MockSession { request in
            let isLogin = request.url.path() == "/login"
            return HTTPResponse(
                .ok, headers: isLogin ? [.setCookie: "session=7"] : [:], body: HTTPBody("ok"),
                to: request)
        }
    }

    /// A file of three bytes, of which the first response has only two.
    static var brokenFile: MockSession {
        MockSession { request in
            if request.headers.contains(.range) {
                return HTTPResponse(
                    .partialContent, headers: [.eTag: "\"1\"", .contentRange: "bytes 2-2/3"],
                    body: HTTPBody("c"), to: request)
            }
            let pieces = AsyncThrowingStream<Data, any Error> { pieces in
                pieces.yield(Data("ab".utf8))
                pieces.finish(throwing: HTTPError(.bodyIncomplete, "cut"))
            }
            return HTTPResponse(
                .ok, headers: [.eTag: "\"1\""], body: HTTPBody(pieces, length: 3), to: request)
        }
    }
}
