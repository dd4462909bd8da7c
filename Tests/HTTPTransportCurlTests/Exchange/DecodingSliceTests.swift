import Testing

@testable import HTTPTransportCurl

@Suite struct DecodingSliceTests {
    private static let limit = DecodingSlice.limit
    private static let floor = DecodingSlice.floor

    /// Returns, for each piece, `true` if the time of the slice is spent.
    private static func spent(_ pieces: [(count: Int, call: Int, time: Int64)]) -> [Bool] {
        var slice = DecodingSlice()
        return pieces.map {
            slice.excess(after: $0.count, in: $0.call, coded: 0, at: $0.time) == .time
        }
    }

    @Test func `a call may decode for as long as the limit, and no longer`() {
        let spent = Self.spent([
            (Self.floor, 1, 1000), (1, 1, 1000 + Self.limit), (1, 1, 1001 + Self.limit),
        ])
        #expect(spent == [false, false, true])
    }

    @Test func `the next call has a slice of its own`() {
        let spent = Self.spent([
            (Self.floor + 1, 1, 0), (1, 2, 2 * Self.limit), (Self.floor, 2, 3 * Self.limit),
            (1, 2, 3 * Self.limit + 1),
        ])
        #expect(spent == [false, false, false, true])
    }

    @Test func `a small piece is not ended for what another took`() {
        let spent = Self.spent([(1, 1, 0), (Self.floor - 1, 1, 100 * Self.limit)])
        #expect(spent == [false, false])
    }

    @Test func `a slice is used up by what a call brings, and whole again in the next`() {
        var slice = DecodingSlice()
        #expect(!slice.isUsedUp)
        _ = slice.excess(after: Self.floor, in: 1, coded: 0, at: 0)
        #expect(!slice.isUsedUp)
        _ = slice.excess(after: 1, in: 1, coded: 0, at: 0)
        #expect(slice.isUsedUp)
        _ = slice.excess(after: 1, in: 2, coded: 0, at: 0)
        #expect(!slice.isUsedUp)
    }

    /// The time that the reader of the pieces takes is not decoding time.
    @Test func `time between pieces that was not the library's does not count`() {
        var slice = DecodingSlice()
        var time: Int64 = 0
        var spent: [Bool] = []
        // Each piece takes the library a third of the limit, and its taker a hundred limits.
        for _ in 0..<5 {
            spent.append(slice.excess(after: Self.floor, in: 1, coded: 0, at: time) == .time)
            time += 100 * Self.limit
            slice.takeUp(at: time)
            time += Self.limit / 3
        }
        #expect(spent == [false, false, false, false, true])
    }

    @Test func `a call may bring as much as a read may become, and no more`() throws {
        let expansion = try #require(CurlConfiguration().maximumExpansion)
        // Older libraries end the call with the read after the one that used up the slice.
        #expect(Self.floor + Transfer.bufferSize * expansion <= DecodingSlice.ceiling)
        var slice = DecodingSlice()
        for call in 1...2 {
            #expect(slice.excess(after: DecodingSlice.ceiling, in: call, coded: 0, at: 0) == nil)
            #expect(slice.excess(after: 1, in: call, coded: 0, at: 0) == .length)
        }
    }

    @Test func `the length of a read starts anew with the next read, its time does not`() {
        var slice = DecodingSlice()
        let first = slice.excess(after: DecodingSlice.ceiling, in: 1, coded: 0, at: 0)
        let second = slice.excess(after: DecodingSlice.ceiling, in: 1, coded: 130_000, at: 0)
        #expect(first == nil && second == nil && slice.isUsedUp)
        let more = slice.excess(after: 1, in: 1, coded: 130_000, at: 0)
        #expect(more == .length)
        slice = DecodingSlice()
        _ = slice.excess(after: DecodingSlice.floor + 1, in: 1, coded: 0, at: 0)
        let late = slice.excess(after: 1, in: 1, coded: 1, at: DecodingSlice.limit + 1)
        #expect(late == .time)
    }
}
