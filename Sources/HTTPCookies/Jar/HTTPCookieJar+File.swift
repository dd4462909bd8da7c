public import HTTPCore
public import PortableFoundation

extension HTTPCookieJar {
    /// The state of a jar that belongs to its file.
    struct SavingState: Sendable {
        var schedule = SaveSchedule()
        /// The identity of the file as this jar knows it.
        var stamp: FileStamp?
        var readFlaws: [FileFlaw] = []
        var lastError: HTTPError?
        var isClosed = false
        /// `true` while the background task exists.
        var isRunning = false
        /// The background task, for its cancellation.
        var task: Task<Void, Never>?
        /// `true` while a save runs. The others wait in ``turns``.
        var isSaving = false
        var turns: [Waiter<Void>] = []
    }

    /// Creates a jar whose cookies are in a file, and reads the file. The file is created with the
    /// first cookie; only its owner may read it.
    ///
    /// Changes are written one second after the last one, and at the latest ten seconds after the
    /// first. Call ``close()`` before the program ends, because the last changes would be lost.
    ///
    /// Several jars can have the same file, also in different processes, and each keeps the others'
    /// cookies. A jar sees cookies that others have stored when it saves.
    ///
    /// - Parameters:
    ///   - path: The path of the file. Its folder must exist, and should be writable for its owner
    ///     only. A symbolic link is followed, and stays.
    ///   - format: The format of a new file. An existing one keeps its own.
    ///   - keepingSessionCookies: `true` to write and read cookies without a date of expiry, too.
    ///     Otherwise, those in the file are for other programs: they stay there, unused.
    ///   - clock: The clock by which cookies expire, and by which the jar waits before it writes.
    /// - Throws: `cookiesNotRead` if the file exists but cannot be read, is not a cookie file,
    ///   belongs to another user, or may be written by all users. Lines that are not understood are
    ///   in ``flaws``.
    public static func file(
        at path: String, format: FileFormat = .netscape, keepingSessionCookies: Bool = false,
        clock: any HTTPClock = .system
    ) throws(HTTPError) -> HTTPCookieJar {
        let isAbsolute = path.utf8.first == UInt8(ascii: "/") || path.isEmpty
        let folder = isAbsolute ? "" : FileManager.default.currentDirectoryPath + "/"
        let file = CookieFile(
            path: folder + path, format: format, keepsSessionCookies: keepingSessionCookies)
        let contents = try file.read()
        let jar = HTTPCookieJar(file: file, clock: clock)
        jar.update { state, now in
            state.store.adopt(contents.cookies, now: now, isFiled: file.isFiled)
            state.saving.stamp = contents.stamp
            state.saving.readFlaws = contents.flaws
        }
        return jar
    }

    /// Creates a jar with the file of a file URL. See
    /// ``file(at:format:keepingSessionCookies:clock:)-(String,_,_,_)``.
    public static func file(
        at file: URL, format: FileFormat = .netscape, keepingSessionCookies: Bool = false,
        clock: any HTTPClock = .system
    ) throws(HTTPError) -> HTTPCookieJar {
        try Self.file(
            at: file.filePath, format: format, keepingSessionCookies: keepingSessionCookies,
            clock: clock)
    }

    // MARK: Reports

    /// The lines of the file that were skipped when it was last read, and the cookies that its
    /// format cannot express. Skipped lines are dropped when the file is written.
    public var flaws: [FileFlaw] {
        guard let file else { return [] }
        let now = clock.date
        let (flaws, cookies) = state.withLock { ($0.saving.readFlaws, $0.store.all(now: now)) }
        return flaws + file.flaws(of: cookies)
    }

    /// The error of the last save, or `nil` if it succeeded. The jar tries again with its next
    /// change; no cookie is lost while it is in memory.
    public var lastSaveError: HTTPError? { state.withLock { $0.saving.lastError } }

    // MARK: Saving

    /// Writes all changes now, and takes over what other jars have written to the file. A jar in
    /// memory does nothing. A save that has begun is completed even if the task is cancelled.
    ///
    /// - Throws: `cookiesNotSaved`. The changes are kept for the next save.
    public func save() async throws(HTTPError) {
        guard let file, !isClosed else { return }
        try await synchronize(file)
    }

    /// Saves, and ends saving: later changes are in memory only. A second call does nothing.
    ///
    /// - Throws: `cookiesNotSaved`. The jar stays open then.
    public func close() async throws(HTTPError) {
        // Another task may change the jar during a save. The next one writes this change, too.
        while let file, !isClosed { try await synchronize(file, closing: true) }
        let task = backgroundTask
        task?.cancel()
        await task?.value
    }

    private var isClosed: Bool { state.withLock { $0.saving.isClosed } }

    /// The background task, for tests that wait for its end.
    var backgroundTask: Task<Void, Never>? { state.withLock { $0.saving.task } }

    /// Changes the state, and sees to it that the change is saved.
    @discardableResult
    func update<Result>(_ change: (inout State, Date) -> Result) -> Result {
        let (date, now) = (clock.date, clock.now)
        let (result, mustStart) = state.withLock { state in
            let notes = state.store.noteCount
            let result = change(&state, date)
            guard state.store.noteCount != notes, !state.saving.isClosed else {
                return (result, false)
            }
            state.saving.schedule.noteChange(at: now)
            defer { state.saving.isRunning = true }
            return (result, !state.saving.isRunning)
        }
        if mustStart { startBackgroundTask() }
        return result
    }

    private func startBackgroundTask() {
        let task = Task.detached { [weak self, clock] in
            while let due = self?.nextSave() {
                do {
                    try await clock.sleep(until: due)
                } catch {
                    self?.endBackgroundTask()
                    return
                }
                await self?.saveIfDue()
            }
        }
        state.withLock { $0.saving.task = task }
    }

    /// Returns the instant of the next save. If there is none, the background task must end.
    private func nextSave() -> HTTPInstant? {
        state.withLock { state in
            let due = state.saving.schedule.due
            state.saving.isRunning = due != nil
            return due
        }
    }

    private func endBackgroundTask() { state.withLock { $0.saving.isRunning = false } }

    private func saveIfDue() async {
        let now = clock.now
        guard let file, let due = state.withLock({ $0.saving.schedule.due }), due <= now else {
            return
        }
        // The error is in `lastSaveError`.
        try? await synchronize(file)
    }

    // MARK: The file

    /// Writes the changes and takes over the contents of the file. One call at a time does so:
    /// otherwise, older changes could be written after newer ones. Does nothing if the jar was
    /// closed before it is the turn of this call.
    ///
    /// - Parameter closing: `true` to end saving then, unless there are new changes.
    private func synchronize(
        _ file: CookieFile, closing: Bool = false
    ) async throws(HTTPError) {
        await takeTurn()
        defer { endTurn() }
        guard let memory = takeMemory() else { return }
        do throws(HTTPError) {
            let contents = try await file.synchronize(memory)
            let date = clock.date
            update { state, _ in
                state.saving.lastError = nil
                state.saving.stamp = contents.stamp
                if !contents.flaws.isEmpty { state.saving.readFlaws = contents.flaws }
                guard contents.isForeign else { return }
                state.store.adopt(contents.cookies, now: date, isFiled: file.isFiled)
            }
            if closing { state.withLock { $0.close() } }
        } catch {
            state.withLock { state in
                state.saving.lastError = error
                state.store.putBack(memory.journal)
            }
            throw error
        }
    }

    /// Returns the cookies and the changes to write, or `nil` if the jar is closed.
    private func takeMemory() -> CookieFile.Memory? {
        let now = clock.date
        return state.withLock { state in
            guard !state.saving.isClosed else { return nil }
            state.saving.schedule.noteSave()
            return CookieFile.Memory(
                cookies: state.store.all(now: now), journal: state.store.takeJournal(),
                stamp: state.saving.stamp, now: now)
        }
    }

    private func takeTurn() async {
        let turn: Waiter<Void>? = state.withLock { state in
            guard state.saving.isSaving else {
                state.saving.isSaving = true
                return nil
            }
            let turn = Waiter<Void>()
            state.saving.turns.append(turn)
            return turn
        }
        _ = await turn?.outcome()
    }

    private func endTurn() {
        let next: Waiter<Void>? = state.withLock { state in
            guard !state.saving.turns.isEmpty else {
                state.saving.isSaving = false
                return nil
            }
            return state.saving.turns.removeFirst()
        }
        next?.resume()
    }

    /// Saves the changes of a jar that is being released. The program may end before that.
    func saveAbandoned() {
        guard let file else { return }
        state.withLock { $0.saving.task }?.cancel()
        guard let memory = takeMemory(), !memory.journal.isEmpty else { return }
        Task.detached { _ = try? await file.synchronize(memory) }
    }
}

extension HTTPCookieJar.State {
    /// Ends saving, unless there are changes.
    fileprivate mutating func close() {
        guard store.journal?.isEmpty != false else { return }
        saving.isClosed = true
        saving.schedule.noteSave()
        store.endJournal()
    }
}
