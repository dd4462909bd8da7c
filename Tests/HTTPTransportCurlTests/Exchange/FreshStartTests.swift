import Testing

@testable import HTTPTransportCurl

@Suite struct FreshStartTests {
    @Test(arguments: FreshStart.allCases)
    func `each reason counts once, beside all others`(reason: FreshStart) {
        var reasons = FreshStart.Reasons(
            FreshStart.allCases.filter { $0 != reason }.map { FreshStart.Reasons($0) })
        let first = reasons.insert(FreshStart.Reasons(reason)).inserted
        let second = reasons.insert(FreshStart.Reasons(reason)).inserted
        #expect(first && !second)
    }
}
