import PortableLibc

/// The descriptors that the thread of a server waits for with poll(2): those of its connections,
/// its listener, and a pipe that wakes it.
///
/// One wait costs O(*n*) for *n* connections, in the kernel and here; that is enough for thousands.
struct PollSet: ~Copyable {
    private var listener: LoopbackSocket
    private var pipe: LoopbackSocket.Pipe
    /// The pipe, the listener, then the connections' descriptors.
    private var polled: [pollfd]
    /// The time at which to accept again, after the process has run out of descriptors.
    private var acceptsAgain: ContinuousClock.Instant?

    private static let fixedCount = 2
    /// The POLLRDHUP of Linux, which the C library declares for GNU sources only; no event on other
    /// systems, where a client's departure is noticed once its bytes are read.
    #if canImport(Darwin)
        static let readHangUp: Int32 = 0
    #else
        static let readHangUp: Int32 = 0x2000
    #endif

    init(_ listener: consuming LoopbackSocket, pipe: consuming LoopbackSocket.Pipe) {
        polled = [
            pollfd(fd: pipe.output.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        self.listener = listener
        self.pipe = pipe
    }

    /// The descriptor for ``LoopbackSocket/wake(_:)``.
    var wakeDescriptor: Int32 { pipe.input.descriptor }

    /// Waits for an event, for the deadline, or for a minute.
    mutating func wait(until deadline: ContinuousClock.Instant?) {
        var milliseconds: Int32 = -1
        if let deadline = earliest(deadline, acceptsAgain) {
            let left = max(.zero, deadline - .now) / .milliseconds(1)
            // Rounded up: waking a millisecond late is harmless, waking early would be a busy loop.
            milliseconds = Int32(min(left.rounded(.up), 60_000))
        }
        if unsafe poll(&polled, nfds_t(polled.count), milliseconds) < 0 {
            // Interrupted: the events are not known.
            for index in polled.indices { polled[index].revents = 0 }
        }
    }

    /// Returns `true` if the thread was woken since the last time.
    mutating func takeWakeUp() -> Bool {
        guard polled[0].revents != 0 else { return false }
        polled[0].revents = 0
        pipe.output.drain()
        return true
    }

    /// Accepts a connection. Returns `nil` if none waits.
    mutating func accept(now: ContinuousClock.Instant) -> LoopbackSocket? {
        let isDue = acceptsAgain.map { $0 <= now } ?? false
        guard isDue || polled[1].revents != 0 else { return nil }
        switch listener.accept() {
        case .connection(let socket): return socket
        case .nothing:
            acceptsAgain = nil
            polled[1].events = Int16(POLLIN)
        case .noDescriptors:
            // The connection stays in the backlog, where poll would report it again and again.
            acceptsAgain = now + .milliseconds(20)
            polled[1].events = 0
        }
        polled[1].revents = 0
        return nil
    }

    mutating func stopListening() {
        listener.shutDown()
        listener.close()
    }

    /// Closes the pipe. Its descriptor must not be used for waking any more.
    mutating func closePipe() {
        pipe.output.close()
        pipe.input.close()
    }
}

// MARK: - The connections' descriptors

extension PollSet {
    /// Returns the events of the last wait.
    func events(at index: Int) -> Int16 { polled[index + Self.fixedCount].revents }

    mutating func expect(_ events: Int16, at index: Int) {
        polled[index + Self.fixedCount].events = events
    }

    mutating func append(_ descriptor: pollfd) { polled.append(descriptor) }

    /// Removes the descriptor at `index`. The last one takes its place.
    mutating func swapRemove(at index: Int) {
        polled.swapAt(index + Self.fixedCount, polled.count - 1)
        polled.removeLast()
    }

    mutating func removeAll() { polled.removeSubrange(Self.fixedCount...) }
}

/// Returns the earlier of two moments.
func earliest(
    _ one: ContinuousClock.Instant?, _ other: ContinuousClock.Instant?
) -> ContinuousClock.Instant? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
}
