import CHTTPTransportCurl
import HTTPCore

/// One turn of the loop after the other: wait, tell libcurl what is ready, carry out commands, let
/// libcurl's timers run, collect what is finished, check limits, deliver.
///
/// It joins the loop's objects, which do not know each other: ``Reactor`` waits and wakes,
/// ``Scheduler`` decides which exchange goes next, ``Connections`` knows the sockets.
/// ``Transfers`` moves each exchange between them and libcurl. No other thread touches them or the
/// loop's libcurl handles.
final class LoopCore {
    private let loop: EventLoop
    private let reactor: Reactor
    private let transfers: Transfers
    private let connections: Connections
    private let pools: Pools
    @safe @exclusivity(unchecked) private var commands: [LoopCommand] = []
    @safe @exclusivity(unchecked) private var isReleased = false
    @safe @exclusivity(unchecked) private var closeDue: Int64?

    init(_ loop: EventLoop) throws(HTTPError) {
        self.loop = loop
        reactor = Reactor(loop.mailbox)
        transfers = try Transfers(loop, reactor)
        connections = transfers.connections
        pools = transfers.pools
        try pools.open(for: transfers)
    }

    // MARK: A turn

    /// Runs until the loop was released and nothing is left. Returns the statistics at the end.
    func run() -> CurlStatistics {
        repeat { turn() } while !isOver
        pools.close()
        return transfers.statistics
    }

    private func turn() {
        let count = reactor.wait(until: nextDue)
        transfers.endYields()
        for index in 0..<count {
            if let event = reactor.event(index) { dispatch(event) }
        }
        reactor.takeWork(&commands)
        carryOutCommands()
        checkLimits()
        pools.replaceFailed { pool, error in transfers.fail(in: pool, with: error) }
        closeIdle()
        transfers.startNext()
        transfers.flush()
        // Resumed tasks may have sent further requests. They begin before the next poll.
        if unsafe reactor.runJobs(on: loop.asUnownedTaskExecutor(), &commands) {
            reactor.turn.updateTime()
            carryOutCommands()
            transfers.flush()
        }
    }

    /// The time at which the loop has something to do; 0 if that is now.
    private var nextDue: Int64 {
        guard !transfers.hasWork else { return 0 }
        return min(closeDue ?? .max, min(pools.nextDue, connections.nextDue))
    }

    private func dispatch(_ event: chttp_event) {
        guard !transfers.finder.raced(event.descriptor) else { return }
        guard let pool = reactor.pool(waitingFor: event.descriptor) else {
            return connections.ready(event.descriptor, at: reactor.turn.now)
        }
        // Peeking would take an error from the socket, and libcurl would not see it.
        if event.events & (CHTTP_SELECT_ERR | CHTTP_SELECT_IN) == CHTTP_SELECT_IN {
            connections.willRead(event.descriptor, at: reactor.turn.now)
        }
        pools.act(on: event.descriptor, event.events, in: pool)
    }

    private func carryOutCommands() {
        for command in commands { carryOut(command) }
        commands.removeAll(keepingCapacity: true)
        transfers.startNext()
        pools.runTimers()
        transfers.collectFinished()
    }

    private func checkLimits() {
        transfers.checkLimits()
        guard let due = closeDue, due <= reactor.turn.now else { return }
        closeDue = nil
        transfers.failAll(with: HTTPError.transportClosed)
    }

    private func closeIdle() {
        if connections.nextDue <= reactor.turn.now {
            let due = connections.shutDownDue(at: reactor.turn.now)
            if !due.isEmpty {
                pools.clean(due)
                connections.planCleaning(at: reactor.turn.now)
            }
        }
        pools.closeIdle(at: reactor.turn.now)
    }

    private var isOver: Bool { isReleased && transfers.isEmpty && reactor.endIfEmpty() }

    // MARK: Commands

    private func carryOut(_ command: LoopCommand) {
        switch command {
        case .submit(let exchange): transfers.submit(exchange)
        case .fail(let exchange, let error):
            if let transfer = transfers.transfer(of: exchange) {
                transfers.finish(transfer, .failed(transfer.reaching(error)))
            }
        case .abandon(let exchange): transfers.transfer(of: exchange)?.abandon(nil)
        case .discard(let exchange, let waiter):
            if let transfer = transfers.transfer(of: exchange) {
                transfer.abandon(waiter)
            } else {
                waiter.resume()
            }
        case .resumeReceiving(let exchange): transfers.transfer(of: exchange)?.resumeReceiving()
        case .resumeSending(let exchange): transfers.transfer(of: exchange)?.resumeSending()
        case .answered(let question, let result): transfers.finder.answered(question, result)
        case .found(let addresses, let host): transfers.finder.found(addresses, of: host)
        case .statistics(let waiter):
            transfers.startNext()
            waiter.resume(with: .success(transfers.statistics))
        case .release: release()
        case .close(let grace):
            release()
            let due = reactor.turn.now.addingReportingOverflow(grace.nanoseconds)
            closeDue = due.overflow ? closeDue : min(due.partialValue, closeDue ?? .max)
        }
    }

    private func release() {
        isReleased = true
        transfers.http3.release()
    }
}
