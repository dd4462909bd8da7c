public import HTTPCore

/// A mode in which a test uses its recording or makes it.
public enum RecordingMode: String, Hashable, Sendable, CaseIterable {
    /// Replays the file and sends nothing, as on a build machine.
    case replay
    /// Sends every request and replaces the file.
    case record
    /// Replays the file, sends requests that it lacks, and drops exchanges that are not requested.
    case update
}

extension RecordingFile {
    /// Runs `body` with a session that records to this file or replays it.
    ///
    /// A recording is written when `body` returns, but not when it throws.
    ///
    /// ```swift
    /// try await RecordingFile().run(.replay, over: transport) { session in
    ///     let user = try await session.response(User.self, for: "https://api.example.com/users/1")
    ///     #expect(user.name == "Ada")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - mode: The mode.
    ///   - session: the session that sends requests; not used by `replay`.
    ///   - rules: The rules by which requests are matched with recorded ones.
    ///   - options: the transport options that ``ReplaySession`` accepts.
    ///   - body: The test, with the session to use.
    /// - Throws: the error of `body`; `decodingFailed`; `fileNotWritten`, also if a
    ///   response is still being read and the file would lack it.
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
            .fileNotWritten,
            "some responses have not ended; read or discard them first: \(names)")
    }
}
