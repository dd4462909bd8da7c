import HTTPCore
import PortableFoundation
import Testing

@testable import HTTPRetry

@Suite struct RetryNoteTests {
    private let refusal = HTTPRetryEvent.Refusal(rawValue: "it is late")
    private let error = HTTPError(.connectionLost, "gone")

    @Test func `a call that was sent once, and is not refused anything, has no note`() {
        #expect(RetryNote(attempts: 1, refusal: nil) == nil)
        #expect(RetryNote(attempts: 1, refusal: nil, workFailure: "timedOut") == nil)
    }

    @Test(
        arguments: [
            (3, false, nil, "after 3 attempts: gone"),
            (1, true, nil, "gone; not sent again: it is late"),
            (2, true, nil, "after 2 attempts: gone; not sent again: it is late"),
            (
                2, false, "timedOut",
                "after 2 attempts: gone; the work before the last attempt: timedOut"
            ),
        ] as [(Int, Bool, String?, String)])
    func `the message says how many attempts there were, and why there was no other`(
        attempts: Int, isRefused: Bool, work: String?, message: String
    ) {
        let note = RetryNote(
            attempts: attempts, refusal: isRefused ? refusal : nil, workFailure: work)
        let noted = error.noting(note, timeline: nil)
        #expect(noted.message == message && noted.statement == "gone")
        #expect(noted.code == .connectionLost)
    }

    @Test func `a later note takes the place of an earlier one, so that it is said once`() {
        let first = error.noting(RetryNote(attempts: 2, refusal: refusal), timeline: nil)
        let second = first.noting(RetryNote(attempts: 3, refusal: nil), timeline: nil)
        #expect(second.message == "after 3 attempts: gone")
        #expect(second.noting(timeline: nil).message == second.message)
    }

    @Test func `the number of attempts is in a description once`() throws {
        let url = try URL(strictly: "https://h/")
        let noted = error.noting(RetryNote(attempts: 3, refusal: nil), timeline: nil)
        #expect(
            "\(noted.ending(url, attempt: 3))"
                == "connectionLost: after 3 attempts: gone; phase sending; https://h/")
        // Hops and requests with credentials are exchanges, too.
        #expect(
            "\(noted.ending(url, attempt: 5))"
                == "connectionLost: after 3 attempts: gone; phase sending; https://h/; attempt 5")
    }
}
