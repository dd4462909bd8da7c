import HTTPCore
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPCookies
import PortableFoundation

/// The time at which a jar saves, on a test's clock, and what happens when it cannot.
@Suite(.timeLimit(.minutes(5))) struct HTTPCookieJarSavingTests {
    typealias Cookie = HTTPCookieJar.Cookie

    private let clock = HTTPTestClock()
    private let folder: CookieFolder
    private let jar: HTTPCookieJar

    init() throws {
        folder = try CookieFolder()
        jar = try .file(at: folder.path, clock: clock)
    }

    private func cookie(_ name: String) throws -> Cookie {
        try Cookie(
            name, "1", domain: "example.com", expires: clock.date.addingTimeInterval(1_000))
    }

    @Test func `a jar saves a second after its last change`() async throws {
        jar.set(try cookie("a"))
        try await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(600))
        jar.set(try cookie("b"))
        clock.advance(by: .milliseconds(400))
        // The task has woken at the time of the first change, and sleeps again.
        try await clock.waitForSleepers(1)
        #expect(folder.text == nil)
        clock.advance(by: .milliseconds(600))
        await jar.backgroundTask?.value
        #expect(folder.lines.count == 2 && clock.sleeperCount == 0)
        jar.set(try cookie("c"))
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(1))
        await jar.backgroundTask?.value
        #expect(folder.lines.count == 3)
    }

    @Test func `a stream of changes is saved after ten seconds`() async throws {
        for step in 0..<20 {
            jar.set(try cookie("n\(step)"))
            try await clock.waitForSleepers(1)
            #expect(folder.text == nil)
            clock.advance(by: .milliseconds(500))
        }
        await jar.backgroundTask?.value
        #expect(folder.lines.count == 20)
    }

    @Test func `sending a cookie is no change`() async throws {
        jar.set(try cookie("a"))
        try await clock.waitForSleepers(1)
        try await jar.save()
        clock.advance(by: .seconds(1))
        await jar.backgroundTask?.value
        #expect(try jar.field(for: "https://example.com/") == "a=1")
        _ = jar.cookies
        jar.removeAll { _ in false }
        #expect(clock.sleeperCount == 0)
    }

    @Test func `a failed save is reported, and tried again with the next change`() async throws {
        jar.set(try cookie("a"))
        try await clock.waitForSleepers(1)
        // A folder in place of the temporary file, which not even root can replace.
        let obstacle = folder.folder + "/.cookies.txt.http-cookies"
        try FileManager.default.createDirectory(
            atPath: obstacle, withIntermediateDirectories: false)
        clock.advance(by: .seconds(1))
        await jar.backgroundTask?.value
        #expect(jar.lastSaveError?.code == .cookiesNotSaved && folder.text == nil)
        await #expect(throws: HTTPError.self) { try await jar.save() }
        await #expect(throws: HTTPError.self) { try await jar.close() }
        #expect(jar.pairs == ["a=1"])
        try FileManager.default.removeItem(atPath: obstacle)
        jar.set(try cookie("b"))
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(1))
        await jar.backgroundTask?.value
        #expect(jar.lastSaveError == nil && folder.lines.count == 2)
    }

    @Test func `a closed jar has saved, and saves no more`() async throws {
        jar.set(try cookie("a"))
        try await clock.waitForSleepers(1)
        try await jar.close()
        #expect(folder.lines.count == 1 && clock.sleeperCount == 0)
        jar.set(try cookie("b"))
        try await jar.save()
        try await jar.close()
        #expect(jar.count == 2 && folder.lines.count == 1 && clock.sleeperCount == 0)
    }

    @Test func `a save that waits while the jar is closed does nothing`() async throws {
        jar.set(try cookie("a"))
        // In place of another save, which has the turn.
        jar.state.withLock { $0.saving.isSaving = true }
        let task = Task { try await jar.save() }
        while jar.state.withLock({ $0.saving.turns.isEmpty }) { await Task.yield() }
        let turn = jar.state.withLock { state in
            state.saving.isClosed = true
            return state.saving.turns.removeFirst()
        }
        turn.resume()
        try await task.value
        #expect(folder.names.isEmpty && jar.state.withLock { !$0.saving.isSaving })
    }

    @Test func `no save goes on after the jar is closed`() async throws {
        let lock = try await LockFile.taking(folder.path + ".lock", within: .seconds(60))
        jar.set(try cookie("a"))
        let closing = Task { try await jar.close() }
        while jar.state.withLock({ !$0.saving.isSaving }) { await Task.yield() }
        let saves = (0..<4).map { _ in Task { try await jar.save() } }
        while jar.state.withLock({ $0.saving.turns.count < 4 }) { await Task.yield() }
        lock.release()
        try await closing.value
        for save in saves { try await save.value }
        #expect(folder.lines.count == 1 && jar.lastSaveError == nil)
    }

    @Test func `a cancelled task still saves`() async throws {
        jar.set(try cookie("a"))
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await jar.save()
        }
        try await task.value
        #expect(folder.lines.count == 1)
    }

    @Test func `a released jar leaves no task, and its changes are written`() async throws {
        let other = try CookieFolder()
        var released: HTTPCookieJar? = try .file(at: other.path, clock: clock)
        released?.set(try cookie("a"))
        try await clock.waitForSleepers(1)
        weak let weakly = released
        let task = released?.backgroundTask
        released = nil
        #expect(weakly == nil)
        await task?.value
        #expect(clock.sleeperCount == 0)
        try await patiently(from: .milliseconds(50)) { limit in
            let end = ContinuousClock.now + limit
            while other.lines.count < 1 {
                guard ContinuousClock.now < end else { throw TooSoon("not written") }
                await Task.yield()
            }
        }
    }

    @Test func `a lock that another process holds ends the wait in time`() async throws {
        var file = CookieFile(path: folder.path, format: .netscape, keepsSessionCookies: false)
        #expect(file.patience == .seconds(10))
        file.patience = .milliseconds(1)
        let lock = try await LockFile.taking(folder.path + ".lock", within: .seconds(60))
        let memory = CookieFile.Memory(
            cookies: [try cookie("a")], journal: CookieJournal(), stamp: nil, now: testDate)
        await #expect(throws: HTTPError.self) { _ = try await file.synchronize(memory) }
        lock.release()
        file.patience = .seconds(60)
        #expect(try await file.synchronize(memory).cookies.count == 1)
    }
}
