import Testing
@testable import HTTPTesting
import PortableLibc

@Suite(.timeLimit(.minutes(5))) struct RefusingPortTests {
    private static func expectRefusal(_ port: RefusingPort) {
        do {
            _ = try RawClient(port: port.number)
            Issue.record("port \(port.number) accepted a connection")
        } catch let failure as RawClient.Failure {
            #expect(failure.call == "connect")
            #expect(failure.number == ECONNREFUSED)
        } catch {
            Issue.record(error)
        }
    }

    #if os(Linux)
        @Test func `a server goes down and up on a port that stays taken`() throws {
            let port = try RefusingPort()
            var options = LoopbackOptions()
            options.port = port.number
            Self.expectRefusal(port)
            for turn in 1...3 {
                let server = try LoopbackServer(options) { _ in .ok("turn \(turn)") }
                #expect(server.url == port.url)
                let client = try RawClient(port: port.number)
                try client.send("GET / HTTP/1.0\r\n\r\n")
                #expect(try client.receiveAllText().hasSuffix("turn \(turn)"))
                server.stop()
                Self.expectRefusal(port)
            }
        }
    #endif

    @Test func `the system does not give the port out as a free one`() throws {
        let port = try RefusingPort()
        var numbers: Set<UInt16> = []
        for _ in 1...1000 {
            // One is released before the next is asked for, so that few are held at once.
            numbers.insert(try LoopbackSocket.bound(host: "127.0.0.1", port: 0).port)
        }
        #expect(numbers.count > 1)
        #expect(!numbers.contains(port.number))
        Self.expectRefusal(port)
    }
}
