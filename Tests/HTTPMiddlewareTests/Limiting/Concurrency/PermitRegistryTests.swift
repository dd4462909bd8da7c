import HTTPCore
import TestSupport
import Testing

@testable import HTTPMiddleware

@Suite struct PermitRegistryTests {
    private let a: HTTPOrigin
    private let b: HTTPOrigin

    init() throws {
        a = try HTTPOrigin("http://a")
        b = try HTTPOrigin("http://b")
    }

    // MARK: A real limit

    @Test(.rows("B-9"))
    func `an origin at its limit does not hold up the others`() {
        var book = PermitRegistry(perOrigin: 1, total: 2, queueLimit: 9)
        #expect(book.request(1, a, .normal) == .granted)
        #expect(book.request(2, a, .normal) == .queued)
        #expect(book.request(3, b, .normal) == .granted)
        #expect(book.request(4, b, .normal) == .queued)
        #expect(book.release(b) == 4)
        #expect(book.release(a) == 2)
    }

    @Test(.rows("B-9"))
    func `the total binds all origins`() {
        var book = PermitRegistry(perOrigin: 9, total: 1, queueLimit: 9)
        #expect(book.request(1, a, .normal) == .granted)
        #expect(book.request(2, b, .normal) == .queued)
        #expect(book.release(a) == 2)
        #expect(book.release(b) == nil)
        #expect(book.runningCount == 0)
    }

    @Test(.rows("B-9"))
    func `priority goes first, then arrival`() {
        var book = PermitRegistry(perOrigin: 1, total: 1, queueLimit: 9)
        _ = book.request(1, a, .normal)
        for (id, priority) in [
            (2, .low), (3, .normal), (4, .high), (5, .high), (6, .normal),
        ] as [(UInt64, RequestPriority)] {
            #expect(book.request(id, a, priority) == .queued)
        }
        #expect((0..<6).map { _ in book.release(a) } == [4, 5, 3, 6, 2, nil])
    }

    @Test(.rows("B-9"))
    func `the queue is bounded, and a waiter that leaves makes room`() {
        var book = PermitRegistry(perOrigin: 1, total: 1, queueLimit: 1)
        _ = book.request(1, a, .normal)
        #expect(book.request(2, a, .normal) == .queued)
        #expect(book.request(3, a, .high) == .refused(length: 1))
        let withdrawn = [book.withdraw(2), book.withdraw(2)]
        #expect(withdrawn == [true, false])
        #expect(book.request(4, a, .normal) == .queued)
    }

    @Test(.rows("B-9"))
    func `random events never pass a limit nor lose a permit`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var book = PermitRegistry(perOrigin: 2, total: 3, queueLimit: 5)
            var running: [UInt64: HTTPOrigin] = [:]
            var waiting: [UInt64: HTTPOrigin] = [:]
            for id in UInt64(1)..<100 {
                switch Int.random(in: 0..<4, using: &random) {
                case 0, 1:
                    let origin = Bool.random(using: &random) ? a : b
                    switch book.request(id, origin, .normal) {
                    case .granted: running[id] = origin
                    case .queued: waiting[id] = origin
                    case .refused(let length): #expect(length == 5 && waiting.count == 5)
                    }
                case 2:
                    guard let (done, origin) = running.randomElement(using: &random) else { break }
                    running[done] = nil
                    if let next = book.release(origin) {
                        running[next] = waiting.removeValue(forKey: next)
                    }
                default:
                    guard let (gone, _) = waiting.randomElement(using: &random) else { break }
                    waiting[gone] = nil
                    let isWithdrawn = book.withdraw(gone)
                    #expect(isWithdrawn)
                }
                #expect(running.count <= 3 && running.count == book.runningCount)
                #expect(running.values.count { $0 == a } <= 2)
                #expect(waiting.count == book.waitingCount)
                if running.isEmpty { #expect(waiting.isEmpty) }
            }
        }
    }
}
