import Testing
@testable import HTTPTesting
import PortableLibc

/// The number of sockets of this process; the server and its clients have no other descriptors.
///
/// Files are not counted, because the test runner opens and closes files of its own at any time.
private func countSockets() -> Int {
    (0..<Int32(4096)).count { descriptor in
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }
}

@Suite(.timeLimit(.minutes(5))) struct LoopbackServerDescriptorTests {
    /// Runs in a process of its own, where no other test opens descriptors.
    @Test func `after a stop no descriptor is left, whatever the connections were doing`() async {
        await #expect(processExitsWith: .success) {
            alarm(300)
            let before = countSockets()
            for isStopped in [true, false] {
                let gate = LoopbackGate()
                let server = try LoopbackServer(script: { request in
                    switch request.target {
                    case "/gate": [.pause(until: gate), .send("x")]
                    case "/pause": [.pause(.seconds(60))]
                    case "/deaf": [.stopReading, .stall]
                    case "/big": [.generate(1 << 30)]
                    case "/reset": [.reset]
                    case "/close": [.close]
                    default: [.stall]
                    }
                })
                let targets = ["/gate", "/pause", "/deaf", "/big", "/reset", "/close", "/stall"]
                for target in targets {
                    let client = try RawClient(port: server.port)
                    try client.send("GET \(target) HTTP/1.1\r\n\r\n")
                    let request = try await server.nextRequest()
                    try #require(request.target == target)
                    client.disconnect()
                }
                let held = try RawClient(port: server.port)
                try held.send("GET /gate HTTP/1.1\r\n\r\n")
                try await gate.reached(count: 2)
                try #require(countSockets() > before)
                if isStopped { server.stop() }
                gate.open()
                _ = consume held
                _ = consume server
            }
            try #require(countSockets() == before)
        }
    }

    @Test func `after a relay's stop no descriptor is left, whatever passed`() async {
        await #expect(processExitsWith: .success) {
            alarm(300)
            let before = countSockets()
            let server = try LoopbackServer(script: { request in
                switch request.target {
                case "/big": [.generate(1 << 30)]
                case "/close": [.close]
                default: [.stall]
                }
            })
            let serverAlone = countSockets()
            for isStopped in [true, false] {
                let kinds: [RelayFaults.Break.Kind?] = [nil, .cut, .reset, .stall]
                let relay = try FaultRelay(to: server.port) { number in
                    let kind = kinds[number % 4]
                    return RelayPlan(
                        toServer: RelayFaults(delay: number % 3 == 0 ? .seconds(60) : .zero),
                        toClient: RelayFaults(end: kind.map { .init($0, after: number % 2) }))
                }
                var clients: [HeldClient] = []
                for target in ["/big", "/close", "/stall"] {
                    for _ in 0..<8 {
                        let client = HeldClient(try RawClient(port: relay.port))
                        try? client.raw.send("GET \(target) HTTP/1.1\r\n\r\n")
                        clients.append(client)
                    }
                }
                try require(countSockets() > serverAlone)
                if isStopped { relay.stop() }
                clients = []
                _ = consume relay
            }
            // The server may still have to accept connections that the relay has made and closed.
            server.stop()
            try require(countSockets() == before)
        }
    }
}

private struct Unmet: Error {}

private func require(_ condition: Bool) throws { if !condition { throw Unmet() } }

private final class HeldClient {
    let raw: RawClient
    init(_ raw: consuming RawClient) { self.raw = raw }
}
