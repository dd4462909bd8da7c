import HTTPCore
import Testing

@testable import HTTPTransportCurl

@Suite struct SchedulerTests {
    private static func lane(limit: Int, waitingLimit: Int = 9) throws -> Lane {
        Lane(
            ConnectionRoute(origin: try HTTPOrigin("https://example.com/")), limit: limit,
            waitingLimit: waitingLimit)
    }

    @Test func `turns are given in the order of arrival, as many as the limit says`() throws {
        let lane = try Self.lane(limit: 2)
        var scheduler = Scheduler()
        let slots = (0..<4).map { _ in scheduler.add(in: lane) }
        #expect(slots == [0, 1, 2, 3])
        #expect(slots.map { scheduler.enter($0, in: lane) } == [.start, .start, .wait, .wait])
        #expect(scheduler.next() == nil)
        scheduler.remove(1)
        #expect(scheduler.hasChanged)
        #expect(scheduler.next() == 2 && scheduler.next() == nil && !scheduler.hasChanged)
        scheduler.limit(lane, to: 9)
        #expect(scheduler.next() == 3 && scheduler.next() == nil)
        for slot in [0, 2, 3] { scheduler.remove(slot) }
        #expect(scheduler.next() == nil && scheduler.isEmpty && lane.queue.isIdle)
    }

    @Test func `a number is used again once its exchange is gone`() throws {
        let lane = try Self.lane(limit: 9)
        var scheduler = Scheduler()
        for _ in 0..<3 { _ = scheduler.add(in: lane) }
        scheduler.remove(1)
        scheduler.remove(1)
        #expect(scheduler.add(in: lane) == 1 && scheduler.add(in: lane) == 3)
        #expect(!scheduler.isEmpty)
    }

    @Test func `an exchange that had its turn is not refused, and goes before the others`() throws {
        let lane = try Self.lane(limit: 1, waitingLimit: 1)
        var scheduler = Scheduler()
        let slots = (0..<3).map { _ in scheduler.add(in: lane) }
        #expect(slots.map { scheduler.enter($0, in: lane) } == [.start, .wait, .refuse])
        scheduler.withdraw(0)
        scheduler.close(lane)
        #expect(scheduler.enter(0, in: lane) == .wait)
        #expect(scheduler.next() == 0 && scheduler.next() == nil)
        // What already has its turn, or waits for it, does neither twice.
        #expect(scheduler.enter(0, in: lane) == .wait && scheduler.enter(1, in: lane) == .wait)
        #expect(lane.queue.active == 1 && lane.queue.waitingCount == 1)
    }

    @Test func `a refusal closes a lane until one of its exchanges has ended`() throws {
        let lane = try Self.lane(limit: 3)
        var scheduler = Scheduler()
        let slots = (0..<4).map { _ in scheduler.add(in: lane) }
        for slot in slots { _ = scheduler.enter(slot, in: lane) }
        scheduler.withdraw(0)
        scheduler.close(lane)
        #expect(scheduler.enter(0, in: lane) == .wait)
        #expect(scheduler.next() == nil && lane.queue.active == 2)
        scheduler.remove(1)
        #expect(scheduler.next() == 0 && scheduler.next() == nil)
    }

    @Test func `an idle lane knows nothing of its server any more`() throws {
        let lane = try Self.lane(limit: 3)
        var scheduler = Scheduler()
        let slot = scheduler.add(in: lane)
        _ = scheduler.enter(slot, in: lane)
        scheduler.limit(lane, to: 100)
        lane.isMultiplexed = false
        scheduler.withdraw(slot)
        #expect(lane.queue.limit == 100, "the exchange may come back at once")
        #expect(scheduler.next() == nil)
        #expect(lane.queue.limit == 3 && lane.isMultiplexed)
    }

    @Test func `an exchange may go to another lane`() throws {
        let lanes = [try Self.lane(limit: 1), try Self.lane(limit: 1)]
        var scheduler = Scheduler()
        let slots = (0..<2).map { _ in scheduler.add(in: lanes[0]) }
        #expect(slots.map { scheduler.enter($0, in: lanes[0]) } == [.start, .wait])
        scheduler.withdraw(1)
        #expect(scheduler.enter(1, in: lanes[1]) == .start)
        scheduler.remove(1)
        #expect(lanes.map(\.queue.active) == [1, 0])
    }
}
