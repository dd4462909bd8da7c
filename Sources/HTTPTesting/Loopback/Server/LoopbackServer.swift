import HTTPCore

/// An HTTP/1.1 server on the loopback interface that sends exactly the bytes it is told to.
///
/// ```swift
/// let server = try LoopbackServer { request in .ok("hello") }
/// let response = try await session.get(server.url("/greeting"))
/// #expect(try await server.nextRequest().target == "/greeting")
/// ```
///
/// The server answers each request with the next response or script in its queue. If the queue is
/// empty, it calls the handler. Alternatively, each connection plays a script of its own. A
/// ``LoopbackResponse`` has correct framing by default and can break at a given point
/// (``LoopbackFault``). A ``LoopbackScript`` sends its bytes unchecked. The ``log`` has the bytes
/// of each request, and ``waitUntil(within:_:)`` waits until it meets a condition.
///
/// One thread serves all connections. It ends when ``stop()`` is called or when the server is
/// released, so keep the server as long as you need it. Handlers run on that thread and must not
/// block.
public final class LoopbackServer: Sendable {
    /// The port that the server listens on.
    public let port: UInt16
    /// The address that the server listens on, as in a URL: IPv6 addresses are in brackets.
    public let host: String

    private let hub: LoopbackHub
    private let thread: LoopbackThread
    private let isJoined = Locked(false)

    /// Starts a server that answers each request with the response that `respond` returns.
    ///
    /// By default the closure runs once the request is complete
    /// (``LoopbackOptions/waitsForContent``). It runs on the server's thread and must not block.
    /// Enqueued responses and scripts are used first.
    public convenience init(
        _ options: LoopbackOptions = LoopbackOptions(),
        respond: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse
    ) throws(LoopbackError) {
        try self.init(options, script: { respond($0).script(answering: $0) })
    }

    /// Starts a server that answers each request with the script that `script` returns.
    ///
    /// By default the closure runs once the request is complete
    /// (``LoopbackOptions/waitsForContent``). It runs on the server's thread and must not block.
    /// Enqueued responses and scripts are used first.
    public convenience init(
        _ options: LoopbackOptions = LoopbackOptions(),
        script: @escaping @Sendable (LoopbackRequest) -> LoopbackScript
    ) throws(LoopbackError) {
        let hub = LoopbackHub(logLimit: options.loggedExchangeLimit)
        let choice: LoopbackScript.Step = .choose { request in
            let choice = hub.dequeue() ?? script
            return choice(request)
        }
        let program: LoopbackScript =
            options.waitsForContent
            ? [
                .awaitHead, .continueIfExpected,
                .awaitContentEnd(orMoreThan: options.contentLimit), choice,
            ]
            : [.awaitHead, choice]
        try self.init(options, hub: hub) { _ in .requests(program) }
    }

    /// Starts a server that answers requests with enqueued responses and scripts, in order.
    ///
    /// If nothing is enqueued, the response is 503, so that a test that forgot something fails
    /// rather than hangs.
    public convenience init(_ options: LoopbackOptions = LoopbackOptions()) throws(LoopbackError) {
        try self.init(options, respond: { _ in .status(503, "nothing is enqueued") })
    }

    /// Starts a server that plays one script on each connection, from the moment it is accepted.
    ///
    /// The first connection plays the first script, and so on; further connections repeat the last
    /// one. The connection closes after its script's last step. Without scripts, connections close
    /// at once.
    public convenience init(
        _ options: LoopbackOptions = LoopbackOptions(), scripts: [LoopbackScript]
    ) throws(LoopbackError) {
        let hub = LoopbackHub(logLimit: options.loggedExchangeLimit)
        try self.init(options, hub: hub) { number in
            .connection(scripts.isEmpty ? [] : scripts[min(number, scripts.count) - 1])
        }
    }

    private init(
        _ options: LoopbackOptions, hub: LoopbackHub, programs: @escaping LoopbackLoop.Programs
    ) throws(LoopbackError) {
        let listener = try LoopbackSocket.listening(host: options.host, port: options.port)
        self.port = listener.port
        self.host = options.host.contains(":") ? "[\(options.host)]" : options.host
        self.hub = hub
        let loop = LoopbackLoop(
            listener, pipe: try LoopbackSocket.pipe(), hub: hub, options: options,
            programs: programs)
        self.thread = try LoopbackThread { loop.run() }
    }

    deinit {
        stop()
        // Released on its own thread, by a handler: a thread cannot join itself.
        if thread.isCurrent { thread.detach() }
    }

    // MARK: Address

    /// `http://127.0.0.1:PORT`, with no path.
    public var url: String { "http://\(host):\(port)" }

    /// The URL of `target`, which starts with a slash.
    public func url(_ target: String) -> String { url + target }

    // MARK: Responses

    /// Adds `response` to the queue, which answers requests before the handler is called.
    ///
    /// This has no effect on a server that was started with connection scripts.
    public func enqueue(_ response: LoopbackResponse) {
        hub.enqueue { response.script(answering: $0) }
    }

    /// Adds `script` to the queue, which answers requests before the handler is called.
    ///
    /// This has no effect on a server that was started with connection scripts.
    public func enqueue(_ script: LoopbackScript) { hub.enqueue { _ in script } }

    // MARK: Log

    /// The latest exchanges, in the order in which they began, including those still in progress.
    public var log: [LoopbackExchange] { hub.snapshot.log }

    /// The counts of the connections now.
    public var connections: LoopbackConnections { hub.snapshot.connections }

    /// The log, the connections and the count of requests, at one moment.
    package var snapshot: LoopbackSnapshot { hub.snapshot }

    /// Waits for the next request that has arrived completely, or whose connection has ended before
    /// that.
    ///
    /// Each request is returned once, in the order of completion. It may not be answered yet.
    ///
    /// - Throws: ``LoopbackError/timedOut``, ``LoopbackError/stopped``, or `CancellationError`.
    public func nextRequest(within timeout: Duration = .seconds(30)) async throws -> LoopbackRequest
    {
        let deadline = ContinuousClock.now + timeout.saturated
        while true {
            if let request = hub.takeRequest() { return request }
            try await hub.wait(until: deadline) { $0.hasTakable }
        }
    }

    /// Waits until `condition` holds for the state of the server.
    ///
    /// The condition is evaluated on the server's thread, at once and after each change, so no time
    /// is lost by polling.
    ///
    /// ```swift
    /// try await server.waitUntil { $0.log.first?.ending == .clientClosed }
    /// ```
    ///
    /// - Throws: ``LoopbackError/timedOut``, ``LoopbackError/stopped``, or `CancellationError`.
    public func waitUntil(
        within timeout: Duration = .seconds(30),
        _ condition: @escaping @Sendable (LoopbackSnapshot) -> Bool
    ) async throws {
        try await hub.wait(until: .now + timeout.saturated) { condition($0.snapshot) }
    }

    // MARK: End

    /// Closes all connections and the listening socket, and returns when all descriptors are
    /// closed.
    ///
    /// The log stays available. Calling it again has no effect. If a handler stops its server, the
    /// descriptors are closed after the handler has returned.
    public func stop() {
        hub.stop()
        guard !thread.isCurrent else { return }
        isJoined.withLock { isJoined in
            if !isJoined { thread.join() }
            isJoined = true
        }
    }
}
