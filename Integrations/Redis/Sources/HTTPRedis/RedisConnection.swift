#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A connection to a server on a thread of its own, ``RedisLoop``.
///
/// Commands of all tasks are written as they come and answered in order (pipelining). Each command
/// fails when its time is over, whatever the connection does. The connection ends with its last
/// reference.
final class RedisConnection: Sendable {
    private let inbox: RedisInbox
    private let timeout: Duration

    /// - Parameters:
    ///   - channel: The channel to subscribe to, if the connection is for that alone.
    ///   - push: Receives the messages of the channel, and `nil` when the subscription has begun.
    init(
        _ configuration: HTTPRedisConfiguration, channel: String? = nil,
        push: @escaping @Sendable (Data?) -> Void = { _ in }
    ) throws(HTTPRedisError) {
        inbox = try RedisInbox(limit: configuration.pendingLimit)
        timeout = configuration.boundedTimeout
        try RedisLoop(configuration, inbox, channel: channel, push).start()
    }

    deinit { inbox.close() }

    /// Sends a command and returns its reply. An error that the server replies is thrown.
    ///
    /// Cancelling the calling task has no effect: the reply comes, or the time is over, soon.
    func send(_ arguments: [Data]) async throws(HTTPRedisError) -> RedisReply {
        try await send(arguments, nil)
    }

    /// Runs a script.
    func run(
        _ script: RedisScript, keys: [Data], _ arguments: [Data]
    ) async throws(HTTPRedisError) -> RedisReply {
        try await send([Data("\(keys.count)".utf8)] + keys + arguments, script)
    }

    private func send(
        _ arguments: [Data], _ script: RedisScript?
    ) async throws(HTTPRedisError) -> RedisReply {
        let deadline = RedisInstant.now + timeout
        let result = await withCheckedContinuation { continuation in
            inbox.add(
                RedisCommand(
                    arguments: arguments, script: script, deadline: deadline,
                    completion: { continuation.resume(returning: $0) }))
        }
        let reply = try result.get()
        if case .error(let text) = reply { throw .refused(text) }
        return reply
    }

    /// Ends the connection. Commands that wait fail with `closed`.
    func close() { inbox.close() }
}

/// A command that a task waits for. Its completion is called once.
struct RedisCommand: Sendable {
    /// The words of the command, or those after the script.
    var arguments: [Data]
    var script: RedisScript?
    var deadline: RedisInstant
    var completion: @Sendable (Result<RedisReply, HTTPRedisError>) -> Void
}

/// A moment on the monotonic clock.
struct RedisInstant: Comparable, Sendable {
    private static let start = ContinuousClock().now

    var sinceStart: Duration

    static var now: Self { Self(sinceStart: start.duration(to: ContinuousClock().now)) }
    static func < (a: Self, b: Self) -> Bool { a.sinceStart < b.sinceStart }
    static func + (a: Self, b: Duration) -> Self { Self(sinceStart: a.sinceStart + b) }
    static func - (a: Self, b: Self) -> Duration { a.sinceStart - b.sinceStart }
}
