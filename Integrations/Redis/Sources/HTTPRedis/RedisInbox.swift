#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The commands that tasks hand to the thread of a connection, and the pipe that wakes it.
final class RedisInbox: Sendable {
    private struct State {
        var commands: [RedisCommand] = []
        /// The commands that the thread has taken and that are not complete.
        var underWay = 0
        var isClosed = false
        /// `true` if a byte is in the pipe.
        var isWoken = false
    }

    private let state = RedisState(State())
    private let limit: Int
    /// The end of the pipe that is readable when there is something to take.
    let wakeDescriptor: Int32
    private let wakingDescriptor: Int32

    init(limit: Int) throws(HTTPRedisError) {
        self.limit = limit
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { throw .notConnected("no pipe (errno \(errno))") }
        (wakeDescriptor, wakingDescriptor) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        _ = Self.close(wakeDescriptor)
        _ = Self.close(wakingDescriptor)
    }

    func add(_ command: RedisCommand) {
        let refusal: HTTPRedisError? = state.withLock { state in
            if state.isClosed { return .closed }
            guard state.commands.count + state.underWay < limit else { return .overloaded }
            state.commands.append(command)
            wake(&state)
            return nil
        }
        if let refusal { command.completion(.failure(refusal)) }
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            wake(&state)
        }
    }

    /// Takes all commands. Returns `nil` once the inbox is closed and empty.
    func take() -> [RedisCommand]? {
        state.withLock { state in
            if state.isWoken {
                var byte: UInt8 = 0
                _ = unsafe read(wakeDescriptor, &byte, 1)
                state.isWoken = false
            }
            guard !state.commands.isEmpty else { return state.isClosed ? nil : [] }
            defer { state.commands = [] }
            state.underWay += state.commands.count
            return state.commands
        }
    }

    /// Takes note of commands that are complete.
    func completed(_ count: Int) { state.withLock { $0.underWay -= count } }

    private func wake(_ state: inout State) {
        guard !state.isWoken else { return }
        var byte: UInt8 = 0
        state.isWoken = unsafe write(wakingDescriptor, &byte, 1) == 1
    }

    private static func close(_ descriptor: Int32) -> Int32 {
        #if canImport(Glibc)
            Glibc.close(descriptor)
        #elseif canImport(Musl)
            Musl.close(descriptor)
        #else
            Darwin.close(descriptor)
        #endif
    }
}
