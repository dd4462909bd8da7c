import HTTPCore
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPCookies
import PortableFoundation

/// Files between this package and the program curl, in both directions.
@Suite(.timeLimit(.minutes(5)), .enabled(if: CurlProgram.path != nil, "there is no curl"))
struct NetscapeCookiesCurlTests {
    private static let fields = [
        "a=1; Max-Age=1000; Path=/", "b=\"2\" x; Max-Age=1000; Path=/deep; HttpOnly",
        "s=session; Path=/", "c=; Max-Age=1000; Path=/", "ip=4; Max-Age=1000; Domain=127.0.0.1",
    ]

    private func run(_ arguments: String..., in folder: CookieFolder) throws {
        let output = folder.folder + "/output"
        try Data().write(to: URL(filePath: output))
        let command = [try #require(CurlProgram.path), "-sS", "-q", "--noproxy", "*"] + arguments
        let status = try ChildCommand.run(command, writingTo: output)
        #expect(status == 0, "\(CookieFolder.text(of: output) ?? "")")
    }

    @Test func `curl writes what this package reads`() throws {
        let folder = try CookieFolder()
        let server = try LoopbackServer { _ in
            var response = LoopbackResponse.ok("")
            response.fields += Self.fields.map { ("Set-Cookie", $0) }
            return response
        }
        try run("-c", folder.path, server.url("/deep/page"), in: folder)
        let jar = try HTTPCookieJar.file(at: folder.path, keepingSessionCookies: true)
        #expect(jar.flaws.isEmpty)
        #expect(jar.pairs == ["a=1", "b=\"2\" x", "c=", "ip=4", "s=session"])
        #expect(jar.cookies.allSatisfy { $0.domain == "127.0.0.1" && $0.isHostOnly })
        #expect(jar.cookies.filter(\.isHTTPOnly).map(\.name) == ["b"])
        #expect(jar.cookies.filter { $0.expires == nil }.map(\.name) == ["s"])
        // Some versions write a default path with its last slash.
        #expect(
            jar.cookies.filter { $0.path.hasPrefix("/deep") }.map(\.name).sorted() == ["b", "ip"])
        #expect(try HTTPCookieJar.file(at: folder.path).count == 4)
    }

    @Test func `curl reads what this package writes`() async throws {
        let folder = try CookieFolder()
        let jar = try HTTPCookieJar.file(at: folder.path, keepingSessionCookies: true)
        let server = try LoopbackServer { _ in .ok("") }
        let url = server.url("/deep/page")
        try jar.receive("a=1; Max-Age=1000; Path=/", from: url)
        try jar.receive("b=\"2\" x; Max-Age=1000; Path=/deep; HttpOnly", from: url)
        try jar.receive("s=session; Path=/", "x=1; Path=/other", from: url)
        jar.set(
            try HTTPCookieJar.Cookie(
                "d", "3", domain: "example.com", isHostOnly: false,
                expires: Date().addingTimeInterval(1_000)))
        try await jar.save()
        try run("-b", folder.path, url, in: folder)
        let request = try await server.nextRequest()
        let sent = request.fields.first { $0.name.lowercased() == "cookie" }?.value ?? ""
        #expect(
            sent.split(separator: "; ").sorted() == ["a=1", "b=\"2\" x", "s=session"])
        // curl resolves the host of a domain cookie to the server.
        try run(
            "-b", folder.path, "--connect-to", "::127.0.0.1:\(server.port)",
            "http://www.example.com/", in: folder)
        let other = try await server.nextRequest()
        #expect(other.fields.first { $0.name.lowercased() == "cookie" }?.value == "d=3")
    }

    @Test func `curl and this package change one file in turn`() async throws {
        let folder = try CookieFolder()
        let server = try LoopbackServer { request in
            var response = LoopbackResponse.ok("")
            response.fields.append(
                ("Set-Cookie", "curl=\(request.target.dropFirst()); Max-Age=86400"))
            return response
        }
        let jar = try HTTPCookieJar.file(at: folder.path)
        for round in 0..<3 {
            try jar.receive("own=\(round); Max-Age=86400; Path=/", from: server.url("/"))
            try await jar.save()
            try run("-b", folder.path, "-c", folder.path, server.url("/\(round)"), in: folder)
            try await jar.save()
            #expect(jar.pairs == ["curl=\(round)", "own=\(round)"] && folder.mode() == 0o600)
        }
    }
}

private enum CurlProgram {
    static let path = ["/usr/bin/curl", "/usr/local/bin/curl", "/opt/homebrew/bin/curl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
}
