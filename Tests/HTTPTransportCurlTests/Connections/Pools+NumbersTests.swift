import Testing

@testable import HTTPTransportCurl

@Suite struct PoolsNumbersTests {
    @Test func `places have pools of their own, and so has each single exchange`() {
        var numbers = Pools.Numbers()
        #expect(numbers.shared(at: 0) == 0)
        #expect(numbers.takeSingle() == 1)
        #expect(numbers.shared(at: 1) == 2)
        #expect(numbers.takeSingle() == 3)
        #expect((0...1).map { numbers.shared(at: $0) } == [0, 2])
        #expect(numbers.count == 4)
        numbers.giveBack(1)
        #expect(numbers.takeSingle() == 1)
        #expect(numbers.takeSingle() == 4)
    }

    @Test func `a pool that is gone is made anew when it is needed`() {
        var numbers = Pools.Numbers()
        _ = numbers.shared(at: 1)
        numbers.giveBack(numbers.takeSingle())
        #expect(numbers.count == 3)
        numbers.removeLast()
        numbers.removeLast()
        #expect(numbers.count == 1)
        #expect(numbers.takeSingle() == 1)
        #expect(numbers.shared(at: 1) == 2)
        for _ in 0..<5 { numbers.removeLast() }
        #expect(numbers.count == 0)
        #expect(numbers.shared(at: 0) == 0)
    }
}
