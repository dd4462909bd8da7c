import Testing

@testable import HTTPTransportCurl

@Suite struct FreshStartsTests {
    @Test(arguments: FreshStart.allCases)
    func `each reason counts by itself, beside all others`(reason: FreshStart) {
        var starts = FreshStarts()
        for other in FreshStart.allCases where other != reason { _ = starts.begin(other) }
        #expect(!starts.contains(reason))
        let isFirst = starts.begin(reason)
        let isPermittedAgain = starts.begin(reason)
        #expect(isFirst)
        #expect(isPermittedAgain == (reason.isRepeatable || reason == .earlyInterim))
        #expect(starts.contains(reason) == (reason != .earlyInterim))
    }
}
