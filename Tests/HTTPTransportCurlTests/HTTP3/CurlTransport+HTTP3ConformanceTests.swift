import HTTPCore
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

/// The conformance cases over HTTP/3, to servers that forward the requests over HTTP/1.1.
@Suite(
    .enabled(if: HTTP3Requirement.isMet, HTTP3Requirement.comment), .timeLimit(.minutes(10)))
struct CurlTransportHTTP3ConformanceTests {
    /// A session whose requests go over HTTP/3 to a server that forwards them to their origins.
    ///
    /// libcurl may hold the reset of a stream back until the connection is used again. Requests
    /// that the server answers itself follow one another, so that cases can wait for a reset.
    private final class ForwardedSession: HTTPSession {
        private let transport: CurlTransport
        private let port: UInt16
        private let pulse: Task<Void, Never>

        /// - Parameter port: The port of the server.
        init(_ transport: CurlTransport, port: UInt16) {
            self.transport = transport
            self.port = port
            pulse = Task {
                while (try? await Task.sleep(for: .milliseconds(100))) != nil {
                    let request = try? HTTP3Requirement.request(
                        .get, "https://127.0.0.1:\(port)/pulse")
                    guard let request else { return }
                    _ = try? await transport.response(for: request).data()
                }
            }
        }

        deinit { pulse.cancel() }

        func response(for request: HTTPRequest) async throws -> HTTPResponse {
            guard request.url.scheme == "http", let target = request.url.port,
                var components = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
            else { return try await transport.response(for: request) }
            components.scheme = "https"
            components.port = Int(port)
            var forwarded = request
            forwarded.url = try #require(components.url)
            forwarded.version = .http3
            try forwarded.headers.set("X-Port", "\(target)")
            return try await transport.response(for: forwarded)
        }
    }

    /// The exclusions are those of these versions of the servers.
    private static func runs(_ program: String, _ arguments: [String], _ version: String) -> Bool {
        (try? ServerProcess.run(program, arguments).contains { $0.contains(version) }) == true
    }

    @Test(.enabled(if: runs("nginx", ["-v"], "nginx/1.26."), "nginx is not 1.26"))
    func `the cases pass behind nginx`() async throws {
        let server = try await NginxServer.startWithHTTP3 { $0.forwards = true }
        try await Self.runCases("nginx", port: server.port, excluding: HTTP3Exclusions.nginx)
    }

    @Test(.enabled(if: runs("caddy", ["version"], "2.6."), "Caddy is not 2.6"))
    func `the cases pass behind Caddy`() async throws {
        let server = try await CaddyServer.start(forwards: true)
        try await Self.runCases("Caddy", port: server.port, excluding: HTTP3Exclusions.caddy)
    }

    private static func runCases(
        _ server: String, port: UInt16, excluding exclusions: [TransportConformance.Exclusion]
    ) async throws {
        let configuration = try await TestAuthority.trusting()
        let conformance = TransportConformance("CurlTransport", excluding: exclusions) {
            ForwardedSession(try CurlTransport(configuration), port: port)
        }
        var outcomes: [String: Int] = [:]
        try await withThrowingTaskGroup(of: String.self) { group in
            var cases = conformance.cases.makeIterator()
            func runNext() {
                guard let example = cases.next() else { return }
                group.addTask {
                    do {
                        switch try await conformance.run(example) {
                        case .passed: return "passed"
                        case .excluded: return "excluded"
                        case .unavailable: return "unavailable"
                        }
                    } catch let failure as ConformanceFailure {
                        Issue.record(failure)
                        return "failed"
                    }
                }
            }
            for _ in 0..<8 { runNext() }
            while let outcome = try await group.next() {
                outcomes[outcome, default: 0] += 1
                runNext()
            }
        }
        print(
            "FIGURE | conformance cases over HTTP/3 behind \(server): passed, excluded, failed | "
                + "\(outcomes["passed", default: 0]), \(outcomes["excluded", default: 0]), "
                + "\(outcomes["failed", default: 0]) | none failed | "
                + (outcomes["failed"] == nil ? "pass" : "fail"))
    }
}
