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
        machine.received(lastEventID: "1", reconnectionTime: .milliseconds(510))
        #expect(machine.ended() == .wait(.milliseconds(510)))
        machine.received(lastEventID: "1", reconnectionTime: nil)
        #expect(machine.ended() == .wait(.milliseconds(510)), "it applies until it is changed")
        machine.received(lastEventID: "1", reconnectionTime: .seconds(Int64.max))
        #expect(machine.ended() == .wait(.seconds(30)))
    }

    @Test(arguments: [0, 1, 499, 500])
    func `a server cannot set a wait below half a second`(milliseconds: Int) throws {
        var machine = try machine()
        machine.received(lastEventID: "", reconnectionTime: .milliseconds(milliseconds))
        #expect(machine.ended() == .wait(.milliseconds(500)))
        #expect(machine.broke(lost) == .wait(.milliseconds(500)))
        let waits = (0..<3).map { _ in machine.didNotOpen(lost) }
        #expect(waits == [500, 1000, 2000].map { .wait(.milliseconds($0)) })
    }

    @Test func `the caller's own wait may be shorter, and limits the server's`() throws {
        var machine = try machine {
            $0.reconnectionTime = .zero
            $0.longestWait = .milliseconds(100)
        }
        #expect(machine.ended() == .wait(.zero))
        machine.received(lastEventID: "", reconnectionTime: .zero)
        #expect(machine.ended() == .wait(.milliseconds(100)))
    }

    @Test(
        arguments: [
            ("2", "2"), ("é", "é"), (" 2\t", "2"), ("", ""), (" ", ""), ("2 3", "2 3"),
            ("\u{1B}2", nil), ("2\u{7F}", nil), ("\u{1}", nil), ("\u{B}2", nil),
            (String(repeating: "2", count: 4096), String(repeating: "2", count: 4096)),
            (String(repeating: "2", count: 4097), nil),
            (String(repeating: "2", count: 900_000), nil),
        ])
    func `an identifier that cannot be sent leaves the one before it`(
        id: String, sent: String?
    ) throws {
        var machine = try machine()
        machine.received(lastEventID: "1", reconnectionTime: nil)
        machine.received(lastEventID: id, reconnectionTime: nil)
        #expect(machine.lastEventID == id)
        #expect(machine.resumptionID == sent ?? "1")
        machine.received(lastEventID: "3", reconnectionTime: nil)
        #expect(machine.resumptionID == "3")
    }

    @Test(arguments: [429, 502, 503, 504])
    func `a stream that was open survives a server that is away`(code: Int) throws {
        let head = HTTPResponse.Head(
            status: try #require(HTTPStatus(code: code)), url: try HTTPRequest("https://h/").url)
        let away = HTTPError(.decodingFailed, "no event stream", response: head)
        var machine = try machine { $0.maxFailures = 2 }
        #expect(machine.didNotOpen(away) == .fail, "before the first stream it is the answer")
        machine.opened()
        #expect(machine.didNotOpen(away) == .wait(.seconds(3)))
        #expect(machine.didNotOpen(away, retryAfter: .seconds(20)) == .wait(.seconds(20)))
        #expect(machine.didNotOpen(away) == .fail)
        machine.opened()
        #expect(machine.didNotOpen(away, retryAfter: .seconds(1)) == .wait(.seconds(3)))
        #expect(machine.didNotOpen(away, retryAfter: .seconds(7200)) == .wait(.seconds(60)))
        var once = try self.machine(.post)
        once.opened()
        #expect(once.didNotOpen(away) == .fail, "a POST is sent once")
    }

    @Test(arguments: [400, 401, 404, 410, 500, 501])
    func `any other status ends a stream that was open, too`(code: Int) throws {
        let head = HTTPResponse.Head(
            status: try #require(HTTPStatus(code: code)), url: try HTTPRequest("https://h/").url)
        var machine = try machine()
        machine.opened()
        let error = HTTPError(.decodingFailed, "no", isRetryable: true, response: head)
        #expect(machine.didNotOpen(error) == .fail)
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
