import Foundation
import HTTPClientKit
import HTTPTransportCurl
import Testing

#if os(Linux)
    /// The server of the page, in the program.
    @Suite(.timeLimit(.minutes(1))) struct PageTests {
        /// A page from elsewhere whose name leads to this machine sends its own name.
        @Test func `only requests that name this machine are answered`() async throws {
            let program = try DashboardProgram()
            defer { program.end() }
            let url = try #require(await program.url())
            let port = try #require(URL(string: url)?.port)
            let client = HTTPClient(transport: CurlTransport())
            for host in ["127.0.0.1:\(port)", "127.0.0.1", "localhost:\(port)", "localhost"] {
                #expect(try await Self.status(client, url, host) == .ok, "\(host)")
            }
            let others = [
                "example.com", "example.com:\(port)", "localhost.example.com",
                "127.0.0.1.example.com:\(port)", "example.com.localhost", "127.0.0.2",
                "0.0.0.0:\(port)", "[::1]:\(port)",
            ]
            for host in others {
                for path in ["", "events"] {
                    #expect(
                        try await Self.status(client, url + path, host) == .misdirectedRequest,
                        "\(host)")
                }
            }
        }

        private static func status(
            _ client: HTTPClient, _ url: String, _ host: String
        ) async throws -> HTTPStatus {
            let request = try HTTPRequest(.get, url, headers: [.host: host])
            let response = try await client.transport.response(for: request)
            response.body.abandon()
            return response.status
        }
    }

    /// The program, run with a page on a free port, and without servers to poll that exist.
    private final class DashboardProgram {
        private let process = Process()
        private let output: FileHandle

        init() throws {
            let tests = URL(fileURLWithPath: CommandLine.arguments[0])
            process.executableURL = tests.deletingLastPathComponent()
                .appendingPathComponent("dashboard")
            process.arguments = ["--port", "0", "--every", "60", "http://127.0.0.1:1/"]
            let pipe = Pipe()
            process.standardOutput = pipe
            output = pipe.fileHandleForReading
            try process.run()
        }

        /// The URL of the page, which is the first line; `nil` if the program has ended.
        func url() async -> String? {
            let output = output
            return await Task.detached {
                var text = ""
                while !text.contains("\n"), case let piece = output.availableData, !piece.isEmpty {
                    text += String(decoding: piece, as: UTF8.self)
                }
                return text.split(separator: "\n").first.map(String.init)
            }.value
        }

        func end() {
            process.terminate()
            process.waitUntilExit()
        }
    }
#endif
