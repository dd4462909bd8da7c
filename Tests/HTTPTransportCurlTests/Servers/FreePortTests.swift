import Testing

@Suite(.timeLimit(.minutes(5))) struct FreePortTests {
    @Test func `a free port is none that the system gives to clients`() throws {
        for _ in 0..<100 {
            let port = try FreePort.find()
            #expect(port < FreePort.firstOfClients)
            #expect(port >= 1024)
        }
    }

    @Test func `a port is not free while a socket of TCP or UDP has it`() throws {
        let listener = try RawListener { _ in }
        #expect(!FreePort.isFree(listener.port))
        let relay = try DatagramRelay()
        #expect(!FreePort.isFree(relay.port))
    }
}
