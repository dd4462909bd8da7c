public import HTTPCore

/// Whether a test uses its recording or makes it.
public enum RecordingMode: String, Hashable, Sendable, CaseIterable {
    /// Answers what the file holds, and nothing else: what a build machine does.
    case replay
    /// Sends everything and replaces the file.
    case record
    /// Answers what the file holds, sends what is missing, and drops what nobody has asked for.
    case update
}

extension RecordingFile {
    /// Runs `body` with a session that records to this file or replays it, and writes the file when
    /// `body` returns; not when it throws.
    ///
    /// ```swift
    /// try await RecordingFile().run(.replay, over: transport) { session in
    ///     let user = try await session.response(User.self, for: "https://api.example.com/users/1")
    ///     #expect(user.name == "Ada")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - session: what sends; not touched by `replay`.
    ///   - options: as of ``ReplaySession``.
    /// - Throws: what `body` throws; `recordingUnreadable`; `recordingNotWritten`, also when a response
    ///   is still being read that the file would lack.
    public func run<Result>(
        _ mode: RecordingMode, over session: any HTTPSession, rules: ReplayRules = ReplayRules(),
        honouring options: [any HTTPTransportOption.Type] = [],
        _ body: (any HTTPSession) async throws -> Result
    ) async throws -> Result {
        switch mode {
        case .replay:
            return try await body(
                ReplaySession(try read(), rules: rules, honouring: options))
        case .record:
            let recorder = RecordingSession(session, redacting: rules.redaction)
            let result = try await body(recorder)
            try checkEnded(recorder.openRequests)
            try write(recorder.recording)
            return result
        case .update:
            let known = exists ? try read() : Recording()
            let replay = ReplaySession(
                known, rules: rules, updatingThrough: session, honouring: options)
            let result = try await body(replay)
            try checkEnded(replay.openRequests)
            try write(replay.recording)
            return result
        }
    }

    private func checkEnded(_ requests: [Recording.Request]) throws(HTTPError) {
        guard !requests.isEmpty else { return }
        let names = requests.map { "\($0.method) \($0.url)" }.joined(separator: "; ")
        throw HTTPError(
            .recordingNotWritten,
            "not all responses have ended, read or discard them first: \(names)")
    }
}
