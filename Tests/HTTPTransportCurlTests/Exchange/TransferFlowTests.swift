import Testing

@testable import HTTPTransportCurl

@Suite struct TransferFlowTests {
    @Test func `a reader that is behind pauses reading until it resumes, once`() {
        var flow = TransferFlow()
        #expect(!flow.isReadingPaused && !flow.wasPaused)
        flow.pauseReceiving(isDelayed: false)
        #expect(flow.isReadingPaused && flow.wasPaused)
        let wasPaused = flow.resumeReceiving()
        let isPausedAgain = flow.resumeReceiving()
        #expect(wasPaused && !isPausedAgain && !flow.isReadingPaused)
        #expect(flow.wasPaused, "something may remain in the handle")
    }

    @Test func `what is held is read on only if the reader has caught up`() {
        var flow = TransferFlow()
        flow.hold()
        flow.pauseReceiving(isDelayed: true)
        let readsOn = flow.endHold()
        #expect(!readsOn && flow.isReadingPaused)
        _ = flow.resumeReceiving()
        #expect(!flow.isReadingPaused)
        flow.hold()
        let readsOnNow = flow.endHold()
        let again = flow.endHold()
        #expect(readsOnNow && !again)
    }

    @Test func `a delayed pause is due once, unless the reader has caught up or reading is held`() {
        var flow = TransferFlow()
        flow.pauseReceiving(isDelayed: true)
        let isDue = flow.takePauseDue()
        let again = flow.takePauseDue()
        #expect(isDue && !again)

        flow = TransferFlow()
        flow.pauseReceiving(isDelayed: true)
        _ = flow.resumeReceiving()
        let afterResumption = flow.takePauseDue()
        #expect(!afterResumption)

        flow = TransferFlow()
        flow.pauseReceiving(isDelayed: true)
        flow.hold()
        let whileHeld = flow.takePauseDue()
        #expect(!whileHeld)

        flow = TransferFlow()
        flow.pauseReceiving(isDelayed: false)
        let atOnce = flow.takePauseDue()
        #expect(!atOnce)
    }

    @Test func `both directions pause on their own`() {
        var flow = TransferFlow()
        flow.pauseSending()
        #expect(flow.isSendingPaused && !flow.isReadingPaused)
        let wasPaused = flow.resumeSending()
        let again = flow.resumeSending()
        #expect(wasPaused && !again)
    }
}
