/// A time that a server asks for, cut to a limit: a wait before the next request, or the time for
/// which something that the server has said holds.
///
/// A server may ask for any number of seconds, by mistake or on purpose. Every layer therefore
/// takes such a time through this type. After a wait that was cut, one request asks the server
/// anew, and what it has said is forgotten after the cut time.
@usableFromInline package struct ServerTime: Hashable, Sendable {
    /// The time that is granted: never negative, and at most the limit.
    package let granted: Duration
    /// `true` if the server has asked for more.
    package let isCut: Bool

    /// Creates the part of a time that is granted.
    ///
    /// - Parameters:
    ///   - asked: The time that the server asks for.
    ///   - limit: The longest time that is granted; zero if it is negative.
    package init(_ asked: Duration, atMost limit: Duration) {
        let limit = max(.zero, limit)
        granted = min(max(.zero, asked), limit)
        isCut = asked > limit
    }
}

/// The limits, unless a policy is told another one.
extension ServerTime {
    /// The longest wait of one call for its own response: for the next attempt, hop or connection.
    @usableFromInline package static var longestWait: Duration { .seconds(60) }
    /// The longest time for which an origin gets no request of any call.
    @usableFromInline package static var longestPause: Duration { .seconds(300) }
    /// The longest time for which an announcement of another server holds, such as `Alt-Svc`.
    package static var longestAnnouncement: Duration { .seconds(30 * 86_400) }
    /// The longest time for which a stored response is fresh, or is used stale.
    package static var longestFreshness: Duration { .seconds(365 * 86_400) }
    /// The longest life of a credential, which a server can end at any time by refusing it.
    package static var longestCredentialLife: Duration { .seconds(3650 * 86_400) }
    /// The longest life of a cookie (RFC 6265bis §5.5).
    package static var longestCookieLife: Duration { .seconds(400 * 86_400) }
}
