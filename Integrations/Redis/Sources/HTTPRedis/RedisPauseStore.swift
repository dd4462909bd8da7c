import HTTPMiddleware

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The pauses in the server: one sorted set, and a channel on which each new one is published.
final class RedisPauseStore: HTTPPauseStore {
    private let connection: RedisConnection
    private let configuration: HTTPRedisConfiguration
    private var set: Data { Data("\(configuration.namespace):{pauses}".utf8) }
    private var channel: String { "\(configuration.namespace):pauses" }

    init(_ connection: RedisConnection, _ configuration: HTTPRedisConfiguration) {
        self.connection = connection
        self.configuration = configuration
    }

    func announce(_ pause: HTTPPause) async throws {
        let milliseconds = Int(
            min(max(0, pause.timeLeft / .milliseconds(1)), 1e12).rounded(.up))
        guard milliseconds > 0 else { return }
        _ = try await connection.run(
            .pause, keys: [set],
            [Data(pause.key.utf8), milliseconds.data, Data(channel.utf8)])
    }

    func announcements() -> AsyncStream<HTTPPause> {
        let (stream, reader) = AsyncStream<HTTPPause>.makeStream(
            bufferingPolicy: .bufferingNewest(1024))
        let subscription = try? RedisConnection(configuration, channel: channel) {
            [connection, set] message in
            if let message {
                if let pause = HTTPPause(message: message) { reader.yield(pause) }
                return
            }
            // Subscribed, for the first time or again: what was published meanwhile is in the set.
            Task.detached {
                for pause in await Self.underWay(connection, set) { reader.yield(pause) }
            }
        }
        guard let subscription else {
            reader.finish()
            return stream
        }
        // The connection ends with the reader.
        reader.onTermination = { _ in subscription.close() }
        return stream
    }

    private static func underWay(_ connection: RedisConnection, _ set: Data) async -> [HTTPPause] {
        guard let all = try? await connection.run(.pauses, keys: [set], []).array else { return [] }
        return stride(from: 0, to: all.count - 1, by: 2).compactMap { index in
            guard let key = all[index].text, let left = all[index + 1].text.flatMap(Int.init)
            else { return nil }
            return HTTPPause(key: key, timeLeft: .milliseconds(left))
        }
    }
}

extension HTTPPause {
    /// Reads a message: milliseconds, a blank, and the key.
    fileprivate init?(message: Data) {
        let text = String(decoding: message, as: UTF8.self)
        guard let blank = text.firstIndex(of: " "), let left = Int(text[..<blank]), left > 0
        else { return nil }
        self.init(
            key: String(text[text.index(after: blank)...]), timeLeft: .milliseconds(left))
    }
}
