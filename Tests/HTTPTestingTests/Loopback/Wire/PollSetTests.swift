#if os(Linux)
    import Testing

    @testable import HTTPTesting

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    @Suite(.timeLimit(.minutes(5))) struct PollSetTests {
        /// A child process has a copy of each descriptor until it calls exec(2).
        @Test func `what no longer listens refuses, though a child has a copy`() throws {
            let listener = try LoopbackSocket.listening(host: "127.0.0.1", port: 0)
            let port = listener.port
            let copy = dup(listener.descriptor)
            try #require(copy >= 0)
            defer { _ = close(copy) }
            var polled = PollSet(listener, pipe: try LoopbackSocket.pipe())
            _ = try RawClient(port: port)
            polled.stopListening()
            do {
                _ = try RawClient(port: port)
                Issue.record("port \(port) accepted a connection")
            } catch let failure as RawClient.Failure {
                #expect(failure.number == ECONNREFUSED)
            }
            _ = try LoopbackSocket.listening(host: "127.0.0.1", port: port)
            polled.closePipe()
        }
    }
#endif
