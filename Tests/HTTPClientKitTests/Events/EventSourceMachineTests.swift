import Testing

@testable import HTTPClientKit

@Suite struct EventSourceMachineTests {
    private let lost = HTTPError(.connectionLost, "lost", isRetryable: true)

    private func machine(
        _ method: HTTPMethod = .get, deadline: HTTPInstant? = nil,
        _ change: (inout HTTPEventSourceOptions) -> Void = { _ in }
    ) throws -> EventSourceMachine {
        var options = HTTPEventSourceOptions()
        change(&options)
        var request = try HTTPRequest(method, "https://h/")
        request.deadline = deadline
        return EventSourceMachine(options, for: request)
    }

    @Test func `a stream that ends is requested again after three seconds`() throws {
        #expect(try machine().ended() == .wait(.seconds(3)))
        #expect(try machine().broke(lost) == .wait(.seconds(3)))
    }

    @Test func `the server's time counts, up to a limit`() throws {
        var machine = try machine { $0.longestWait = .seconds(30) }
        machine.received(lastEventID: "1", reconnectionTime: .milliseconds(10))
        #expect(machine.ended() == .wait(.milliseconds(10)))
        machine.received(lastEventID: "1", reconnectionTime: nil)
        #expect(machine.ended() == .wait(.milliseconds(10)), "it applies until it is changed")
        machine.received(lastEventID: "1", reconnectionTime: .seconds(Int64.max))
        #expect(machine.ended() == .wait(.seconds(30)))
    }

    @Test func `failures double the wait, a stream that opens ends that`() throws {
        var machine = try machine { $0.longestWait = .seconds(10) }
        let waits = (0..<4).map { _ in machine.didNotOpen(lost) }
        #expect(waits == [3, 6, 10, 10].map { .wait(.seconds($0)) })
        machine.opened()
        #expect(machine.didNotOpen(lost) == .wait(.seconds(3)))
    }

    @Test func `failures in a row end at their number`() throws {
        var machine = try machine { $0.maxFailures = 2 }
        #expect(machine.didNotOpen(lost) != .fail)
        #expect(machine.didNotOpen(lost) != .fail)
        #expect(machine.didNotOpen(lost) == .fail)
    }

    @Test func `an error that a new request cannot fix ends the source`() throws {
        var machine = try machine()
        #expect(machine.didNotOpen(HTTPError(.serverNotTrusted, "no")) == .fail)
        #expect(machine.broke(HTTPError(.bodyTooLarge, "no")) == .fail)
        let head = HTTPResponse.Head(
            status: .serviceUnavailable, url: try HTTPRequest("https://h/").url)
        let refused = HTTPError(.unexpectedStatus, "503", isRetryable: true, response: head)
        #expect(machine.didNotOpen(refused) == .fail)
    }

    @Test func `a deadline of the request is the end, one of each call is a connection's`() throws {
        let late = HTTPError(.timedOut, "late", timer: .init(.deadline, .seconds(1)))
        var perCall = try machine()
        #expect(perCall.broke(late) == .wait(.seconds(3)))
        #expect(perCall.didNotOpen(late) == .wait(.seconds(3)))
        var own = try machine(deadline: HTTPInstant(sinceStart: .seconds(1)))
        #expect(own.broke(late) == .fail)
        #expect(own.didNotOpen(late) == .fail)
    }

    @Test func `an unsafe request is sent once, unless the caller allows more`() throws {
        var post = try machine(.post)
        #expect(post.ended() == .end)
        #expect(post.broke(lost) == .fail)
        #expect(post.didNotOpen(lost) == .fail)
        #expect(try machine(.post) { $0.reconnection = .always }.ended() != .end)
        #expect(try machine { $0.reconnection = .never }.ended() == .end)
    }
}
