import HTTPCore
import Testing
import PortableFoundation
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

    @Test func `a URL is invalid in all partitions for what was requested before`() {
        var invalidations = Invalidations(capacity: 2)
        func response(_ second: Double) -> HTTPStoredResponse {
            HTTPStoredResponse(
                id: "1", status: .ok, headers: [:],
                requestDate: Date(timeIntervalSince1970: second),
                responseDate: Date(timeIntervalSince1970: second))
        }
        func count(_ url: String, _ seconds: Double...) -> Int {
            let key = HTTPCacheKey(partition: "p", url: url)
            return invalidations.usable(seconds.map(response), for: key).count
        }
        invalidations.add(url: "a", at: Date(timeIntervalSince1970: 10))
        #expect(count("a", 9, 10, 11) == 2)
        #expect(count("b", 9, 10, 11) == 3)
        invalidations.add(url: "b", at: Date(timeIntervalSince1970: 11))
        invalidations.add(url: "c", at: Date(timeIntervalSince1970: 12))
        #expect(count("d", 9, 10, 12) == 1, "dates that were forgotten count for all URLs")
    }

    @Test func `an earlier date takes back no later one`() {
        let key = HTTPCacheKey(partition: "", url: "a")
        let response = HTTPStoredResponse(
            id: "1", status: .ok, headers: [:], requestDate: Date(timeIntervalSince1970: 80),
            responseDate: Date(timeIntervalSince1970: 80))
        for others in [0, 3] {
            var invalidations = Invalidations(capacity: 2)
            invalidations.add(url: "a", at: Date(timeIntervalSince1970: 100))
            invalidations.add(url: "a", at: Date(timeIntervalSince1970: 50))
            for other in 0..<others {
                invalidations.add(url: "\(other)", at: Date(timeIntervalSince1970: 50))
            }
            #expect(invalidations.usable([response], for: key).isEmpty, "\(others)")
        }
    }

    @Test func `all keys can be invalidated at once`() {
        var invalidations = Invalidations()
        let before = invalidations.now
        invalidations.addAll()
        #expect(invalidations.contains(key(9), since: before))
        #expect(!invalidations.contains(key(9), since: invalidations.now))
    }
}
