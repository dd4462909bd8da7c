// A bridge from HTTPClientKit to swift-service-lifecycle. This file can be copied into another
// program.

public import HTTPClientKit
public import ServiceLifecycle
import Synchronization

/// A client as a service that ends gracefully:
/// `ServiceGroup(services: [client, worker], gracefulShutdownSignals: [.sigterm], logger: logger)`.
///
/// Services end in the reverse of their order, so the client comes before those that use it. When
/// it is to end, it refuses new calls with `sessionClosed` and waits for the calls under way, with
/// their retries, redirects and bodies. After the grace, it closes the transport, and what is left
/// fails with `sessionClosed`. A transport that other clients use, too, is closed for them. If the
/// task of the service is cancelled, there is no grace.
///
/// A call by this client costs two locks more than one by the client that it was made from.
public final class HTTPClientService: Service {
    /// The client to use. Only its calls are waited for.
    public let client: HTTPClient
    private let grace: Duration
    private let gate = CallGate()

    /// - Parameters:
    ///   - client: The client to derive the service's from, with the same transport.
    ///   - grace: The time that calls under way may take once the service is to end.
    public init(_ client: HTTPClient, grace: Duration = .seconds(10)) {
        self.client = client.deriving { [gate] in $0.callMiddleware.insert(gate, at: 0) }
        self.grace = grace
    }

    public func run() async throws {
        try? await gracefulShutdown()  // throws if the task is cancelled
        gate.close()
        await withTaskGroup(of: Void.self) { [gate, grace] group in
            group.addTask { await gate.waitUntilEmpty() }
            group.addTask { try? await Task.sleep(for: grace) }
            await group.next()
            group.cancelAll()
        }
        await client.close(grace: .zero)
    }
}

/// Counts calls, and refuses them once it is closed.
private final class CallGate: HTTPClientMiddleware {
    private struct State {
        var isClosed = false
        var count = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter = 0
    }

    private let state = Mutex(State())

    func close() { state.withLock { $0.isClosed = true } }

    func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws -> HTTPResponse {
        let isOpen = state.withLock { state in
            if !state.isClosed { state.count += 1 }
            return !state.isClosed
        }
        guard isOpen else { throw HTTPError(.sessionClosed, "the service of the client is ending") }
        do {
            let response = try await next.response(for: request)
            response.body.whenEnded { _ in self.leave() }
            return response
        } catch {
            leave()
            throw error
        }
    }

    private func leave() {
        let waiters = state.withLock { state in
            state.count -= 1
            guard state.count == 0 else { return [Int: CheckedContinuation<Void, Never>]() }
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }

    /// Waits until no call is under way. Cancelling ends the wait.
    func waitUntilEmpty() async {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard state.count > 0, !Task.isCancelled else { return false }
                    state.waiters[number] = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
    }
}
