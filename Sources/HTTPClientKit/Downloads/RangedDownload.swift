import HTTPCore

/// The loading of the missing ranges of a file, several at a time.
///
/// Each worker sends requests one after the other. A worker that the server refuses ends, and the
/// others load its range: the download fails only with the last one.
final class RangedDownload: Sendable {
    /// A response whose bytes are the file's from ``offset`` to ``end``.
    struct Stream: Sendable {
        let response: HTTPResponse
        let offset: Int64
        let end: Int64
    }

    enum End: Sendable {
        /// The whole file is there. The head is the first one that brought bytes of it.
        case complete(HTTPResponse.Head)
        /// The part belongs to another representation than the server has.
        case startOver
        /// The server sent the whole file instead of a range of it.
        case replaced(HTTPResponse)
    }

    /// The state that a call has before and after this work.
    struct Position: Sendable {
        var record: PartRecord
        var meter: TransferMeter
        var resumptions: Int
    }

    /// A response that contradicts itself, the request, or its digest. The part is given up.
    struct Contradiction: Error {
        let error: HTTPError
    }

    private struct State {
        var missing: MissingRanges
        var position: Position
        var head: HTTPResponse.Head?
        /// The number of workers that have not ended.
        var workers = 0
        /// The numbers of arrived bytes at which the record is due.
        var nextNote: Int64
        var nextCheckpoint: Int64
        /// `true` while a worker writes the record.
        var isRecording = false
        var news = ProgressNews()

        mutating func tell() {
            let bytes = missing.arrivedBytes
            if let progress = position.meter.advance(to: bytes, of: missing.length) {
                news.newest = progress
            }
        }

        mutating func noteArrived() { position.record.ranges?.arrived = missing.arrived }
    }

    /// The number of bytes that a killed process may lose.
    private static let noteInterval: Int64 = 1 << 20

    private let session: any HTTPSession
    private let request: HTTPRequest
    private let file: PartialFile
    private let options: HTTPDownloadOptions
    private let report: (@Sendable (HTTPTransferProgress) -> Void)?
    private let condition: IfRange
    /// The record at the beginning, which identifies the representation.
    private let record: PartRecord
    private let state: Locked<State>

    /// - Parameter position: Its record describes `missing` and is on the disk.
    init(
        _ missing: MissingRanges, of request: HTTPRequest, _ condition: IfRange,
        through session: any HTTPSession, into file: PartialFile, _ options: HTTPDownloadOptions,
        at position: Position, report: (@Sendable (HTTPTransferProgress) -> Void)?
    ) {
        (self.session, self.request, self.file) = (session, request, file)
        (self.options, self.report, self.condition) = (options, report, condition)
        record = position.record
        let arrived = missing.arrivedBytes
        state = Locked(
            State(
                missing: missing, position: position, nextNote: arrived + Self.noteInterval,
                nextCheckpoint: arrived + options.checkpoint))
    }

    /// The state to continue from, of use after ``run(_:)`` has ended.
    var position: Position { state.withLock { $0.position } }

    /// Loads all missing ranges. No worker writes any more when it returns or throws.
    ///
    /// - Parameter first: A stream from the first missing byte on.
    /// - Throws: ``Contradiction``; the error that ended the last worker; an error that would end
    ///   every worker.
    func run(_ first: Stream? = nil) async throws -> End {
        defer { recordEnd() }
        let gaps = state.withLock { state in
            let count = max(1, options.maxConcurrentRanges)
            let gaps = (0..<count).compactMap { state.missing.take(among: count - $0) }
            state.workers = gaps.count
            return gaps
        }
        return try await withThrowingTaskGroup(of: WorkerEnd.self) { group in
            for (index, gap) in gaps.enumerated() {
                group.addTask { try await self.work(gap, index == 0 ? first : nil) }
            }
            var failure: any Error = HTTPError(.internalFailure, "a range of a file has no worker")
            while let end = try await group.next() {
                switch end {
                case .idle: break
                case .refused(let error): failure = error
                case .over(let end):
                    group.cancelAll()
                    return end
                }
                if let head = state.withLock({ $0.missing.isEmpty ? $0.head : nil }) {
                    group.cancelAll()
                    return .complete(head)
                }
            }
            throw failure
        }
    }

    // MARK: Working

    private enum WorkerEnd: Sendable {
        /// No gap is left for this worker.
        case idle
        /// The server does not serve this worker.
        case refused(any Error)
        /// The work of all workers is over.
        case over(End)
    }

    private func work(_ gap: MissingRanges.Gap, _ first: Stream?) async throws -> WorkerEnd {
        var id = gap.id
        var given = first
        var hasResponded = first != nil
        while true {
            guard let gap = current(id) else {
                state.withLock { $0.workers -= 1 }
                return .idle
            }
            id = gap.id
            do {
                let stream: Stream
                if let first = given {
                    (stream, given) = (first, nil)
                } else {
                    switch try await load(gap) {
                    case .stream(let new): stream = new
                    case .end(let end): return end
                    }
                }
                hasResponded = true
                do {
                    try await write(stream, to: id)
                } catch let error as HTTPError {
                    throw error.writing(stream.response)
                }
            } catch let error as HTTPError {
                // A layer below found that the bytes written are wrong.
                guard error.code != .digestMismatch else { throw Contradiction(error: error) }
                guard error.timer?.name != .deadline, error.code != .fileNotWritten else {
                    throw error
                }
                // The first request of a worker resumes nothing: sending it again is the task of
                // layers below.
                guard hasResponded, error.isRetryable, error.code != .unexpectedStatus,
                    let wait = nextWait()
                else {
                    return leave(id, error).end
                }
                state.withLock { $0.missing.interrupt(id) }
                try await request.wait(wait, over: session)
            }
        }
    }

    /// Returns the gap as it is now, or another one if it has been filled; `nil` if there is none.
    private func current(_ id: MissingRanges.Gap.ID) -> MissingRanges.Gap? {
        state.withLock { $0.missing[id] ?? $0.missing.take() }
    }

    /// Returns the wait before the next resumption; `nil` if there have been enough.
    private func nextWait() -> Duration? {
        let count = state.withLock { state -> Int? in
            guard state.position.resumptions < options.maxResumptions else { return nil }
            defer { state.position.resumptions += 1 }
            return state.position.resumptions
        }
        return count.map { options.backoff.delay(beforeRetry: $0) }
    }

    /// Ends a worker. Its gap is free for others.
    private func leave(
        _ id: MissingRanges.Gap.ID, _ error: any Error
    ) -> (end: WorkerEnd, isLast: Bool) {
        let isLast = state.withLock { state in
            state.missing.giveUp(id)
            state.workers -= 1
            return state.workers == 0
        }
        return (.refused(error), isLast)
    }

    // MARK: Requesting

    private enum Loaded {
        case stream(Stream)
        case end(WorkerEnd)
    }

    private func load(_ gap: MissingRanges.Gap) async throws -> Loaded {
        let part = StoredPart(around: gap, of: record, condition: condition)
        if options.renewsRetries { request.currentCall.renewRetries() }
        let response = try await session.response(for: request, continuing: part)
        let length = response.body.length
        let isDecoded = response.isDecodedUnasked
        switch DownloadPlan(
            response.head, contentLength: length, to: part, isDecoded: isDecoded)
        {
        case .write(let offset, let end?, _) where response.status == .partialContent:
            return .stream(Stream(response: response, offset: offset, end: end))
        case .write:
            // A server of the same representation that does not support this range, or supports no
            // ranges, does not end the streams of the others.
            guard part.isContinued(by: response.head), response.body.length == part.length else {
                return .end(.over(.replaced(response)))
            }
            let error = HTTPError(
                .unexpectedStatus, "the whole file came in place of a range", phase: .receiving,
                mayHaveReachedServer: true, response: response.head)
            let (end, isLast) = leave(gap.id, error)
            guard !isLast else { return .end(.over(.replaced(response))) }
            response.body.abandon()
            return .end(end)
        case .startOver, .finish:
            response.body.abandon()
            return .end(.over(.startOver))
        case .refuse(let reason):
            response.body.abandon()
            throw Contradiction(error: .refused(reason, response.head).ending(request))
        case .unexpected:
            return .end(leave(gap.id, await HTTPError.unexpected(response)).end)
        }
    }

    // MARK: Writing

    private func write(_ stream: Stream, to id: MissingRanges.Gap.ID) async throws {
        let (response, end) = (stream.response, stream.end)
        let hasBegun = state.withLock { state in
            guard state.missing.begin(id) else { return false }
            if state.head == nil { state.head = response.head }
            state.tell()
            return true
        }
        guard hasBegun else { return response.body.abandon() }
        reportNews()

        var position = stream.offset
        for try await piece in response.body {
            guard position + Int64(piece.count) <= end else {
                throw Contradiction(error: .tooManyBytes(response.head))
            }
            let count = state.withLock { $0.missing.claim(piece.count, of: id, until: end) }
            try piece.prefix(count).write(toDescriptor: file.descriptor, at: position)
            position += Int64(count)
            let isNeeded = state.withLock { state in
                defer { state.tell() }
                return state.missing.commit(id, until: end)
            }
            reportNews()
            try recordIfDue()
            // A stream whose end is near is read to it, so that its connection can be used again.
            if !isNeeded, position < end { return response.body.abandon() }
        }
        let isShort = position - stream.offset < MissingRanges.shortRange
        let isFilled = state.withLock { $0.missing[id] == nil }
        if position < end || isShort && !isFilled {
            throw HTTPError.incomplete(response.head, position, end)
        }
        // A server may send less than was requested.
        if !isFilled { state.withLock { $0.missing.interrupt(id) } }
    }

    private func reportNews() {
        guard let report, state.withLock({ $0.news.begin() }) else { return }
        while let news = state.withLock({ $0.news.next() }) { report(news) }
    }

    // MARK: Recording

    /// Writes the record if enough bytes have arrived since the last time. See
    /// ``PartRecord/encoded()`` for what outlives a crash.
    private func recordIfDue() throws {
        guard let (record, isCheckpoint) = dueRecord(), let ranges = record.ranges else { return }
        defer { state.withLock { $0.isRecording = false } }
        if try !isCheckpoint && file.note(ranges) { return }
        try file.sync()
        var durable = record
        durable.ranges?.durable = ranges.arrived
        try file.write(durable)
        state.withLock { $0.position.record.ranges?.durable = ranges.arrived }
    }

    /// The record to write, and whether the bytes are to be on the disk before; `nil` if a worker
    /// is at it, or if it is not yet time.
    private func dueRecord() -> (PartRecord, isCheckpoint: Bool)? {
        state.withLock { state in
            let bytes = state.missing.arrivedBytes
            guard !state.isRecording, bytes >= min(state.nextNote, state.nextCheckpoint) else {
                return nil
            }
            state.isRecording = true
            state.nextNote = bytes + Self.noteInterval
            state.noteArrived()
            guard bytes >= state.nextCheckpoint else { return (state.position.record, false) }
            state.nextCheckpoint = bytes + options.checkpoint
            return (state.position.record, true)
        }
    }

    /// Records all bytes after the last worker has ended, so that a failed call loses none.
    private func recordEnd() {
        // A checkpoint may have come due while a worker wrote the one before, after which no byte
        // came.
        try? recordIfDue()
        let record = state.withLock { state in
            state.noteArrived()
            return state.position.record
        }
        guard let ranges = record.ranges, (try? file.note(ranges)) != true else { return }
        try? file.write(record)
    }
}
