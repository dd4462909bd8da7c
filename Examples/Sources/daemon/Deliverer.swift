import HTTPClientKit
import HTTPTransportCurl
import Synchronization

/// Makes a limited number of deliveries at a time, and logs each.
final class Deliverer: Sendable {
    struct Tally: Sendable {
        var begun = 0
        var delivered = 0
        var failed = 0
        var cancelled = 0
        /// The number of deliveries under way when the daemon stopped accepting new ones.
        var drained = 0

        var underWay: Int { begun - delivered - failed - cancelled }

        mutating func note(_ outcome: DeliveryOutcome) {
            switch outcome {
            case .delivered: delivered += 1
            case .failed: failed += 1
            case .cancelled: cancelled += 1
            }
        }
    }

    private let transport: CurlTransport
    private let client: HTTPClient
    private let permits: ConcurrencyLimit
    /// The number of deliveries at a time, equal to the number of permits, so that none waits for
    /// one. Such a wait has a limit, for which the system keeps a timer until its time, even if the
    /// wait is over. With many deliveries a second, these timers use memory.
    private let window: Int
    private let limit: Duration
    private let state = Mutex(Tally())

    /// - Parameter limit: The time limit of one attempt.
    init(concurrency: Int, retries: Int, limit: Duration) throws {
        var configuration = CurlConfiguration()
        configuration.maximumConnectionsPerOrigin = concurrency
        transport = try CurlTransport(configuration)
        var policy = RetryPolicy.standard
        policy.maxRetries = retries
        let permits = ConcurrencyLimit(perOrigin: concurrency, total: concurrency, timeout: limit)
        client = HTTPClient(
            transport: transport, headers: ["User-Agent": "webhooks/1.0"], retry: policy
        ) { $0.concurrencyLimit = permits }
        self.permits = permits
        window = concurrency
        self.limit = limit
    }

    var tally: Tally { state.withLock { $0 } }

    /// Records that no more deliveries are accepted.
    func noteDraining() { state.withLock { $0.drained = $0.underWay } }

    /// Makes all deliveries of `intake`, and returns after the last. Cancelling ends those under
    /// way.
    func deliver(_ intake: Intake) async {
        await withTaskGroup(of: Void.self) { group in
            var inHand = 0
            while true {
                if inHand == window {
                    await group.next()
                    inHand -= 1
                }
                guard let delivery = await intake.next() else { break }
                state.withLock { $0.begun += 1 }
                group.addTask { await self.deliver(delivery) }
                inHand += 1
            }
        }
    }

    private func deliver(_ delivery: Delivery) async {
        let watch = DeliveryWatch()
        let outcome = await outcome(of: delivery, seenBy: watch)
        Console.log(watch.line(for: delivery, outcome))
        state.withLock { $0.note(outcome) }
    }

    private func outcome(of delivery: Delivery, seenBy watch: DeliveryWatch) async
        -> DeliveryOutcome
    {
        do {
            // A call with its own observer, so that the observer sees a single delivery.
            let request = try delivery.request(within: limit).beginningCall(observer: watch)
            // Only the status of a receiver's response matters.
            try await client.withResponse(for: request) { _ in }
            return .delivered
        } catch is CancellationError {
            return .cancelled
        } catch {
            return .failed(error)
        }
    }

    /// Returns the statistics in one line.
    func statistics() async -> String {
        let (tally, exchanges) = (self.tally, await transport.statistics())
        var parts = [
            ("begun", tally.begun), ("delivered", tally.delivered), ("failed", tally.failed),
            ("cancelled", tally.cancelled), ("drained", tally.drained),
            ("permits", permits.running), ("queued", permits.waiting),
            ("active", exchanges.total.active), ("exchanges", exchanges.total.ended),
            ("opened", exchanges.total.opened), ("reused", exchanges.total.reused),
            ("sockets", exchanges.openSockets),
        ]
        if let memory = ResidentMemory.kibibytes { parts.append(("resident_kib", memory)) }
        return parts.map { "\($0)=\($1)" }.joined(separator: " ")
    }
}
