import Foundation
import HTTPTesting
import Synchronization
import Testing

#if os(Linux)
    struct ObservedTests {
        @Test func `the program prints what the guide shows`() async throws {
            let page = try String(
                contentsOfFile: root + "/Docs/Guides/Observability.md", encoding: .utf8)
            let section = try #require(page.components(separatedBy: "\n## A whole program\n").last)
            let block = try #require(
                section.components(separatedBy: "```text\n").dropFirst().first?
                    .components(separatedBy: "\n```").first)
            let program = try Program(["--demo"])
            #expect(try await program.status() == 0)
            let output = try await program.output()
            #expect(output.lines == block.lines)
            #expect(!output.contains("secret"))
        }

        @Test func `a signal ends the program after the call under way`() async throws {
            let gate = LoopbackGate()
            let server = try LoopbackServer(script: { _ in
                [.pause(until: gate), .respond(.ok("hello"))]
            })
            let urls = [server.url("/a"), server.url("/b")]
            let program = try Program(urls + ["--log-level", "info"])
            try await gate.reached()
            program.end()
            // The program knows of the signal while the call waits. The second URL is not
            // requested any more.
            try await program.wait(for: "info ending\n")
            #expect(program.isRunning)
            gate.open()
            #expect(try await program.status() == 0)
            let output = try await program.output()
            #expect(output.contains("info polled bytes=5\n"))
            #expect(output.contains("\ninfo ended\n"))
            #expect(server.log.map(\.request?.path) == ["/a"])
        }

        private var root: String {
            #filePath.components(separatedBy: "/Examples/observed/").first ?? ""
        }
    }

    /// The program, run with arguments.
    private final class Program {
        private let process = Process()
        private let reader: Task<Void, any Error>
        private let text = Printed()

        private final class Printed: Sendable {
            let text = Mutex("")
            var value: String { text.withLock { $0 } }
        }

        init(_ arguments: [String]) throws {
            let tests = URL(fileURLWithPath: CommandLine.arguments[0])
            process.executableURL = tests.deletingLastPathComponent()
                .appendingPathComponent("observed")
            process.arguments = arguments
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            let file = pipe.fileHandleForReading
            reader = Task.detached { [text] in
                while case let piece = file.availableData, !piece.isEmpty {
                    text.text.withLock { $0 += String(decoding: piece, as: UTF8.self) }
                }
            }
        }

        var isRunning: Bool { process.isRunning }

        /// Sends SIGTERM.
        func end() { process.terminate() }

        func output() async throws -> String {
            try await reader.value
            return text.value
        }

        /// Waits until the program has printed a text, or has ended.
        func wait(for part: String) async throws {
            while !text.value.contains(part), isRunning {
                try await Task.sleep(for: .milliseconds(5))
            }
        }

        func status() async throws -> Int32 {
            _ = try await reader.value
            process.waitUntilExit()
            return process.terminationStatus
        }
    }

    extension String {
        /// The lines, with marks for all that differs from run to run: times and ports.
        fileprivate var lines: [String] {
            replacing(/127\.0\.0\.1:\d+/, with: "127.0.0.1:PORT")
                .replacing(/\d+(\.\d+)? m?s\b/, with: "TIME")
                .replacing(/duration_ms=\d+(\.\d+)?/, with: "duration_ms=TIME")
                .split(separator: "\n").map(String.init)
        }
    }
#endif
