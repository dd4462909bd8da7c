import Testing

@testable import HTTPTesting

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// How many sockets this process has; the server and its clients have no other descriptors.
///
/// The test runner opens and closes files of its own at any time, which are not counted therefore.
private func countSockets() -> Int {
    (0..<Int32(4096)).count { descriptor in
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }
}

@Suite(.timeLimit(.minutes(1))) struct LoopbackDescriptorTests {
    /// In a process of its own, where no other test opens descriptors.
    @Test func `after a stop no descriptor is left, whatever the connections were doing`() async {
        await #expect(processExitsWith: .success) {
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
}
