import Testing

@testable import HTTPCaching

@Suite struct InvalidationsTests {
    private func key(_ number: Int) -> HTTPCacheKey {
        HTTPCacheKey(partition: "", url: "\(number)")
    }

    @Test func `a key is invalid for what began before, and valid for what began after`() {
        var invalidations = Invalidations()
        let before = invalidations.now
        invalidations.add(key(1))
        #expect(invalidations.contains(key(1), since: before))
        #expect(!invalidations.contains(key(2), since: before))
        #expect(!invalidations.contains(key(1), since: invalidations.now))
    }

    @Test func `keys that were forgotten count as invalid`() {
        var invalidations = Invalidations(capacity: 2)
        let before = invalidations.now
        for number in 1...3 { invalidations.add(key(number)) }
        for number in 1...4 { #expect(invalidations.contains(key(number), since: before)) }
        #expect(!invalidations.contains(key(1), since: invalidations.now))
    }

    @Test func `all keys can be invalidated at once`() {
        var invalidations = Invalidations()
        let before = invalidations.now
        invalidations.addAll()
        #expect(invalidations.contains(key(9), since: before))
        #expect(!invalidations.contains(key(9), since: invalidations.now))
    }
}
