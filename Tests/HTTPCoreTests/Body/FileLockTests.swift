import HTTPCore
import Testing

@Suite struct FileLockTests {
    /// A busy machine makes each wait longer than it was meant to be.
    @Test func `a lock is waited for by the clock, whatever the number of waits`() async throws {
        var attempts = 0
        // The patience ends within the first wait, after which there is one more attempt.
        let lock = try await FileLock.waiting(.milliseconds(300), every: .milliseconds(400)) {
            () throws(HTTPError) -> Int? in
            attempts += 1
            return attempts == 2 ? attempts : nil
        }
        #expect(lock == 2)
        let none = try await FileLock.waiting(.zero, every: .seconds(60)) {
            () throws(HTTPError) -> Int? in nil
        }
        #expect(none == nil)
    }
}
