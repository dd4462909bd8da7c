import Dispatch
import Foundation
import HTTPCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The only owner of the URLSession. It alone creates, starts and cancels tasks. It releases the
/// URLSession when no exchange can begin any more and the last one is over.
final class URLSessionOwner: Sendable {
    fileprivate struct State {
        /// The session; `nil` once the owner is closed and the last exchange is over. The
        /// connections that libcurl keeps end with it.
        var session: URLSession?
        var exchanges: [ObjectIdentifier: TaskBridge] = [:]
        var isClosed = false
        var waiters: [Waiter<Void>] = []
        /// The origins that have sent a response, of which URLSession may keep connections.
        var answered: Set<HTTPOrigin> = []
    }

    /// The number of origins that are remembered. With more, each one counts as known.
    private static let originLimit = 1000

    let configuration: URLSessionTransportConfiguration
    let timers = ExchangeTimers()

    /// The queue that URLSession is called on. URLSession's methods wait for its own queue. Waiting
    /// for them inside a cancellation handler leads to a deadlock of URLSession on Linux (corelibs
    /// issue 5412).
    private let queue = DispatchQueue(label: "HTTPTransportURLSession.tasks")
    private let router: TaskRouter
    private let state: Locked<State>

    init(_ configuration: URLSessionTransportConfiguration) {
        self.configuration = configuration
        router = TaskRouter(queue: queue)
        state = Locked(
            State(
                session: URLSession(
                    configuration: configuration.makePlatformConfiguration(), delegate: router,
                    delegateQueue: DeliveryQueue.make())))
    }

    // MARK: Exchanges

    /// - Throws: `sessionClosed` if the owner is closed.
    func admit(_ bridge: TaskBridge) throws(HTTPError) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.exchanges[ObjectIdentifier(bridge)] = bridge }
            return state.isClosed
        }
        if isClosed {
            throw HTTPError.sessionClosed.inPhase(.preparing, mayHaveReachedServer: false)
        }
    }

    /// Removes an admitted exchange that is over, both on the wire and for its reader.
    func release(_ bridge: TaskBridge) {
        let waiters: [Waiter<Void>] = state.withLock { state in
            state.exchanges[ObjectIdentifier(bridge)] = nil
            return state.takeWaitersIfOver()
        }
        waiters.resumeAll()
        invalidateIfOver()
    }

    /// Records that an origin has sent a response, after which URLSession may keep a connection.
    func noteResponse(from origin: HTTPOrigin) {
        state.withLock { state in
            if state.answered.count < Self.originLimit { state.answered.insert(origin) }
        }
    }

    /// Returns `true` if URLSession may have used a kept connection for a request to `origin`.
    func mayKeepConnection(to origin: HTTPOrigin) -> Bool {
        state.withLock { state in
            state.answered.contains(origin) || state.answered.count >= Self.originLimit
        }
    }

    /// Creates and starts the task of an exchange.
    func begin(_ request: URLRequest, _ body: BodySpool, for bridge: TaskBridge) {
        queue.async { [self] in
            // The session exists as long as an exchange is not over.
            guard bridge.mayBegin(), let session = state.withLock({ $0.session }) else { return }
            let request = request.carrying(body) { [weak bridge] in bridge?.sent($0) }
            let task = session.dataTask(with: request)
            router.route(task, to: bridge)
            let isWanted = bridge.began(task)
            task.resume()
            if !isWanted { cancelNow(task) }
        }
    }

    /// Cancels a task soon, without waiting for that.
    func cancel(_ task: URLSessionTask) { queue.async { [self] in cancelNow(task) } }

    private func cancelNow(_ task: URLSessionTask) {
        router.willCancel(task)
        task.cancel()
    }

    #if canImport(Darwin)
        func suspend(_ task: URLSessionTask) { queue.async { task.suspend() } }
        func resume(_ task: URLSessionTask) { queue.async { task.resume() } }
    #endif

    // MARK: End

    /// Stops admitting exchanges.
    func close() {
        let waiters: [Waiter<Void>] = state.withLock { state in
            state.isClosed = true
            return state.takeWaitersIfOver()
        }
        waiters.resumeAll()
        invalidateIfOver()
    }

    /// Waits until the last exchange is over. When the calling task is cancelled, the remaining
    /// exchanges fail at once.
    func waitUntilOver() async {
        let waiter = Waiter<Void>()
        let isOver = state.withLock { state in
            if !state.exchanges.isEmpty { state.waiters.append(waiter) }
            return state.exchanges.isEmpty
        }
        if isOver { return }
        await withTaskCancellationHandler {
            _ = await waiter.outcome()
        } onCancel: {
            closeExchanges()
        }
    }

    /// Ends the exchanges under way with `sessionClosed`.
    func closeExchanges() {
        for bridge in state.withLock({ Array($0.exchanges.values) }) { bridge.close() }
    }

    private func invalidateIfOver() {
        let session = state.withLock { state in
            state.isClosed && state.exchanges.isEmpty ? state.session.take() : nil
        }
        // Otherwise the session and its delegate would retain each other.
        if let session { queue.async { session.finishTasksAndInvalidate() } }
    }
}

extension URLSessionOwner.State {
    fileprivate mutating func takeWaitersIfOver() -> [Waiter<Void>] {
        guard exchanges.isEmpty else { return [] }
        defer { waiters = [] }
        return waiters
    }
}

extension HTTPError {
    /// The exchange that it ends adds how far it has come.
    static var sessionClosed: HTTPError {
        HTTPError(.sessionClosed, "the transport was closed: make a new one")
    }
}
