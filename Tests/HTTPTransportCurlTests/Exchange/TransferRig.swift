import CHTTPTransportCurl
import HTTPCore

@testable import HTTPTransportCurl

/// A loop without a thread, sockets or time of its own: it records what its transfers ask of it.
@safe final class TransferRig: TransferLoop {
    let settings: LoopSettings
    let library: CurlLibrary
    let share: CurlShare
    let blocks = BlockPool()
    let socketCloser: UnsafeMutablePointer<chttp_socket_closer>
    var now: Int64 = 1_000_000_000
    /// The addresses of sockets that have taken the place of libcurl's.
    var replaced: ReplacedAddresses?
    private(set) var flushes = 0
    private(set) var held = 0
    private(set) var resumptions: [Suspension] = []
    private(set) var finished: [Exchange.End] = []

    private let contexts: TLSContexts
    private let loop: EventLoop

    init(_ configuration: CurlConfiguration = CurlConfiguration()) throws {
        settings = LoopSettings(configuration)
        library = try CurlLibrary.loaded.get()
        share = try CurlShare()
        contexts = TLSContexts(own: TLSSettings())
        // An exchange posts its commands to a loop. This one has been released, and takes none.
        loop = try EventLoop(settings, library, contexts)
        _ = loop.post(.release)
        unsafe socketCloser = .allocate(capacity: 1)
        unsafe socketCloser.initialize(to: chttp_socket_closer())
    }

    deinit { unsafe socketCloser.deallocate() }

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

    func progress(content bytes: Int) -> Int64 { now }
    func idleLimit(_ lane: Lane) -> Int { settings.idleSeconds }
    func learn(_ version: HTTPVersion?, for transfer: Transfer, idleTimeout: Int?) {}
    func announced(_ text: String, age: Duration, by transfer: Transfer) {}
    func addresses(of name: HostLookups.Name) -> [IPAddress] { [] }
    func willSend(
        _ transfer: Transfer, between ends: KeptConnections.Ends, isNew: Bool
    ) -> Connections.Beginning { .begun(.none) }
    func wrote(_ transfer: Transfer, at time: Int64) {}
    func refused(_ transfer: Transfer) {}
    func settled(_ transfer: Transfer) {}
    func opened(_ descriptor: Int32, for lane: Lane) {}
    func replacedAddresses(_ lane: Lane, localPort: Int32) -> ReplacedAddresses? { replaced }
    func stopsReading(_ transfer: Transfer) {}
    func hold(_ transfer: Transfer) { held += 1 }
    func willFlush(_ transfer: Transfer) { flushes += 1 }
    func schedule(_ transfer: Transfer) {}
    func willResume(_ suspension: Suspension) { resumptions.append(suspension) }

    func finish(_ transfer: Transfer, _ end: Exchange.End) {
        finished.append(end)
        transfer.end(end)
    }
}
