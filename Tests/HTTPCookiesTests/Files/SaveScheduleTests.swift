import HTTPCore
import Testing

@testable import HTTPCookies

struct SaveScheduleTests {
    private func instant(_ seconds: Double) -> HTTPInstant {
        HTTPInstant(sinceStart: .seconds(seconds))
    }

    @Test func `a save is due a second after the last change`() {
        var schedule = SaveSchedule()
        #expect(schedule.due == nil)
        schedule.noteChange(at: instant(5))
        #expect(schedule.due == instant(6))
        schedule.noteChange(at: instant(5.5))
        #expect(schedule.due == instant(6.5))
        schedule.noteSave()
        #expect(schedule.due == nil)
    }

    @Test func `a stream of changes is saved every ten seconds`() {
        var schedule = SaveSchedule()
        for step in 0..<40 { schedule.noteChange(at: instant(Double(step) / 2)) }
        #expect(schedule.due == instant(10))
    }
}
