#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The thread of a connection: it alone has the socket.
///
/// A lost connection is made again, after a time that doubles from 20 ms to 2 s. Commands that wait
/// for a reply then fail, since they may have been carried out; none is sent twice. A connection
/// that gives no reply for several times the timeout is given up.
// @unchecked: made by the connection, handed to the thread once, and used by that thread alone.
final class RedisLoop: @unchecked Sendable {
    /// A command that was written, in the order of the replies.
    private struct Sent {
        /// `nil` if its time was over before its reply, which is then dropped.
        var command: RedisCommand?
        /// The script that this command loads.
        var loads: RedisScript?
    }

    /// The time between two signs of life on a connection that only listens.
    private static let pingTime: Duration = .seconds(1)

    private let configuration: HTTPRedisConfiguration
    private let inbox: RedisInbox
    private let channel: String?
    private let push: @Sendable (Data?) -> Void

    private var socket: RedisSocket?
    private var isConnected = false
    private var isWritten = true
    private var isRefused: String?
    private var connectDeadline = RedisInstant.now
    private var failures = 0
    private var nextConnection = RedisInstant.now
    private var lastInput = RedisInstant.now
    private var lastPing = RedisInstant.now
    /// Commands that wait for a connection.
    private var waiting: [RedisCommand] = []
    private var sent: [Sent] = []
    /// The number of entries of `sent` that have their reply.
    private var answered = 0
    private var hashes: [RedisScript: Data] = [:]

    init(
        _ configuration: HTTPRedisConfiguration, _ inbox: RedisInbox, channel: String?,
        _ push: @escaping @Sendable (Data?) -> Void
    ) {
        self.configuration = configuration
        self.inbox = inbox
        self.channel = channel
        self.push = push
    }

    /// Starts the thread, which ends when the inbox is closed.
    func start() throws(HTTPRedisError) {
        let retained = unsafe Unmanaged.passRetained(self)
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        defer { unsafe pthread_attr_destroy(&attributes) }
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        // The thread takes over the reference that was retained for it.
        let result = unsafe pthread_create(&thread, &attributes, redisThread, retained.toOpaque())
        guard result == 0 else {
            unsafe retained.release()
            throw .notConnected("no thread (error \(result))")
        }
    }

    fileprivate func run() {
        while let commands = inbox.take() {
            waiting += commands
            let now = RedisInstant.now
            expire(at: now)
            if socket == nil, now >= nextConnection { connect(at: now) }
            if isConnected {
                for command in waiting { append(command) }
                waiting = []
                if channel != nil, now >= lastPing + Self.pingTime {
                    lastPing = now
                    append(["PING"])
                    isWritten = false
                }
            }
            write()
            wait()
        }
        fail(.closed)
    }

    // MARK: Connecting

    private func connect(at now: RedisInstant) {
        do throws(HTTPRedisError) {
            socket = try RedisSocket(configuration.address)
            connectDeadline = now + max(configuration.boundedTimeout, .seconds(1))
            isConnected = false
        } catch {
            disconnect("\(error)")
        }
    }

    /// Sends what a new connection begins with.
    private func begin() {
        isConnected = true
        lastInput = RedisInstant.now
        hashes = [:]
        if let password = configuration.password {
            let user = configuration.user.map { [$0] } ?? []
            append(["AUTH"] + user + [password])
        }
        if configuration.database != 0 { append(["SELECT", "\(configuration.database)"]) }
        if let channel {
            append(["SUBSCRIBE", channel])
        } else {
            for script in RedisScript.all {
                socket?.append(["SCRIPT", "LOAD", script.rawValue].map { Data($0.utf8) })
                sent.append(Sent(loads: script))
            }
        }
        isWritten = false
    }

    private func append(_ words: [String]) {
        socket?.append(words.map { Data($0.utf8) })
        sent.append(Sent())
    }

    private func append(_ command: RedisCommand) {
        var arguments = command.arguments
        if let script = command.script {
            arguments =
                if let hash = hashes[script] {
                    [Data("EVALSHA".utf8), hash] + arguments
                } else {
                    [Data("EVAL".utf8), Data(script.rawValue.utf8)] + arguments
                }
        }
        socket?.append(arguments)
        sent.append(Sent(command: command))
        isWritten = false
    }

    private func disconnect(_ reason: String) {
        socket = nil
        isConnected = false
        isWritten = true
        let lost = sent[answered...].compactMap(\.command)
        sent = []
        answered = 0
        for command in lost { command.completion(.failure(.notConnected(reason))) }
        inbox.completed(lost.count)
        isRefused = reason
        let delay = min(0.02 * Double(1 << min(failures, 10)), 2) * Double.random(in: 0.5...1)
        failures += 1
        nextConnection = RedisInstant.now + .seconds(delay)
    }

    // MARK: Time

    private func expire(at now: RedisInstant) {
        let late = waiting.filter { $0.deadline <= now }
        if !late.isEmpty {
            waiting.removeAll { $0.deadline <= now }
            for command in late {
                command.completion(.failure(isRefused.map { .notConnected($0) } ?? .timedOut))
            }
            inbox.completed(late.count)
        }
        // All commands have the same timeout, so the first ones are due first.
        for index in answered..<sent.count {
            guard let command = sent[index].command else { continue }
            guard command.deadline <= now else { break }
            sent[index].command = nil
            command.completion(.failure(.timedOut))
            inbox.completed(1)
        }
        let stall = max(configuration.boundedTimeout * 4, .seconds(1))
        if socket != nil, !isConnected, now >= connectDeadline {
            disconnect("connecting took too long")
        } else if isConnected, answered < sent.count, now - lastInput > stall {
            disconnect("no reply for too long")
        }
    }

    /// Returns the milliseconds until something is due, or -1.
    private func timeLeft() -> Int32 {
        var next: RedisInstant?
        func note(_ instant: RedisInstant) { next = min(next ?? instant, instant) }
        if let first = waiting.first { note(first.deadline) }
        if let first = sent[answered...].first(where: { $0.command != nil })?.command {
            note(first.deadline)
        }
        if socket == nil {
            note(nextConnection)
        } else if !isConnected {
            note(connectDeadline)
        } else if answered < sent.count {
            note(lastInput + max(configuration.boundedTimeout * 4, .seconds(1)))
        }
        if isConnected, channel != nil { note(lastPing + Self.pingTime) }
        guard let next else { return -1 }
        let milliseconds = (next - RedisInstant.now) / .milliseconds(1)
        return Int32(max(0, min(milliseconds.rounded(.up), 60_000)))
    }

    // MARK: Input and output

    private func write() {
        guard isConnected, !isWritten else { return }
        do throws(HTTPRedisError) {
            isWritten = try socket?.write() ?? true
        } catch {
            disconnect("\(error)")
        }
    }

    private func wait() {
        var events = [pollfd(fd: inbox.wakeDescriptor, events: Int16(POLLIN), revents: 0)]
        if let descriptor = socket?.descriptor {
            let writes = !isConnected || !isWritten ? Int16(POLLOUT) : 0
            events.append(pollfd(fd: descriptor, events: Int16(POLLIN) | writes, revents: 0))
        }
        guard unsafe poll(&events, nfds_t(events.count), timeLeft()) > 0, events.count > 1
        else { return }
        let seen = events[1].revents
        if !isConnected {
            guard seen != 0 else { return }
            guard connectionError == 0 else {
                return disconnect("refused (errno \(connectionError))")
            }
            begin()
            return
        }
        if seen & Int16(POLLIN | POLLHUP | POLLERR) != 0 { read() }
    }

    /// The pending error of the socket.
    private var connectionError: Int32 {
        guard let descriptor = socket?.descriptor else { return ENOTCONN }
        var error: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0
        else { return errno }
        return error
    }

    private func read() {
        guard let input = socket?.read() else { return }
        lastInput = RedisInstant.now
        for reply in input.replies { handle(reply) }
        if let failure = input.failure { disconnect(failure) }
    }

    private func handle(_ reply: RedisReply) {
        if channel != nil, let message = reply.array, message.first?.text == "message" {
            if message.count == 3, let bytes = message[2].bytes { push(bytes) }
            return
        }
        guard answered < sent.count else { return }
        let entry = sent[answered]
        answered += 1
        if answered == sent.count || answered > 4096 {
            sent.removeFirst(answered)
            answered = 0
        }
        if channel != nil, reply.array?.first?.text == "subscribe" {
            failures = 0
            return push(nil)
        }
        if let script = entry.loads {
            failures = 0
            hashes[script] = reply.bytes
            return
        }
        guard let command = entry.command else {
            // The first replies are those of AUTH and SELECT, and belong to no command.
            if case .error(let text) = reply, hashes.isEmpty { isRefused = text }
            return
        }
        if let script = command.script, case .error(let text) = reply, text.hasPrefix("NOSCRIPT") {
            // The server has lost its scripts and has not run this one.
            hashes[script] = nil
            return append(command)
        }
        failures = 0
        command.completion(.success(reply))
        inbox.completed(1)
    }

    private func fail(_ error: HTTPRedisError) {
        let all = waiting + sent[answered...].compactMap(\.command)
        (waiting, sent, answered) = ([], [], 0)
        socket = nil
        for command in all { command.completion(.failure(error)) }
        inbox.completed(all.count)
    }
}

/// The body of the thread.
private func redisThread(_ loop: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    // A socket that is gone is an error of `write`, not the end of the program.
    var signals = sigset_t()
    unsafe sigfillset(&signals)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    if let loop = unsafe loop {
        unsafe Unmanaged<RedisLoop>.fromOpaque(loop).takeRetainedValue().run()
    }
    return nil
}
