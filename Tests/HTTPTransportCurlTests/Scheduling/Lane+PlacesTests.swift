import Testing

@testable import HTTPTransportCurl

@Suite struct LanePlacesTests {
    private let capacity = Lane.Places.capacity

    private static func entered(_ count: Int, _ places: inout Lane.Places) -> [Int] {
        (0..<count).map { _ in places.enter(sharing: false) }
    }

    @Test func `one pool after the other is filled`() {
        var places = Lane.Places(limit: 16)
        let pools = Self.entered(3 * capacity + 1, &places)
        #expect(pools == [0, 1, 2].flatMap { Array(repeating: $0, count: capacity) } + [3])
    }

    @Test func `a place that was left is taken before another pool is`() {
        var places = Lane.Places(limit: 16)
        _ = Self.entered(2 * capacity, &places)
        places.leave(1)
        places.leave(0)
        #expect(Self.entered(3, &places) == [0, 1, 2])
    }

    @Test func `exchanges that can share a connection do`() {
        var places = Lane.Places(limit: 16)
        for _ in 0..<(2 * capacity) { #expect(places.enter(sharing: true) == 0) }
        // They are connections to look through nevertheless.
        #expect(places.enter(sharing: false) == 1)
        for _ in 0..<(capacity + 1) { places.leave(0) }
        #expect(places.enter(sharing: false) == 0)
    }

    @Test(arguments: [1, 2, 16]) func `no more pools are used than there may be`(limit: Int) {
        var places = Lane.Places(limit: limit)
        let pools = Self.entered(20 * capacity, &places)
        #expect(Set(pools) == Set(0..<limit))
        #expect(pools.last == limit - 1)
        for pool in pools { places.leave(pool) }
        #expect(places.enter(sharing: false) == 0)
    }
}
