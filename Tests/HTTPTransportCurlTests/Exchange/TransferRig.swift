import HTTPCore

@testable import HTTPTransportCurl

/// A loop without a thread, sockets or time of its own: it records what its transfers ask of it.
final class TransferRig: TransferLoop {
    /// The addresses of sockets that have taken the place of libcurl's.
    var replaced: Connections.ReplacedAddresses?
    private(set) var flushes = 0
    private(set) var held = 0
    private(set) var finished: [Exchange.End] = []

    private let loop: EventLoop

    init(_ configuration: CurlConfiguration = CurlConfiguration()) throws {
        let settings = LoopSettings(configuration)
        let library = try CurlLibrary.loaded.get()
        // An exchange posts its commands to a loop. This one has been released, and takes none.
        loop = try EventLoop(settings, library, TLSContexts(own: TLSSettings()))
        _ = loop.post(.release)
        let turn = LoopTurn()
        turn.now = 1_000_000_000
        try super.init(settings, library, turn)
    }

    func transfer(
        _ request: HTTPRequest, over protocols: ConnectionRoute.Protocols = .best, slot: Int = 0
    ) throws -> Transfer {
        transfer(
            Self.exchange(request, to: try destination(of: request, over: protocols), settings),
            slot: slot)
    }

    func transfer(_ exchange: Exchange, slot: Int = 0) -> Transfer {
        Transfer(
            exchange, slot: slot,
            lane: Lane(exchange.destination.route, limit: 1, waitingLimit: 1), loop: self)
    }

    func destination(
        of request: HTTPRequest, over protocols: ConnectionRoute.Protocols = .best
    ) throws -> Destination {
        let target = try request.checkedTarget()
        var route = ConnectionRoute(origin: target.origin)
        route.protocols = protocols
        return Destination(target, route, on: loop)
    }

    static func exchange(
        _ request: HTTPRequest, to destination: Destination, _ settings: LoopSettings
    ) -> Exchange {
        Exchange(
            request, to: destination,
            limits: TimeLimits(request.timeouts, session: HTTPTimeouts(), timeLeft: nil),
            settings: settings)
    }

    override func replacedAddresses(_ lane: Lane, localPort: Int32)
        -> Connections.ReplacedAddresses?
    {
        replaced
    }
    override func hold(_ transfer: Transfer) { held += 1 }
    override func willFlush(_ transfer: Transfer) { flushes += 1 }

    override func finish(_ transfer: Transfer, _ end: Exchange.End) {
        finished.append(end)
        super.finish(transfer, end)
    }
}
