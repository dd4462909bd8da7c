import HTTPCore
import TestSupport
import Testing

@testable import HTTPClientKit

@Suite struct MissingRangesTests {
    private func bounds(_ missing: MissingRanges) -> [Range<Int64>] {
        missing.gaps.map { $0.start..<$0.end }
    }

    private func taken(
        _ missing: inout MissingRanges, among idle: Int = 1
    ) throws -> MissingRanges.Gap {
        let gap = missing.take(among: idle)
        return try #require(gap)
    }

    // MARK: Taking

    @Test(.rows("S1-31"), arguments: 1...16)
    func `workers that start together get equal shares`(count: Int) throws {
        var missing = MissingRanges(of: 16_000, arrived: [], shortest: 10)
        for index in 0..<count { _ = try taken(&missing, among: count - index) }
        #expect(missing.gaps.count == count)
        let lengths = missing.gaps.map { $0.end - $0.start }
        #expect(try #require(lengths.max()) - #require(lengths.min()) <= 16)
    }

    @Test(.rows("S1-31"))
    func `a free gap is taken first, then half of the longest one`() throws {
        var missing = MissingRanges(of: 1000, arrived: [0..<100, 300..<900], shortest: 10)
        #expect(bounds(missing) == [100..<300, 900..<1000])
        #expect(missing.take()?.start == 100)
        #expect(missing.take()?.start == 900)
        #expect(missing.take()?.start == 200)
        #expect(bounds(missing) == [100..<200, 200..<300, 900..<1000])
    }

    @Test(.rows("S1-31"))
    func `no part of a split gap is shorter than the shortest range`() throws {
        var missing = MissingRanges(of: 199, arrived: [], shortest: 100)
        let first = try taken(&missing, among: 2)
        #expect(missing.take() == nil, "a part of 99 bytes is too short")
        #expect(missing[first.id]?.end == 199)

        missing = MissingRanges(of: 200, arrived: [], shortest: 100)
        _ = missing.take(among: 16)
        #expect(missing.take(among: 15)?.start == 100)
        #expect(missing.take(among: 14) == nil)
    }

    @Test(.rows("S1-31"))
    func `bytes that are being written are not given away`() throws {
        var missing = MissingRanges(of: 100, arrived: [], shortest: 10)
        let first = try taken(&missing)
        #expect(missing.begin(first.id) == true)
        #expect(missing.claim(60, of: first.id, until: 100) == 60)
        #expect(missing.take()?.start == 80)
        #expect(missing.arrivedBytes == 0)
        #expect(missing.commit(first.id, until: 100) == true)
        #expect(missing.arrived == [0..<60])
    }

    // MARK: Streams

    @Test(.rows("S1-31"))
    func `a stream continues into the next gap until bytes of that one arrive`() throws {
        var missing = MissingRanges(of: 100, arrived: [], shortest: 10)
        let first = try taken(&missing)
        let second = try taken(&missing)
        #expect(missing.begin(first.id) == true)
        #expect(missing.claim(60, of: first.id, until: 100) == 60)
        #expect(missing.commit(first.id, until: 100) == true)
        #expect(missing.begin(second.id) == false, "its gap has been taken over")
        #expect(missing[second.id] == nil)

        let third = try taken(&missing)
        #expect(third.start == 80)
        #expect(missing.begin(third.id) == true)
        #expect(missing.claim(40, of: first.id, until: 100) == 20)
        #expect(missing.commit(first.id, until: 100) == false)
        #expect(missing.arrived == [0..<80])
    }

    @Test(.rows("S1-31"))
    func `a stream continues only as far as it reaches`() throws {
        var missing = MissingRanges(of: 100, arrived: [], shortest: 10)
        let first = try taken(&missing)
        _ = missing.take()
        #expect(missing.begin(first.id) == true)
        #expect(missing.claim(50, of: first.id, until: 50) == 50)
        #expect(missing.commit(first.id, until: 50) == false)
        #expect(bounds(missing) == [50..<100])
    }

    @Test(.rows("S1-31"))
    func `a broken stream leaves its gap to its worker, one that was given up to all`() throws {
        var missing = MissingRanges(of: 100, arrived: [], shortest: 60)
        let first = try taken(&missing)
        #expect(missing.begin(first.id) == true)
        #expect(missing.claim(30, of: first.id, until: 100) == 30)
        missing.interrupt(first.id)
        #expect(missing[first.id]?.start == 0, "claimed bytes were not written")
        #expect(missing.take() == nil)
        missing.giveUp(first.id)
        #expect(missing.take()?.id == first.id)
    }

    @Test(.rows("S1-31"))
    func `a stream that has dropped bytes does not go on when its neighbour breaks`() throws {
        var missing = MissingRanges(of: 100, arrived: [], shortest: 10)
        let first = try taken(&missing)
        let second = try taken(&missing)
        #expect(missing.begin(first.id) && missing.begin(second.id))
        let room = Int(second.start - first.start)
        #expect(missing.claim(room + 5, of: first.id, until: 100) == room)
        // The second stream breaks before its first byte, while the bytes of the first are written.
        missing.interrupt(second.id)
        #expect(missing.commit(first.id, until: 100) == false, "5 bytes are lost to it")
        #expect(bounds(missing) == [second.start..<100])
    }

    // MARK: Any order

    /// A model of the workers: random requests, streams that end, break, or bring less than was
    /// requested, and workers that leave.
    @Test(.rows("S1-31"), arguments: 0..<200 as Range<UInt64>)
    func `each byte is written exactly once, whatever happens`(seed: UInt64) throws {
        enum Worker {
            case requested(Int, Range<Int64>)
            case flowing(Int, at: Int64, end: Int64)
        }
        var random = SeededRandom(seed)
        let length = Int64.random(in: 1...300, using: &random)
        var writes = [Int](repeating: 0, count: Int(length))
        var left: [Range<Int64>] = []
        if Bool.random(using: &random), length > 20 { left = [0..<5, 9..<12] }
        for range in left { for byte in range { writes[Int(byte)] += 1 } }
        var missing = MissingRanges(
            of: length, arrived: left, shortest: Int64.random(in: 1...40, using: &random))
        var workers: [Worker] = []
        var steps = 0
        while !missing.isEmpty {
            steps += 1
            try #require(steps < 100_000)
            if workers.isEmpty || workers.count < 6 && Int.random(in: 0..<4, using: &random) == 0 {
                if let gap = missing.take(among: Int.random(in: 1...3, using: &random)) {
                    #expect(gap.use == .requested)
                    workers.append(.requested(gap.id, gap.start..<gap.end))
                }
            }
            guard let index = workers.indices.randomElement(using: &random) else { continue }
            switch workers[index] {
            case .requested(let id, let range):
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    missing.giveUp(id)
                    workers.remove(at: index)
                case _ where missing.begin(id):
                    // Fewer bytes than were requested, or more.
                    let end =
                        switch Int.random(in: 0..<4, using: &random) {
                        case 0:
                            Int64.random(
                                in: range.lowerBound + 1...range.upperBound, using: &random)
                        case 1: length
                        default: range.upperBound
                        }
                    #expect(missing[id]?.start == range.lowerBound)
                    workers[index] = .flowing(id, at: range.lowerBound, end: end)
                default: workers.remove(at: index)
                }
            case .flowing(let id, let offset, let end):
                let count = Int.random(in: 1...50, using: &random)
                let arrived = min(count, Int(end - offset))
                let wanted = missing.claim(arrived, of: id, until: end)
                // While the bytes are written, other streams break.
                for other in workers.indices.reversed() where other != index {
                    guard case .flowing(let otherID, _, _) = workers[other],
                        Int.random(in: 0..<4, using: &random) == 0
                    else { continue }
                    missing.interrupt(otherID)
                    guard let gap = missing[otherID] else { continue }
                    workers[other] = .requested(otherID, gap.start..<gap.end)
                }
                if Int.random(in: 0..<10, using: &random) == 0 {
                    missing.interrupt(id)
                    if let gap = missing[id] {
                        workers[index] = .requested(id, gap.start..<gap.end)
                    } else {
                        workers.remove(at: index)
                    }
                    continue
                }
                for byte in offset..<offset + Int64(wanted) { writes[Int(byte)] += 1 }
                let goesOn = missing.commit(id, until: end)
                let next = offset + Int64(wanted)
                if goesOn, next < end {
                    #expect(wanted == arrived, "a stream with more to write has written all")
                    workers[index] = .flowing(id, at: next, end: end)
                } else {
                    // The worker requests the rest of its gap.
                    if let gap = missing[id] {
                        missing.interrupt(id)
                        workers[index] = .requested(id, gap.start..<gap.end)
                    } else {
                        workers.remove(at: index)
                    }
                }
            }
            check(missing, writes)
        }
        #expect(writes.allSatisfy { $0 == 1 })
        #expect(missing.arrived == [0..<length])
        #expect(missing.arrivedBytes == length)
    }

    private func check(_ missing: MissingRanges, _ writes: [Int]) {
        var end: Int64 = 0
        for gap in missing.gaps {
            #expect(end <= gap.start && gap.start <= gap.claimed && gap.claimed <= gap.end)
            #expect(gap.start < gap.end)
            end = gap.end
        }
        let arrived = missing.arrived
        #expect(arrived.reduce(0) { $0 + Int64($1.count) } == missing.arrivedBytes)
        let isArrived = writes.indices.map { byte in arrived.contains { $0.contains(Int64(byte)) } }
        #expect(isArrived == writes.map { $0 == 1 })
        let copy = MissingRanges(of: missing.length, arrived: arrived, shortest: 1)
        #expect(copy.arrived == arrived)
    }
}
