import Testing

@testable import HTTPTransportCurl

@Suite struct TransferFlowTests {
    @Test func `a reader that is behind pauses reading until it resumes, once`() {
        var flow = TransferFlow()
        #expect(!flow.isReceivingPaused && !flow.wasPaused)
        flow.pauseReceiving()
        #expect(flow.isReceivingPaused && flow.wasPaused)
        let wasPaused = flow.resumeReceiving()
        let isPausedAgain = flow.resumeReceiving()
        #expect(wasPaused && !isPausedAgain && !flow.isReceivingPaused)
        #expect(flow.wasPaused, "something may remain in the handle")
    }

    @Test func `both directions pause on their own`() {
        var flow = TransferFlow()
        flow.pauseSending()
        #expect(flow.isSendingPaused && !flow.isReceivingPaused)
        let wasPaused = flow.resumeSending()
        let again = flow.resumeSending()
        #expect(wasPaused && !again)
    }
}
