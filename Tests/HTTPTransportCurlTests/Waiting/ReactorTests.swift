import CHTTPTransportCurl
import HTTPCore
import PortableLibc
import Testing

@testable import HTTPTransportCurl

/// The reactor without a loop: the test is its thread, and has the other ends of its sockets.
@Suite(.timeLimit(.minutes(5))) struct ReactorTests {
    private let mailbox: Mailbox
    private let reactor: Reactor

    init() throws {
        mailbox = try Mailbox()
        reactor = Reactor(mailbox)
    }

    /// Begins a turn. Returns the sockets that are ready.
    private func turn(until due: Int64 = .max) -> [Int32] {
        let count = reactor.wait(until: due)
        return (0..<count).compactMap { reactor.event($0)?.descriptor }
    }

    @Test func `a socket that is ready is for the pool that waits for it`() throws {
        let pair = try SocketPair()
        reactor.opened(pair.near)
        #expect(reactor.want(pair.near, CHTTP_POLL_IN, in: 3, watchesIdle: false))
        #expect(turn(until: 0).isEmpty)
        pair.send()
        #expect(turn() == [pair.near])
        #expect(reactor.pool(waitingFor: pair.near) == 3)
        #expect(reactor.want(pair.near, CHTTP_POLL_NONE, in: 3, watchesIdle: false))
        #expect(turn() == [pair.near])
        #expect(reactor.pool(waitingFor: pair.near) == nil)
        #expect(turn(until: 0).isEmpty, "it is not watched any more")
        #expect(reactor.turn.count == 4)
    }

    @Test func `what cannot be watched is told`() {
        reactor.opened(1 << 20)
        #expect(!reactor.want(1 << 20, CHTTP_POLL_IN, in: 0, watchesIdle: false))
        #expect(reactor.watch(-1, to: CHTTP_POLL_IN) != 0)
    }

    @Test func `a command wakes the loop, and a job runs in its turn`() async {
        #expect(mailbox.post(.release) == nil)
        #expect(turn().isEmpty)
        var commands: [LoopCommand] = []
        #expect(!reactor.endIfEmpty())
        reactor.takeWork(&commands)
        #expect(commands.count == 1)
        let executor = unsafe globalConcurrentExecutor.asUnownedTaskExecutor()
        #expect(mailbox.post(.release) == nil)
        let hasWork = unsafe reactor.runJobs(on: executor, &commands)
        #expect(hasWork && commands.count == 2, "what was taken before is kept")
        #expect(reactor.endIfEmpty())
        #expect(mailbox.post(.release)?.code == .sessionClosed)
        commands = []
        let hasMore = unsafe reactor.runJobs(on: executor, &commands)
        #expect(!hasMore && commands.isEmpty)
    }

    @Test func `a command that comes while the loop sleeps ends its wait`() async throws {
        let mailbox = mailbox
        let posting = Task.detached { mailbox.post(.release) }
        // Without the command, this would not return.
        var commands: [LoopCommand] = []
        while commands.isEmpty {
            _ = turn()
            reactor.takeWork(&commands)
        }
        #expect(await posting.value == nil)
    }

    @Test func `numbers are due in the order of their times, once each`() throws {
        let start = reactor.turn.now
        for (slot, due) in [(0, start - 1), (1, start - 3), (2, start - 2)] {
            reactor.wake(slot, at: due)
        }
        reactor.wake(3, at: start + 60_000_000_000)
        reactor.wake(4, at: start - 4)
        reactor.forget(4)
        #expect(turn(until: 0).isEmpty)
        #expect((0..<4).map { _ in reactor.popDue() } == [1, 2, 0, nil])
        reactor.wake(0, at: start)
        #expect(turn().isEmpty, "the wait ends when it is due")
        #expect(reactor.popDue() == 0 && reactor.popDue() == nil)
    }

    @Test func `a turn is full after its share of content, the next one is not`() {
        #expect(reactor.turn.progress(content: 1 << 20) == reactor.turn.now)
        #expect(!reactor.turn.isFull)
        reactor.turn.progress(content: 1)
        #expect(reactor.turn.isFull && reactor.turn.progressCount == 2)
        #expect(turn(until: 0).isEmpty)
        #expect(!reactor.turn.isFull)
    }

    private final class Held: Sendable {
        let suspensions = Locked<[Suspension]>([])

        func wait() async {
            await Suspension.wait { suspension in
                suspensions.withLock { $0.append(suspension) }
                return true
            }
        }
    }

    @Test(arguments: [1, 3])
    func `the tasks of a turn are resumed at its end`(count: Int) async {
        let held = Held()
        let tasks = (0..<count).map { _ in Task { await held.wait() } }
        while held.suspensions.withLock(\.count) < count { await Task.yield() }
        for suspension in held.suspensions.withLock(\.self) { reactor.turn.willResume(suspension) }
        reactor.turn.resumeTasks()
        for task in tasks { await task.value }
    }
}
