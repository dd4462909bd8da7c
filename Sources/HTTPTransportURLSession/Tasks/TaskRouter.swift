import Dispatch
import Foundation
import HTTPCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// URLSession's delegate: hands each task's events to its exchange. Follows no redirect, answers no
/// challenge.
final class TaskRouter: NSObject, URLSessionDataDelegate {
    private struct Route {
        var bridge: TaskBridge
        var isCancelled = false
    }

    private let routes = Locked<[Int: Route]>([:])
    private let queue: DispatchQueue

    /// - Parameter queue: where tasks are cancelled, and URLSession may be called back.
    init(queue: DispatchQueue) { self.queue = queue }

    func route(_ task: URLSessionTask, to bridge: TaskBridge) {
        routes.withLock { $0[task.taskIdentifier] = Route(bridge: bridge) }
    }

    /// Called on the queue, before the task is cancelled.
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
        // corelibs ends the process when the answer comes behind a cancellation. On this queue one is
        // either known, or comes behind the answer.
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
            // A 401 with a Basic challenge: comes in place of the end, when all bytes are in. Any
            // answer but a credential cancels the task, and waits for this very queue.
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
    /// Delivers where the event happens, on URLSession's own queue, rather than one thread later.
    ///
    /// With a queue of its own, bytes would pile up in front of a slow delegate without a bound, and
    /// a cancellation could meet a task that has ended but whose end has not been delivered: the race
    /// that ends the process in corelibs' TaskRegistry.
    // @unchecked: adds nothing to OperationQueue, which may be used from any thread.
    final class DeliveryQueue: OperationQueue, @unchecked Sendable {
        static func make() -> OperationQueue { DeliveryQueue() }

        override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
    }
#endif
