import HTTPCookies
import HTTPCore
import HTTPMiddleware
import HTTPTransportCurl
import HTTPTransportURLSession
import TestSupport
import Testing
import PortableFoundation

/// nginx with a login: a POST sets a cookie and redirects, the page behind it sets another one, and
/// each page needs the cookies of the one before.
private final class NginxLogin: Sendable {
    let port: UInt16
    private let process: ServerProcess
    private let folder: DownloadFolder

    init() throws {
        let folder = try DownloadFolder()
        self.folder = folder
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(folder.file($0));"
        }.joined(separator: "\n")
        (process, port) = try ServerProcess.onFreePort(speaksQUIC: false) { port in
            let configuration = """
                daemon off;
                master_process off;
                pid \(folder.file("pid"));
                error_log \(folder.file("error"));
                events { worker_connections 100; }
                http {
                    \(temporary)
                    access_log off;
                    server {
                        listen 127.0.0.1:\(port);
                        location = /login {
                            add_header Set-Cookie "session=s1; Path=/; HttpOnly" always;
                            add_header Set-Cookie "theme=dark; Path=/account; Max-Age=86400" always;
                            return 303 /welcome;
                        }
                        location = /welcome {
                            if ($cookie_session != s1) { return 401; }
                            add_header Set-Cookie "session=s2; Path=/; HttpOnly" always;
                            return 302 /account;
                        }
                        location = /account {
                            if ($http_cookie != "theme=dark; session=s2") { return 401; }
                            return 200 "hello";
                        }
                        location = /logout {
                            add_header Set-Cookie
                                "session=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT" always;
                            return 204;
                        }
                    }
                }

                """
            try configuration.write(
                toFile: folder.file("conf"), atomically: false, encoding: .utf8)
            return try ServerProcess(
                "nginx",
                ["-p", folder.path, "-c", folder.file("conf"), "-e", folder.file("error")])
        }
    }

    func request(_ method: HTTPMethod, _ path: String) throws -> HTTPRequest {
        let url = "http://127.0.0.1:\(port)\(path)"
        return try HTTPRequest(method, url)
    }
}

@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: ServerProcess.has("nginx"), "nginx is not installed"))
struct NginxLoginTests {
    @Test(arguments: ["libcurl", "URLSession"])
    func `a login at a real server works along its redirects over URLSession and libcurl`(
        name: String
    ) async throws {
        let site = try await ServerProcess.onThread { try NginxLogin() }
        let transport: any HTTPSession =
            name == "libcurl" ? CurlTransport() : URLSessionTransport()
        let jar = HTTPCookieJar.inMemory
        let session = transport.with(Redirects(), Cookies(jar))
        func send(_ method: HTTPMethod, _ path: String) async throws -> HTTPResponse {
            let response = try await session.response(for: site.request(method, path))
            await response.discard()
            return response
        }
        #expect(try await send(.get, "/account").status.code == 401)
        let page = try await send(.post, "/login")
        #expect(page.status == .ok && page.url.path == "/account")
        #expect(page.history.map(\.status.code) == [303, 302])
        #expect(try await send(.get, "/account").status == .ok)
        #expect(jar.cookies.map(\.name).sorted() == ["session", "theme"])
        #expect(try await send(.get, "/logout").status.code == 204)
        #expect(try await send(.get, "/account").status.code == 401)
        #expect(jar.cookies.map(\.name) == ["theme"])
    }
}
