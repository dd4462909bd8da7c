import HTTPCore
import Testing

@testable import HTTPTransportURLSession

@Suite struct ExchangeLimitsTests {
    private func limits(
        _ request: HTTPTimeouts = HTTPTimeouts(), session: HTTPTimeouts = HTTPTimeouts(),
        timeLeft: Duration? = nil, hasBody: Bool = true
    ) -> ExchangeLimits {
        var limits = ExchangeLimits(request, session: session, timeLeft: timeLeft)
        limits.begins(at: .zero, hasBody: hasBody)
        return limits
    }

    @Test func `ten seconds to connect, then sixty idle, then never`() {
        var limits = limits()
        #expect(limits.check(at: .zero) == .lookAgain(at: .seconds(10)))
        #expect(limits.check(at: .seconds(10)) == .expired(.connect))
        limits.active(at: .seconds(9))
        #expect(limits.check(at: .seconds(10)) == .lookAgain(at: .seconds(69)))
        #expect(limits.check(at: .seconds(69)) == .expired(.idle))
    }

    @Test func `without a sign of connecting, only a connect limit that was set runs`() {
        let standard = limits(hasBody: false)
        #expect(standard.check(at: .seconds(30)) == .lookAgain(at: .seconds(60)))
        let own = limits(HTTPTimeouts(connect: .seconds(2)), hasBody: false)
        #expect(own.check(at: .seconds(2)) == .expired(.connect))
        let configured = limits(session: HTTPTimeouts(connect: .seconds(3)), hasBody: false)
        #expect(configured.check(at: .zero) == .lookAgain(at: .seconds(3)))
    }

    @Test func `a deadline switches off the limits that the request did not set`() {
        let limits = limits(
            HTTPTimeouts(total: .seconds(500)),
            session: HTTPTimeouts(connect: .seconds(1), idle: .seconds(1)), timeLeft: .seconds(300))
        #expect(limits.check(at: .seconds(299)) == .lookAgain(at: .seconds(300)))
        #expect(
            limits.check(at: .seconds(300)) == .expired(.deadline))
    }

    @Test func `the time that a producer takes is neither idle nor spent connecting`() {
        var limits = ExchangeLimits(HTTPTimeouts(), session: HTTPTimeouts(), timeLeft: nil)
        #expect(limits.check(at: .seconds(100)) == .never)
        limits.begins(at: .seconds(100), hasBody: true)
        #expect(limits.check(at: .seconds(105)) == .lookAgain(at: .seconds(110)))
    }

    @Test func `the wait for the head begins with the task, or with the last byte of the body`() {
        let own = HTTPTimeouts(connect: .never, responseHead: .seconds(5))
        var bare = limits(own, hasBody: false)
        #expect(bare.check(at: .seconds(4)) == .lookAgain(at: .seconds(5)))
        bare.active(at: .seconds(4))  // an interim response
        #expect(bare.check(at: .seconds(5)) == .expired(.responseHead))
        bare.receivedHead(at: .seconds(5))
        #expect(bare.check(at: .seconds(64)) == .lookAgain(at: .seconds(65)))

        var upload = limits(own)
        #expect(upload.check(at: .seconds(50)) == .lookAgain(at: .seconds(60)))
        upload.active(at: .seconds(50))
        upload.sentBody(at: .seconds(50))
        #expect(upload.check(at: .seconds(54)) == .lookAgain(at: .seconds(55)))
        upload.sendsAgain()
        #expect(upload.check(at: .seconds(55)) == .lookAgain(at: .seconds(110)))
        upload.sentBody(at: .seconds(60))
        #expect(upload.check(at: .seconds(65)) == .expired(.responseHead))
    }

    @Test func `never means never`() {
        let limits = limits(HTTPTimeouts(connect: .never, idle: .never, total: .never))
        #expect(limits.check(at: .seconds(1_000_000)) == .never)
    }
}
