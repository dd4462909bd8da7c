import HTTPCore
import Testing

@testable import HTTPTransportCurl

@Suite struct TransfersTests {
    /// The transfers of a loop that runs no turn.
    private final class Rig {
        let transfers: Transfers
        let lane: Lane
        private let loop: EventLoop

        init() throws {
            loop = try EventLoop(
                LoopSettings(CurlConfiguration()), CurlLibrary.loaded.get(),
                TLSContexts(own: TLSSettings()))
            transfers = try Transfers(loop, Reactor(Mailbox()))
            lane = Lane(
                ConnectionRoute(origin: try HTTPOrigin("http://host.test")), limit: 1,
                waitingLimit: 1)
        }

        deinit { _ = loop.post(.release) }

        func add(_ observer: (any HTTPObserver)? = nil) throws -> Transfer {
            let request = try HTTPRequest(.post, "http://host.test/")
                .beginningCall(observer: observer)
            let exchange = Exchange(
                request,
                to: Destination(try request.checkedTarget(), lane.route, on: loop),
                limits: TimeLimits(request, session: HTTPTimeouts()), settings: loop.settings)
            return transfers.add(exchange, in: lane)
        }
    }

    @Test func `nothing holds a transfer that is over, and so the loop's objects go`() throws {
        var rig: Rig? = try Rig()
        var transfer = try rig?.add()
        weak let transfers = rig?.transfers
        weak let held = transfer
        if let rig, let transfer {
            // It was to send on in the next turn, and its server has refused it.
            rig.transfers.hold(transfer)
            rig.transfers.refused(transfer)
            rig.transfers.finish(transfer, .failed(CancellationError()))
            rig.transfers.flush()
            #expect(rig.transfers.isEmpty && !rig.transfers.hasWork)
        }
        transfer = nil
        #expect(held == nil)
        rig = nil
        #expect(transfers == nil)
    }

    /// The order in which exchanges have failed.
    private final class Ends: Sendable {
        let names = Locked<[String]>([])

        func observer(_ name: String) -> Observer { Observer(name: name, ends: self) }
    }

    private struct Observer: HTTPObserver {
        let name: String
        let ends: Ends

        func observe(_ event: HTTPEvent) {
            if case .failed = event.kind { ends.names.withLock { $0.append(name) } }
        }
    }

    /// The end of what runs might let it go on with what waits.
    @Test func `a close ends first what waits`() throws {
        let rig = try Rig()
        let ends = Ends()
        let running = try rig.add(ends.observer("running"))
        running.machine.admit()
        _ = try rig.add(ends.observer("waiting"))
        rig.transfers.failAll(with: HTTPError.transportClosed)
        rig.transfers.flush()
        #expect(ends.names.withLock { $0 } == ["waiting", "running"])
        #expect(rig.transfers.isEmpty)
    }
}
