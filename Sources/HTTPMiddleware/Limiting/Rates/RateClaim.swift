import HTTPCore

/// A request for units of a rate.
struct RateClaim: Sendable {
    /// The way in which a request got its units.
    struct Pass: Hashable {
        var hasWaited = false
        /// `true` if the request asks the server anew for its limits: its end is to be reported
        /// with ``RateLimiter/note(_:for:underWay:isOfProbe:at:)`` or
        /// ``RateLimiter/probeFailed(_:)``.
        var isProbe = false
    }

    /// The reasons for which a request gets no units.
    enum Refusal: Error {
        case queueFull(Int)
        /// The units would be available after this time, which is longer than the request waits.
        case tooLong(Duration)
        /// The request has waited until its end. The units would be available after this time.
        case timedOut(Duration)
        case storeFailed(any Error)
    }

    var key: String
    var units: Int
    var tenant = ""
    var priority = RequestPriority.normal
    /// The time at which the request gives up.
    var end: HTTPInstant
    var clock: any HTTPClock
    /// `true` if the request may wait although the queue is full.
    var isBeyondLimit = false
    /// The closing that ends the wait.
    var closing: Closing?
}
