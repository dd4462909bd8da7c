public import HTTPCore
import HTTPFormats

/// A limit on the requests, and on the bytes, that are sent in a time, for each origin or for each
/// key of the program's choice. Requests beyond it wait in a bounded queue.
///
/// - A request whose wait would be longer than it may be, by the limit's own timeout or the call's
///   deadline, fails at once with `rateLimited`; `retryAfter` of the error says when to come again.
/// - Requests of different tenants take turns. See ``/HTTPCore/HTTPRequest/tenant``. Among those of
///   one tenant, the priority counts, then the order of arrival.
/// - The server's own limits count as well, if it reports them
///   (``/HTTPCore/HTTPHeaders/serviceLimits(now:)``): with nothing left, requests wait until the
///   limit is reset, but no longer than `longestReset`. If the server has named a later time, one
///   request then asks it anew, and the others wait for its response.
/// - Bytes are those of both bodies. The content of a request is counted before it is sent, or
///   while it is sent if its length is not known; the body of a response is counted piece by piece,
///   and its reader waits.
/// - A request that is cancelled or fails before it was sent gives its units back.
///
/// Runs once per exchange (row 10), outside the ``ConcurrencyLimit``: a waiting request holds no
/// permit. Copies share their counts. With a shared store, the limit is that of a whole fleet. See
/// ``Sharing``.
public struct RateLimit: HTTPClientMiddleware {
    /// The number of units and requests since the limit was created.
    public struct Statistics: Hashable, Sendable {
        /// The units that were taken.
        public var admitted = 0
        /// The requests that went on after a wait.
        public var waited = 0
        /// The requests that were refused.
        public var refused = 0
        /// The units that were given back because their request was not sent.
        public var refunded = 0
        /// The requests that wait now.
        public var waiting = 0
        /// The questions that a shared store has not answered.
        public var storeFailures = 0
    }

    private final class Shared: Sendable {
        let requests: RateLimiter?
        let bytes: RateLimiter?
        /// The requests of each key that were sent and have no response yet.
        let underWay = Locked<[String: Int]>([:])

        init(_ requests: RateLimiter?, _ bytes: RateLimiter?) {
            self.requests = requests
            self.bytes = bytes
        }

        func begin(_ key: String) { underWay.withLock { $0[key, default: 0] += 1 } }

        /// - Returns: The number of other requests under way.
        func end(_ key: String) -> Int {
            underWay.withLock { counts in
                let count = (counts[key] ?? 1) - 1
                counts[key] = count > 0 ? count : nil
                return max(0, count)
            }
        }
    }

    private let shared: Shared
    private let name: String
    private let key: HTTPLimitKey
    private let timeout: Duration
    private let heedsServer: Bool

    /// - Parameters:
    ///   - requests: The rate of requests; `nil` for none of this limit's own.
    ///   - bytes: The rate of bytes; `nil` for none.
    ///   - name: The name of this limit. Limits with one store and one name count together.
    ///   - queue: The number of requests of each key that may wait; one more fails with
    ///     `queueFull`.
    ///   - timeout: The longest wait of a request.
    ///   - heedsServer: `true` to hold requests back by the limits that the server reports.
    ///   - longestReset: The longest time for which such a limit holds requests back, five minutes
    ///     by default, whatever the server says.
    ///   - sharing: The store that counts for several processes; `nil` to count in this one.
    ///   - key: The rule by which requests count together.
    public init(
        _ requests: HTTPRate?, bytes: HTTPRate? = nil, name: String = "rate", queue: Int = 10_000,
        timeout: Duration = .seconds(60), heedsServer: Bool = true,
        longestReset: Duration = ServerTime.longestPause, sharing: Sharing? = nil,
        key: HTTPLimitKey = .origin
    ) {
        // Without a rate of its own, the limit still heeds the server.
        let own = requests ?? (heedsServer ? .tokenBucket(1 << 40, burst: 1 << 40) : nil)
        let ownSharing = requests == nil ? nil : sharing
        shared = Shared(
            own.map {
                RateLimiter(
                    $0, of: .requests, queue: queue, longestReset: longestReset,
                    sharing: ownSharing)
            },
            bytes.map {
                RateLimiter(
                    $0, of: .contentBytes, queue: queue, longestReset: longestReset,
                    sharing: sharing)
            })
        self.name = name
        self.key = key
        self.timeout = timeout
        self.heedsServer = heedsServer
    }

    /// The counts of requests so far.
    public var statistics: Statistics { shared.requests?.statistics ?? Statistics() }
    /// The counts of bytes so far.
    public var byteStatistics: Statistics { shared.bytes?.statistics ?? Statistics() }

    /// - Throws: `rateLimited`, `queueFull`, `sharedStoreFailed`, or `timedOut` at the call's
    ///   deadline, or `sessionClosed`, each before anything is sent; `CancellationError` as soon as
    ///   the waiting task is cancelled.
    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        guard let key = try key.value(request) else {
            return try await next.response(for: request)
        }
        var request = request
        let call = request.currentCall
        let requestKey = "\(name):requests:\(key)"
        let byteKey = "\(name):bytes:\(key)"
        let pass = try await take(1, requestKey, shared.requests, request, call, next)
        let length = request.body.length.map { Int(min(max(0, $0), 1 << 40)) }
        do {
            if let length, length > 0 {
                _ = try await take(length, byteKey, shared.bytes, request, call, next)
            }
        } catch {
            if pass.isProbe { shared.requests?.probeFailed(requestKey) }
            shared.requests?.giveBack(1, to: requestKey, at: call.clock.now)
            throw error
        }
        if length == nil, let bytes = shared.bytes {
            request.body = request.body.reportingPieces { _, piece in
                if !piece.isEmpty { bytes.charge(piece.count, to: byteKey, on: call.clock) }
            }
        }

        let sends = call.sends
        shared.begin(key)
        var response: HTTPResponse
        do {
            response = try await next.response(for: request)
        } catch {
            _ = shared.end(key)
            if pass.isProbe { shared.requests?.probeFailed(requestKey) }
            if error.isBeforeSending(hasSent: call.sends != sends) {
                let now = call.clock.now
                shared.requests?.giveBack(1, to: requestKey, at: now)
                if let length, length > 0 { shared.bytes?.giveBack(length, to: byteKey, at: now) }
            }
            throw error
        }
        let underWay = shared.end(key)
        if heedsServer {
            let limits = response.headers.serviceLimits(now: call.clock.date)
            let now = call.clock.now
            shared.requests?.note(
                limits, for: requestKey, underWay: underWay, isOfProbe: pass.isProbe, at: now)
            shared.bytes?.note(limits, for: byteKey, underWay: 0, at: now)
        }
        if let bytes = shared.bytes {
            let pace = Pace(
                limiter: bytes, key: byteKey, call: call, tenant: request.tenant ?? "",
                priority: request.priority)
            response.body = response.body.paced(pace)
            // A body that a layer below has read may be read again.
            if case .buffered(let limit) = request.delivery {
                response = try await response.buffered(upTo: limit)
            }
        }
        return response
    }

    private func take(
        _ units: Int, _ key: String, _ limiter: RateLimiter?, _ request: HTTPRequest,
        _ call: HTTPCall, _ next: any HTTPSession
    ) async throws -> RateClaim.Pass {
        guard let limiter else { return RateClaim.Pass() }
        let clock = call.clock
        let start = clock.now
        let timeOver = start + timeout
        let end = min(timeOver, request.deadline ?? timeOver)
        do {
            let pass = try await limiter.take(
                RateClaim(
                    key: key, units: units, tenant: request.tenant ?? "",
                    priority: request.priority, end: end, clock: clock,
                    closing: call.closing(over: next)))
            if pass.hasWaited {
                call.report(.layer(HTTPLimitEvent.held(.rate, for: clock.now - start)))
            }
            return pass
        } catch RateClaim.Refusal.timedOut where end < timeOver {
            throw call.deadlineError(phase: .queued).ending(request)
        } catch let refusal as RateClaim.Refusal {
            throw error(of: refusal, limiter.rate, end - start).ending(request)
        }
    }

    private func error(
        of refusal: RateClaim.Refusal, _ rate: HTTPRate, _ patience: Duration
    ) -> HTTPError {
        switch refusal {
        case .queueFull(let length):
            HTTPError(
                .queueFull,
                "\(length) requests wait already for the rate limit, as many as may: send fewer",
                phase: .queued)
        case .tooLong(let wait), .timedOut(let wait):
            HTTPError(
                .rateLimited,
                "the limit of \(rate.limit) in \(rate.period.readable) allows no request within "
                    + "\(patience.readable): send fewer, or come again later",
                phase: .queued, isRetryable: true, retryAfter: wait)
        case .storeFailed(let error):
            HTTPError(
                .sharedStoreFailed,
                "the store of the rate limit gave no decision, and the policy is to send nothing "
                    + "without one",
                phase: .queued, isRetryable: true, underlyingError: error)
        }
    }
}

extension RateLimit {
    /// The settings of a rate that several processes share.
    ///
    /// With a lease of 0, each request that does not wait costs one question, and requests that
    /// come during it share the next one. With a lease, a process takes so many units in advance,
    /// and gives back those that it does not use in time: most requests then cost no question, and
    /// a process may send its lease at once.
    public struct Sharing: Sendable {
        /// The behaviour without a decision of the store.
        public struct FailurePolicy: Sendable {
            enum Policy: Sendable {
                case admit
                case refuse
                /// The limit's own rate if `nil`.
                case limit(HTTPRate?)
            }

            let policy: Policy

            /// Requests go on as if there were no limit: the limit fails open.
            public static var admit: Self { Self(policy: .admit) }
            /// Requests fail with `sharedStoreFailed`: the limit fails closed.
            public static var refuse: Self { Self(policy: .refuse) }
            /// Each process limits its own requests, to the same rate.
            public static var limitLocally: Self { Self(policy: .limit(nil)) }
            /// Each process limits its own requests to this rate, such as its part of the whole.
            public static func limitLocally(to rate: HTTPRate) -> Self {
                Self(policy: .limit(rate))
            }
        }

        /// The store.
        public var store: any HTTPRateStore
        /// The units that are asked for in advance.
        public var lease: Int
        /// The time after which units of a lease that are not used are given back.
        public var leaseTime: Duration
        /// The longest wait for a decision of the store. After a failure, the store is left alone
        /// for a tenth of a second, and longer after each further one, up to a second.
        public var timeout: Duration
        /// The behaviour without a decision of the store.
        public var whenStoreFails: FailurePolicy

        /// Creates the settings. Each property is described there.
        public init(
            _ store: any HTTPRateStore, lease: Int = 0, leaseTime: Duration = .seconds(1),
            timeout: Duration = .milliseconds(100), whenStoreFails: FailurePolicy = .limitLocally
        ) {
            self.store = store
            self.lease = min(max(0, lease), 1 << 40)
            self.leaseTime = leaseTime
            self.timeout = timeout
            self.whenStoreFails = whenStoreFails
        }
    }
}

extension Error {
    /// Returns whether the error ended a request of which nothing was sent.
    ///
    /// - Parameter hasSent: `true` if a transport has begun to send for the call meanwhile.
    fileprivate func isBeforeSending(hasSent: Bool) -> Bool {
        reachedNoServer || self is CancellationError && !hasSent
    }
}
