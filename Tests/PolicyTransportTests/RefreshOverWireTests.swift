import HTTPCore
import HTTPFormats
import HTTPRetry
import HTTPTesting
import HTTPValidation
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct RefreshOverWireTests {
    /// Responds with 401 to every token but the new one. The login waits for `gate`.
    private func server(_ gate: LoopbackGate) throws -> LoopbackServer {
        try LoopbackServer(script: { request in
            if request.path == "/login" {
                return [.pause(until: gate), .respond(.ok("new"))]
            }
            let isAccepted = request["Authorization"] == "Bearer new"
            return [.respond(isAccepted ? .ok("hello") : .status(401, "who?"))]  // prose: data
        })
    }

    private func hits(_ server: LoopbackServer, _ path: String) -> Int {
        server.log.count { $0.request?.path == path }
    }

    // MARK: Many at once

    @Test(.rows("S0-35", "B-11"), arguments: Wire.allCases, [true, false])
    func `twenty refused during a slow refresh share it`(
        wire: Wire, isRequest: Bool
    ) async throws {
        let gate = LoopbackGate()
        let server = try server(gate)
        let plain = try wire.session()
        let login = try HTTPRequest(.post, server.url("/login"))
        let validator: any HTTPValidator =
            isRequest
            ? HTTPAltRequestValidator(
                onProvideAltRequest: { _, _ in login },
                prepare: { request, response in
                    request.headers[.authorization] = "Bearer \(try await response.text())"
                })
            : HTTPAltTaskValidator {
                try await plain.response(String.self, for: login)
            } prepare: { request, token in
                request.headers[.authorization] = "Bearer \(token)"
            }
        let session = plain.with(Validation([validator, HTTPDefaultValidator()]))
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    let response = try await session.response(for: server.url("/data"))
                    #expect(try await response.text() == "hello")
                }
            }
            try await server.waitUntil { $0.requestCount == 21 }
            try await gate.reached()
            gate.open()
            try await group.waitForAll()
        }
        #expect(hits(server, "/login") == 1)
        #expect(hits(server, "/data") == 40)
    }

    @Test(.rows("S0-35", "B-11"), arguments: Wire.allCases)
    func `twenty refused during a refresh that fails do not start another`(
        wire: Wire
    ) async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { request in
            request.path == "/login"
                ? [.pause(until: gate), .respond(.status(500))]
                : [.respond(.status(401, "who?"))]  // prose: data
        })
        let login = try HTTPRequest(.post, server.url("/login"))
        let session = try wire.session().with(
            Validation([HTTPAltRequestValidator { _, _ in login }]))
        let codes = try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    do {
                        _ = try await session.response(for: server.url("/data"))
                        return nil as HTTPError.Code?
                    } catch let error as HTTPError {
                        return error.code
                    }
                }
            }
            try await server.waitUntil { $0.requestCount == 21 }
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == Array(repeating: .refreshFailed, count: 20))
        #expect(hits(server, "/login") == 1)
        #expect(hits(server, "/data") == 20)
    }
}
