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

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Runs the program's command lines in this process against a server on this machine.
@Suite(.timeLimit(.minutes(5))) struct FetchTests {
    private let folder: TemporaryFolder
    private let server: LoopbackServer

    init() throws {
        folder = try TemporaryFolder()
        server = try LoopbackServer()
    }

    /// The path of the output.
    private var file: String { folder.path + "/body" }

    /// The output, or `nil` if there is none.
    private var text: String? { folder.text(of: "body") }

    /// - Returns: The exit code.
    private func fetch(_ arguments: String..., target: String = "/a") async throws -> Int32 {
        let command = try Fetch.command([server.url(target), "-o", file, "-s"] + arguments)
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
        #expect(text == "there")
        server.enqueue(.redirect(to: "/b"))
        #expect(try await fetch("--no-redirects") == 0)
        #expect(text == "")
        server.enqueue(.redirect(to: "/b"))
        #expect(try await fetch("--max-redirects", "0") == 47)
    }

    @Test func `a 503 is returned as a response, unless retries are allowed`() async throws {
        server.enqueue(.status(503, "later"))
        #expect(try await fetch() == 0)
        #expect(text == "later")
        server.enqueue(.status(503))
        server.enqueue(.ok("now"))
        #expect(try await fetch("--retry", "1") == 0)
        #expect(text == "now")
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
        #expect(text == "in")
        #expect(try await server.nextRequest()["Authorization"] == nil)
        #expect(try await server.nextRequest()["Authorization"] == "Basic bWU6cGFzcw==")
    }

    @Test func `a broken download continues after its part`() async throws {
        server.enqueue([
            .send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 10\r\n\r\nhello"), .close,
        ])
        server.enqueue(.status(404))
        #expect(try await fetch("--resume") == 22)
        #expect(text == nil)
        _ = try await server.nextRequest()
        #expect(try await server.nextRequest()["Range"] == "bytes=5-")

        server.enqueue([
            .send("HTTP/1.1 206 Partial Content\r\nETag: \"1\"\r\nContent-Range: bytes 5-9/10\r\n"),
            .send("Content-Length: 5\r\n\r\nworld"),
        ])
        #expect(try await fetch("--resume") == 0)
        #expect(try await server.nextRequest()["Range"] == "bytes=5-")
        #expect(text == "helloworld")
        #expect(throws: (any Error).self) { try Fetch.parse(["http://h/", "--resume"]) }
    }

    @Test func `a download in a content coding is decoded only with --compressed`() async throws {
        server.enqueue(.gzip("hello"))
        #expect(try await fetch("--resume") == 0)
        #expect(text != "hello")
        server.enqueue(.gzip("hello"))
        #expect(try await fetch("--resume", "--compressed") == 0)
        #expect(text == "hello")
    }

    @Test func `a refused connection has its own exit code`() async throws {
        let port = try RefusingPort()
        let command = try Fetch.parse(["http://127.0.0.1:\(port.number)/", "--timeout", "60"])
        let code = await #expect(throws: ExitCode.self) { try await command.run() }
        #expect(code?.rawValue == 7)
    }

    @Test func `cookies are kept in a file, also of a response that is a failure`() async throws {
        let jar = file + ".cookies"
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
        let cache = file + ".cache"
        var response = LoopbackResponse.ok("stored")
        response.fields.append(("Cache-Control", "max-age=600"))
        server.enqueue(response)
        for _ in 1...2 {
            #expect(try await fetch("--cache", cache) == 0)
            #expect(text == "stored")
        }
        #expect(server.log.count == 1)
    }

    @Test func `a comparison takes no stored response`() {
        #expect(throws: (any Error).self) {
            try Fetch.parse(["https://h/", "--compare", "--cache", "/tmp/cache"])
        }
        #expect(throws: Never.self) { try Fetch.parse(["https://h/", "--compare"]) }
    }

    // MARK: Options of curl

    @Test func `a HEAD shows the head, also of redirects`() async throws {
        server.enqueue(.redirect(to: "/b"))
        server.enqueue(.ok("there"))
        #expect(try await fetch("-I") == 0)
        #expect(try await server.nextRequest().method == "HEAD")
        #expect(try await server.nextRequest().method == "HEAD")
        let lines = try #require(text).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "HTTP/1.1 302 Found")
        #expect(lines.filter { $0.hasPrefix("HTTP/1.1 ") }.last == "HTTP/1.1 200 OK")
        #expect(lines.suffix(2) == ["", ""] && !lines.contains("there"))
    }

    @Test func `an error's body is written only if asked for`() async throws {
        server.enqueue(.status(404, "sorry"))
        #expect(try await fetch("-f") == 22)
        #expect(text == nil)
        server.enqueue(.status(404, "sorry"))
        #expect(try await fetch("--fail-with-body") == 22)
        #expect(text == "sorry")
        server.enqueue(.status(302, "moved"))
        #expect(try await fetch("--fail-with-body") == 0)
    }

    @Test func `a file is continued at its end, and nothing else is added to it`() async throws {
        try folder.write("hello", to: "body")
        server.enqueue([
            .send("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 5-9/10\r\n"),
            .send("Content-Length: 5\r\n\r\nworld"),
        ])
        #expect(try await fetch("-C", "-") == 0)
        #expect(try await server.nextRequest()["Range"] == "bytes=5-")
        #expect(text == "helloworld")
        server.enqueue(.ok("another file"))
        #expect(try await fetch("-C", "-") == 33)
        server.enqueue([
            .send("HTTP/1.1 416 Range Not Satisfiable\r\nContent-Range: bytes */10\r\n"),
            .send("Content-Length: 4\r\n\r\nnone"),
        ])
        #expect(try await fetch("-C", "-") == 0)
        #expect(text == "helloworld")
        server.enqueue(.ok("new"))
        #expect(try await fetch("-C", "0") == 0)
        #expect(text == "new", "nothing is left out, so the file is written anew")
    }

    @Test func `a failure's head is written if asked for`() async throws {
        let heads = folder.path + "/heads"
        server.enqueue(.status(404, "gone"))
        #expect(try await fetch("-f", "-D", heads) == 22)
        #expect(folder.text(of: "heads")?.hasPrefix("HTTP/1.1 404 ") == true)
        #expect(text == nil)
        server.enqueue(.status(404, "gone"))
        #expect(try await fetch("-f", "-i") == 22)
        #expect(text?.hasPrefix("HTTP/1.1 404 ") == true && text?.contains("gone") == false)
    }

    @Test func `an error in a part of a form does not quote it`() throws {
        let error = #expect(throws: (any Error).self) {
            try Fetch.command([server.url("/a"), "-F", "password=hunter2;x"])
        }
        let message = Fetch.fullMessage(for: try #require(error))
        #expect(message.contains("-F password"))
        #expect(!message.contains("hunter2"))
    }

    @Test func `cookies are kept during the call without a file`() async throws {
        for arguments in [["-c", "/dev/null"], ["-b", "/dev/null"], ["-b", ""]] {
            var response = LoopbackResponse.redirect(to: "/b")
            response.fields.append(("Set-Cookie", "a=1"))
            server.enqueue(response)
            server.enqueue(.ok("there"))
            let command = try Fetch.command([server.url("/a"), "-s", "-o", file] + arguments)
            try await command.run()
            _ = try await server.nextRequest()
            #expect(try await server.nextRequest()["Cookie"] == "a=1")
        }
        for arguments in [["-c", "-"], ["-b", "-"], ["-e", "http://h/;auto"]] {
            #expect(throws: (any Error).self) {
                try Fetch.command([server.url("/a")] + arguments)
            }
        }
    }

    @Test func `the method of the report is that of the last request`() async throws {
        server.enqueue(.redirect(to: "/b"))
        server.enqueue(.ok("there"))
        let outcome = Outcome()
        let request = try HTTPRequest(.post, server.url("/a"))
        outcome.began(request, url: try RequestURL(server.url("/a"), defaultScheme: "http"))
        let response = try await HTTPClient().response(for: request)
        outcome.received(response, fileName: nil)
        #expect(outcome.report(nil)[.method] == .text("GET"))
    }

    @Test func `credentials in the URL are those of the origin, and are not sent in it`()
        async throws
    {
        server.enqueue(.ok())
        let url = server.url("/a").replacing("http://", with: "http://me:p%40ss@")
        try await Fetch.command([
            url, "--basic", "--unencrypted-password", "-o", file, "-s", "-w", "%{stderr}%{onerror}",
        ]).run()
        let request = try await server.nextRequest()
        #expect(request["Authorization"] == "Basic bWU6cEBzcw==")
        #expect(request["Host"]?.contains("@") == false && request.target == "/a")
    }

    @Test func `a bearer token does not leave its origin`() async throws {
        let other = try LoopbackServer { _ in .ok("there") }
        server.enqueue(.redirect(to: other.url("/b")))
        #expect(try await fetch("--oauth2-bearer", "top", "-b", "a=b") == 0)
        let first = try await server.nextRequest()
        #expect(first["Authorization"] == "Bearer top" && first["Cookie"] == "a=b")
        let second = try await other.nextRequest()
        #expect(second["Authorization"] == nil && second["Cookie"] == nil)
    }

    @Test func `a netrc file has the credentials`() async throws {
        let netrc = try folder.write("machine 127.0.0.1 login me password pass\n", to: "netrc")
        #expect(unsafe chmod(netrc, 0o600) == 0)
        var challenge = LoopbackResponse.status(401)
        challenge.fields = [("WWW-Authenticate", "Basic realm=\"r\"")]
        server.enqueue(challenge)
        server.enqueue(.ok("in"))
        #expect(try await fetch("--netrc-file", netrc, "--unencrypted-password") == 0)
        #expect(text == "in")
        _ = try await server.nextRequest()
        #expect(try await server.nextRequest()["Authorization"] == "Basic bWU6cGFzcw==")
    }

    @Test func `a file of cookies is read, and not changed`() async throws {
        let line = "127.0.0.1\tFALSE\t/\tFALSE\t4102444800\tstored\tcookie\n"
        let jar = try folder.write(line, to: "jar")
        #expect(unsafe chmod(jar, 0o600) == 0)
        var response = LoopbackResponse.redirect(to: "/b")
        response.fields.append(("Set-Cookie", "new=1; Max-Age=600"))
        server.enqueue(response)
        server.enqueue(.ok())
        #expect(try await fetch("-b", jar) == 0)
        #expect(try await server.nextRequest()["Cookie"] == "stored=cookie")
        #expect(try await server.nextRequest()["Cookie"] == "stored=cookie; new=1")
        #expect(folder.text(of: "jar") == line)
    }

    @Test func `output that cannot be written is a failure of its own`() async throws {
        for output in ["/no/such/folder/body", folder.path, "/dev/full"] {
            server.enqueue(.ok(String(repeating: "x", count: 100_000)))
            let command = try Fetch.command([server.url("/a"), "-s", "-o", output])
            let error = await #expect(throws: ExitCode.self) { try await command.run() }
            #expect(error?.rawValue == 23, "\(output)")
        }
    }

    @Test func `a wait between retries can be fixed, and retries can end`() async throws {
        server.enqueue(.status(503))
        server.enqueue(.ok("now"))
        #expect(try await fetch("--retry", "1", "--retry-delay", "0.01") == 0)
        #expect(text == "now")
        server.enqueue(.status(404, "gone"))
        server.enqueue(.ok("back"))
        let arguments = ["-f", "--retry", "1", "--retry-delay", "0.01", "--retry-all-errors"]
        let command = try Fetch.command([server.url("/a"), "-s", "-o", file] + arguments)
        try await command.run()
        #expect(text == "back")
        #expect(server.log.count == 4)
    }

    @Test func `errors name no secrets`() async throws {
        let url = "http://me:topsecret@127.0.0.1:\(try RefusingPort().number)/?topsecret"
        let command = try Fetch.command([
            url, "-u", "me:topsecret", "-H", "Authorization: topsecret",
        ])
        let call = try command.request.makeRequest()
        #expect(!call.url.absoluteString.contains("topsecret@"))
        let error = HTTPError(.cannotConnect, "no").ending(call.url)
        #expect(!FetchFailure(error).message.contains("topsecret"))
    }
}
