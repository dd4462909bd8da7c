import Dispatch
import Foundation
import HTTPCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The only one that makes, starts and cancels tasks, and the one that lets the URLSession go: when
/// nobody can begin an exchange any more and the last one is over.
final class URLSessionOwner: Sendable {
    fileprivate struct State {
        /// Gone when closed and over, and with it the connections that libcurl keeps.
        var session: URLSession?
        var exchanges: [ObjectIdentifier: TaskBridge] = [:]
        var isClosed = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    let configuration: URLSessionTransportConfiguration
    let timers = ExchangeTimers()

    /// Where URLSession is called. Its methods wait for its own queue, and waiting for them inside a
    /// cancellation handler is how URLSession on Linux comes to a deadlock (corelibs issue 5412).
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

    /// - Throws: `sessionClosed`.
    func admit(_ bridge: TaskBridge) throws(HTTPError) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.exchanges[ObjectIdentifier(bridge)] = bridge }
            return state.isClosed
        }
        if isClosed { throw HTTPError.sessionClosed(mayHaveReachedServer: false) }
    }

    /// The exchange is over, on the wire and for its reader. It was admitted.
    func release(_ bridge: TaskBridge) {
        let waiters: [CheckedContinuation<Void, Never>] = state.withLock { state in
            state.exchanges[ObjectIdentifier(bridge)] = nil
            return state.takeWaitersIfOver()
        }
        for waiter in waiters { waiter.resume() }
        invalidateIfOver()
    }

    /// Makes and starts the task of an exchange.
    func begin(_ request: URLRequest, _ body: BodySpool, for bridge: TaskBridge) {
        queue.async { [self] in
            // There is one as long as the exchange is not over.
            guard bridge.mayBegin(), let session = state.withLock({ $0.session }) else { return }
            let task = session.dataTask(with: request.carrying(body, for: bridge))
            router.route(task, to: bridge)
            let isWanted = bridge.began(task)
            task.resume()
            if !isWanted { cancelNow(task) }
        }
    }

    /// Breaks a task off, some time soon.
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

    /// Admits no further exchange.
    func close() {
        let waiters: [CheckedContinuation<Void, Never>] = state.withLock { state in
            state.isClosed = true
            return state.takeWaitersIfOver()
        }
        for waiter in waiters { waiter.resume() }
        invalidateIfOver()
    }

    /// Returns when the last exchange is over. When the calling task is cancelled, those that are
    /// left fail at once.
    func waitUntilOver() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if !state.exchanges.isEmpty { state.waiters.append(continuation) }
                    return state.exchanges.isEmpty
                }
                if isOver { continuation.resume() }
            }
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
        // Without it the session and its delegate keep each other.
        if let session { queue.async { session.finishTasksAndInvalidate() } }
    }
}

extension URLSessionOwner.State {
    fileprivate mutating func takeWaitersIfOver() -> [CheckedContinuation<Void, Never>] {
        guard exchanges.isEmpty else { return [] }
        defer { waiters = [] }
        return waiters
    }
}

extension HTTPError {
    static func sessionClosed(mayHaveReachedServer: Bool) -> HTTPError {
        HTTPError(
            .sessionClosed, "the transport was closed", phase: .preparing,
            mayHaveReachedServer: mayHaveReachedServer)
    }
}
