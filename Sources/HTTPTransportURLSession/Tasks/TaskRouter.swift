import Dispatch
import Foundation
import HTTPCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The URLSession's delegate. It passes each task's events to its exchange, follows no redirect and
/// answers no challenge.
final class TaskRouter: NSObject, URLSessionDataDelegate {
    private struct Route {
        var bridge: TaskBridge
        var isCancelled = false
    }

    private let routes = Locked<[Int: Route]>([:])
    private let queue: DispatchQueue

    /// - Parameter queue: the queue on which tasks are cancelled, and URLSession may be called
    ///   back.
    init(queue: DispatchQueue) { self.queue = queue }

    func route(_ task: URLSessionTask, to bridge: TaskBridge) {
        routes.withLock { $0[task.taskIdentifier] = Route(bridge: bridge) }
    }

    /// Records that a task will be cancelled. Called on the queue, before that happens.
    func willCancel(_ task: URLSessionTask) {
        routes.withLock { $0[task.taskIdentifier]?.isCancelled = true }
    }

    private func bridge(of task: URLSessionTask) -> TaskBridge? {
        routes.withLock { $0[task.taskIdentifier]?.bridge }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        bridge(of: dataTask)?.receive(head: response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        bridge(of: dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // corelibs ends the process when the decision comes after a cancellation. On this queue, a
        // cancellation is either known already, or comes after the decision.
        queue.async { [self] in
            let isCancelled = routes.withLock { $0[task.taskIdentifier]?.isCancelled ?? true }
            if !isCancelled { completionHandler(nil) }
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(Darwin)
            let isTrust =
                challenge.protectionSpace.authenticationMethod
                == NSURLAuthenticationMethodServerTrust
            completionHandler(isTrust ? .performDefaultHandling : .rejectProtectionSpace, nil)
        #else
            // A 401 with a Basic challenge. This event comes in place of the end, when all bytes
            // are in. Any decision but a credential cancels the task, and waits for this very
            // queue.
            bridge(of: task)?.receiveEnd(task.response)
            queue.async { completionHandler(.cancelAuthenticationChallenge, nil) }
        #endif
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        #if canImport(Darwin)
            completionHandler(nil)
        #else
            completionHandler(bridge(of: task)?.streamForResend())
        #endif
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        guard let bridge = routes.withLock({ $0.removeValue(forKey: task.taskIdentifier) })?.bridge
        else { return }
        if let error { bridge.receive(error) } else { bridge.receiveEnd(task.response) }
        bridge.wireIsOver()
    }

    #if canImport(Darwin)
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didSendBodyData count: Int64,
            totalBytesSent: Int64, totalBytesExpectedToSend: Int64
        ) {
            bridge(of: task)?.sent(Int(count))
        }
    #endif
}

#if canImport(Darwin)
    enum DeliveryQueue {
        static func make() -> OperationQueue {
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            return queue
        }
    }
#else
    /// A queue that delivers events at once on URLSession's own queue, rather than one thread
    /// later.
    ///
    /// With a separate queue, bytes would pile up in front of a slow delegate without a bound. A
    /// cancellation could also meet a task that has ended but whose end has not been delivered, and
    /// that race ends the process in corelibs' TaskRegistry.
    // @unchecked: adds nothing to OperationQueue, which may be used from any thread.
    final class DeliveryQueue: OperationQueue, @unchecked Sendable {
        static func make() -> OperationQueue { DeliveryQueue() }

        override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
    }
#endif
