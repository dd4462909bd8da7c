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

@Suite struct SecretArgumentsTests {
    private func blanked(_ arguments: [String]) -> [String] {
        SecretArguments.blanked(arguments).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        arguments: [
            (["-u", "ann:secret", "h/"], ["-u", "          ", "h/"]),
            (["--cert", "c.pem:sec:ret"], ["--cert", "c.pem:       "]),
            (["--cert", #"a\:b.pem:x"#], ["--cert", #"a\:b.pem: "#]),
            (["--socks5-hostname", "b:pw@p:1"], ["--socks5-hostname", "    @p:1"]),
            (["-uann:secret"], ["-u          "]), (["-sSuann:secret"], ["-sSu          "]),
            (["-sSu", "ann:secret"], ["-sSu", "          "]),
            (["--user", "ann:secret"], ["--user", "          "]),
            (["--user=ann:secret"], ["--user=          "]),
            (["-U", "a:b"], ["-U", "   "]), (["--proxy-user", "a:b"], ["--proxy-user", "   "]),
            (["--oauth2-bearer", "abc"], ["--oauth2-bearer", "   "]),
            (["--pass", "abc"], ["--pass", "   "]), (["-E", "f:abc"], ["-E", "f:   "]),
            (["-E", "file"], ["-E", "file"]),
            (["https://a:b@h/?c=d@e"], ["https://   @h/?c=d@e"]), (["a:b@h"], ["   @h"]),
            (["a@b:c@h:80/"], ["     @h:80/"]), (["h/a@b"], ["h/a@b"]),
            (["h/?u=http://a:b@x"], ["h/?u=http://a:b@x"]),
            (["--url", "http://a:b@h"], ["--url", "http://   @h"]),
            (["-x", "socks5://a:b@h:1"], ["-x", "socks5://   @h:1"]),
            (["--proxy=a:b@h:1"], ["--proxy=   @h:1"]),
            (["-H", "Authorization: x"], ["-H", "Authorization:  "]),
            (["-HX-Api-Key:x"], ["-HX-Api-Key: "]), (["-H", "Accept: x"], ["-H", "Accept: x"]),
            (["-H", "@file"], ["-H", "@file"]), (["-b", "a=b"], ["-b", "   "]),
            (["-b", "file"], ["-b", "file"]), (["-o", "-u", "x"], ["-o", "-u", "x"]),
            (["-d", "a:b@h", "h"], ["-d", "a:b@h", "h"]),
            (["--", "-u", "a:b@h"], ["--", "-u", "   @h"]), ([], []), (["-u"], ["-u"]),
            (["-u", "é:ß", "h"], ["-u", "     ", "h"]),
        ])
    func `secrets are blanked where curl takes them`(arguments: [String], expected: [String]) {
        #expect(blanked(arguments) == expected)
        for (one, other) in zip(SecretArguments.blanked(arguments), arguments) {
            #expect(one.count == other.utf8.count)
        }
    }

    #if os(Linux)
        @Test(.timeLimit(.minutes(1)), .enabled(if: RunningFetch.path != nil))
        func `the list of processes shows no secret`() async throws {
            let path = try #require(RunningFetch.path)
            let server = try LoopbackServer()
            server.enqueue([.stall])
            let url = server.url("/a").replacing("http://", with: "http://ann:Hidden@")
            let fetch = try RunningFetch(
                path,
                [
                    "-s", "-u", "ann:Hidden", "--proxy-user", "ann:Hidden", "-x", server.url("/"),
                    url,
                ])
            // The request is sent after the arguments were blanked, and gets no response.
            _ = try await server.nextRequest()
            let text = String(decoding: try fetch.arguments(), as: UTF8.self)
            #expect(text.contains("--proxy-user\0          \0-x\0\(server.url("/"))"))
            #expect(!text.contains("Hidden") && !text.contains("ann"))
        }
    #endif
}

#if os(Linux)
    /// The program beside the tests, in a process of its own until the value is released.
    private final class RunningFetch: Sendable {
        private let process: pid_t

        static let path: String? = CommandLine.arguments.first.flatMap { tests in
            let path = tests.prefix(through: tests.lastIndex(of: "/") ?? tests.startIndex) + "fetch"
            return unsafe access(String(path), X_OK) == 0 ? String(path) : nil
        }

        init(_ path: String, _ arguments: [String]) throws {
            var argv = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
            defer { unsafe argv.forEach { unsafe free($0) } }
            var process = pid_t()
            let failure = unsafe posix_spawn(&process, path, nil, nil, &argv, environ)
            guard failure == 0 else { throw SystemError(failure) }
            self.process = process
        }

        func arguments() throws -> Data { try InputFile("/proc/\(process)/cmdline").read() }

        deinit {
            kill(process, SIGKILL)
            var status: Int32 = 0
            while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
    }
#endif
