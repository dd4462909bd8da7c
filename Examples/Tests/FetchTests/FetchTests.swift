import ArgumentParser
import HTTPClientKit
import HTTPTesting
import Testing

@testable import fetch

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Runs the program's command lines in this process against a server on this machine.
@Suite(.timeLimit(.minutes(5))) struct FetchTests {
    private final class Folder {
        private let path: String

        init() throws {
            let folder = FileManager.default.temporaryDirectory.appending(
                path: "fetch-\(UUID().uuidString)", directoryHint: .isDirectory)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            path = folder.path()
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        var file: String { path + "/body" }
        var text: String? { try? String(contentsOfFile: file, encoding: .utf8) }
    }

    private let folder: Folder
    private let server: LoopbackServer

    init() throws {
        folder = try Folder()
        server = try LoopbackServer()
    }

    /// - Returns: The exit code.
    private func fetch(_ arguments: String..., target: String = "/a") async throws -> Int32 {
        let command = try Fetch.parse([server.url(target), "-o", folder.file] + arguments)
        do {
            try await command.run()
            return 0
        } catch let code as ExitCode {
            return code.rawValue
        }
    }

    @Test func `a redirect is followed, or returned as any other response`() async throws {
        server.enqueue(.redirect(to: "/b"))
        server.enqueue(.ok("there"))
        #expect(try await fetch() == 0)
        #expect(folder.text == "there")
        server.enqueue(.redirect(to: "/b"))
        #expect(try await fetch("--no-redirects") == 0)
        #expect(folder.text == "")
        server.enqueue(.redirect(to: "/b"))
        #expect(try await fetch("--max-redirects", "0") == 47)
    }

    @Test func `a 503 is returned as a response, unless retries are allowed`() async throws {
        server.enqueue(.status(503, "later"))
        #expect(try await fetch() == 0)
        #expect(folder.text == "later")
        server.enqueue(.status(503))
        server.enqueue(.ok("now"))
        #expect(try await fetch("--retry", "1") == 0)
        #expect(folder.text == "now")
        server.enqueue(.status(404))
        #expect(try await fetch("--fail") == 22)
    }

    @Test func `JSON is checked, sent unchanged, and requested`() async throws {
        server.enqueue(.ok())
        #expect(try await fetch("--json", "{ \"b\": 1.0, \"a\": [] }") == 0)
        let request = try await server.nextRequest()
        #expect(request.method == "POST")
        #expect(request.text == "{ \"b\": 1.0, \"a\": [] }")
        #expect(request["Content-Type"] == "application/json")
        #expect(request["Accept"] == "application/json")
        #expect(try await fetch("--json", "{") == 3)
        #expect(throws: (any Error).self) {
            try Fetch.parse(["http://h/", "--json", "1", "-d", "1"])
        }
    }

    @Test func `a version is asked for, and refused where it cannot be had`() async throws {
        for (flag, version) in [
            ("--http1.1", "HTTP/1.1"), ("--http2", "HTTP/2"), ("--http3", "HTTP/3"),
        ] {
            let request = try Fetch.parse(["https://h/", flag]).request.makeRequest()
            #expect(request.version?.rawValue == version)
        }
        #expect(try Fetch.parse(["https://h/"]).request.makeRequest().version == nil)
        #expect(throws: (any Error).self) {
            try Fetch.parse(["https://h/", "--http2", "--http3"])
        }
        var command = try Fetch.parse(["http://127.0.0.1:9/", "--http3"])
        let error = await #expect(throws: ExitCode.self) { try await command.run() }
        #expect(error?.rawValue == 4)
        command = try Fetch.parse(["http://127.0.0.1:9/"])
        #expect(command.request.version == nil)
    }

    @Test func `a password is sent only when asked for, and not unencrypted`() async throws {
        var challenge = LoopbackResponse.status(401)
        challenge.fields = [("WWW-Authenticate", "Basic realm=\"r\"")]
        server.enqueue(challenge)
        #expect(try await fetch("-u", "me:pass") == 94)
        #expect(try await server.nextRequest()["Authorization"] == nil)

        server.enqueue(challenge)
        server.enqueue(.ok("in"))
        #expect(try await fetch("-u", "me:pass", "--unencrypted-password") == 0)
        #expect(folder.text == "in")
        #expect(try await server.nextRequest()["Authorization"] == nil)
        #expect(try await server.nextRequest()["Authorization"] == "Basic bWU6cGFzcw==")
    }

    @Test func `a broken download continues after its part`() async throws {
        server.enqueue([
            .send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 10\r\n\r\nhello"), .close,
        ])
        server.enqueue(.status(404))
        #expect(try await fetch("--resume") == 22)
        #expect(folder.text == nil)
        _ = try await server.nextRequest()
        #expect(try await server.nextRequest()["Range"] == "bytes=5-")

        server.enqueue([
            .send("HTTP/1.1 206 Partial Content\r\nETag: \"1\"\r\nContent-Range: bytes 5-9/10\r\n"),
            .send("Content-Length: 5\r\n\r\nworld"),
        ])
        #expect(try await fetch("--resume") == 0)
        #expect(try await server.nextRequest()["Range"] == "bytes=5-")
        #expect(folder.text == "helloworld")
        #expect(throws: (any Error).self) { try Fetch.parse(["http://h/", "--resume"]) }
    }

    @Test func `a refused connection has its own exit code`() async throws {
        let port = try RefusingPort()
        let command = try Fetch.parse(["http://127.0.0.1:\(port.number)/", "--timeout", "60"])
        let code = await #expect(throws: ExitCode.self) { try await command.run() }
        #expect(code?.rawValue == 7)
    }

    @Test func `cookies are kept in a file, also of a response that is a failure`() async throws {
        let jar = folder.file + ".cookies"
        var response = LoopbackResponse(status: 404)
        response.fields = [("Set-Cookie", "session=s1"), ("Set-Cookie", "kept=k1; Max-Age=600")]
        server.enqueue(response)
        #expect(try await fetch("--cookie-jar", jar, "--fail") == 22)
        server.enqueue(.ok("hello"))
        #expect(try await fetch("--cookie-jar", jar) == 0)
        let sent = server.log.last?.request?.fields.first { $0.name == "Cookie" }?.value
        #expect(sent == "session=s1; kept=k1")
    }

    @Test func `responses are stored in a folder, and used again`() async throws {
        let cache = folder.file + ".cache"
        var response = LoopbackResponse.ok("stored")
        response.fields.append(("Cache-Control", "max-age=600"))
        server.enqueue(response)
        for _ in 1...2 {
            #expect(try await fetch("--cache", cache) == 0)
            #expect(folder.text == "stored")
        }
        #expect(server.log.count == 1)
    }

    @Test func `a comparison takes no stored response`() {
        #expect(throws: (any Error).self) {
            try Fetch.parse(["https://h/", "--compare", "--cache", "/tmp/cache"])
        }
        #expect(throws: Never.self) { try Fetch.parse(["https://h/", "--compare"]) }
    }
}
