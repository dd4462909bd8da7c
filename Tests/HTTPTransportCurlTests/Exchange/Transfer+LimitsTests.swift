import CHTTPTransportCurl
import HTTPCore
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

@Suite struct TransferLimitsTests {
    private static let second: Int64 = 1_000_000_000

    @Test func `the wait for the head begins when the last byte is written, not when it is taken`()
        throws
    {
        let rig = try TransferRig()
        var request = try HTTPRequest(
            .post, "http://host.test/", body: HTTPBody(Data(count: 100_000)))
        request.timeouts = HTTPTimeouts(responseHead: .seconds(8), idle: .never)
        let transfer = try rig.transfer(request)
        transfer.admit()
        #expect(transfer.nextDue == nil)

        transfer.endedUpload()
        let taken = try #require(transfer.times.taken)
        #expect(transfer.nextDue == taken + Self.second)
        rig.turn.now = taken + 9 * Self.second
        #expect(transfer.checkLimits() == nil)
        #expect(transfer.times.step.isTaken)

        transfer.noteRequestSent()
        let sent = try #require(transfer.times.requestWritten)
        #expect(transfer.nextDue == sent + 8 * Self.second)
        rig.turn.now = sent + 8 * Self.second - 1
        #expect(transfer.checkLimits() == nil)
        rig.turn.now = sent + 8 * Self.second
        let error = transfer.checkLimits() as? HTTPError
        #expect(error?.timer == HTTPError.Timer(.responseHead, .seconds(8)))

        // libcurl makes another connection.
        transfer.opened(-1, to: chttp_address())
        #expect(transfer.nextDue == nil)
    }

    @Test(arguments: [0, 60_000])
    func `a body that libcurl has keeps the wait for the head from beginning`(count: Int) throws {
        let rig = try TransferRig()
        var request = try HTTPRequest(
            .post, "http://host.test/", body: HTTPBody(Data(count: count)))
        request.timeouts = HTTPTimeouts(responseHead: .seconds(8), idle: .never)
        let transfer = try rig.transfer(request)
        transfer.admit()
        transfer.easy = try CurlEasyHandle()
        #expect(transfer.mayWrite(to: "127.0.0.1", port: 80, from: 9))
        // Nothing was written over this handle, as over a stream whose window is used up.
        transfer.noteSent()
        #expect((transfer.times.requestWritten != nil) == (count == 0))
        rig.turn.now = (transfer.times.taken ?? 0) + 9 * Self.second
        if count > 0 { #expect(transfer.checkLimits() == nil) }
    }

    @Test(arguments: [ConnectionRoute.Protocols.best, .http3Alone])
    func `a handshake has its limit unless it is a part of QUIC`(
        protocols: ConnectionRoute.Protocols
    ) throws {
        let rig = try TransferRig()
        var request = try HTTPRequest(.get, "https://host.test/")
        request.timeouts = HTTPTimeouts(tls: .seconds(2), idle: .never)
        let transfer = try rig.transfer(request, over: protocols)
        transfer.admit()
        transfer.beganHandshake()
        guard protocols == .best else {
            #expect(transfer.nextDue == nil)
            return
        }
        let began = try #require(transfer.times.securing)
        #expect(transfer.nextDue == began + 2 * Self.second)
        rig.turn.now = began + 2 * Self.second
        let error = transfer.checkLimits() as? HTTPError
        #expect(error?.timer == HTTPError.Timer(.tls, .seconds(2)))
        #expect(error?.phase == .securing && error?.mayHaveReachedServer == false)
    }
}

extension TransferTimes {
    fileprivate var taken: Int64? { if case .taken(let time) = step { time } else { nil } }

    fileprivate var securing: Int64? { if case .securing(let time) = step { time } else { nil } }

    fileprivate var requestWritten: Int64? {
        if case .written(let time) = step { time } else { nil }
    }
}
