import HTTPCore
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

@Suite struct InflowTests {
    private static func inflow(_ counts: Int...) -> Inflow {
        var inflow = Inflow(highWater: 100, lowWater: 40)
        for (number, count) in counts.enumerated() {
            inflow.append(Data(repeating: UInt8(number), count: count))
        }
        return inflow
    }

    @Test func `pieces come out in order, unchanged, and count`() {
        var inflow = Self.inflow(3, 1, 2)
        #expect(inflow.buffered == 6)
        #expect(inflow.take()?.piece == Data([0, 0, 0]))
        inflow.append(Data([9]))
        #expect(inflow.take()?.piece == Data([1]))
        #expect(inflow.take()?.piece == Data([2, 2]))
        #expect(inflow.take()?.piece == Data([9]))
        #expect(inflow.take() == nil)
        #expect(inflow.buffered == 0)
    }

    @Test func `an empty piece is none`() {
        var inflow = Self.inflow(0)
        #expect(inflow.take() == nil)
    }

    @Test func `a pause ends once, when the reader is down to the low mark`() {
        var inflow = Self.inflow(50, 40, 20, 20)
        #expect(inflow.paused() == false)
        #expect(inflow.isPaused)
        #expect(inflow.take()?.resume == false)
        #expect(inflow.take()?.resume == true, "40 are left")
        #expect(!inflow.isPaused)
        #expect(inflow.take()?.resume == false)
        #expect(inflow.take()?.resume == false)
    }

    @Test func `without a pause nothing is resumed`() {
        var inflow = Self.inflow(200)
        #expect(inflow.take()?.resume == false)
    }

    @Test(arguments: [(39, true), (40, true), (41, false)])
    func `a reader that has caught up meanwhile ends the pause at once`(left: Int, resumes: Bool) {
        var inflow = Self.inflow(left)
        #expect(inflow.paused() == resumes)
        #expect(inflow.isPaused == !resumes)
    }

    @Test func `with a low mark of zero only an empty queue resumes`() {
        var inflow = Inflow(highWater: 1, lowWater: 0)
        inflow.append(Data([1]))
        inflow.append(Data([2]))
        #expect(inflow.paused() == false)
        #expect(inflow.take()?.resume == false)
        #expect(inflow.take()?.resume == true)
    }

    @Test func `what was dropped does not come out`() {
        var inflow = Self.inflow(60, 60)
        inflow.removeAll()
        #expect(inflow.buffered == 0)
        #expect(inflow.take() == nil)
    }

    @Test func `a queue that never empties does not grow`() throws {
        var inflow = Self.inflow(1, 1, 1)
        for _ in 0..<10_000 {
            inflow.append(Data([7]))
            #expect(inflow.take() != nil)
        }
        #expect(inflow.buffered == 3)
        #expect(places(in: inflow) < 200)
    }

    /// Each pause is answered by exactly one resumption, and the sum is right, whatever happens.
    @Test(arguments: 0..<10 as Range<UInt64>)
    func `each pause ends exactly once`(seed: UInt64) {
        var random = SeededRandom(seed)
        var inflow = Inflow(highWater: 100, lowWater: 40)
        var (count, loopIsPaused) = (0, false)
        for _ in 0..<3000 {
            if Bool.random(using: &random), !loopIsPaused {
                let size = Int.random(in: 1...60, using: &random)
                inflow.append(Data(count: size))
                count += size
                if count >= 100 { loopIsPaused = !inflow.paused() }
            } else if let (piece, resume) = inflow.take() {
                count -= piece.count
                #expect(resume == (loopIsPaused && count <= 40))
                if resume { loopIsPaused = false }
            } else {
                #expect(count == 0)
                #expect(!loopIsPaused, "paused with nothing to read would be for ever")
            }
            #expect(inflow.buffered == count)
            #expect(inflow.isPaused == loopIsPaused)
        }
    }
}
