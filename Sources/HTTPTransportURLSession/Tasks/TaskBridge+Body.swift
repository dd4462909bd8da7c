import Foundation
import HTTPCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TaskBridge: HTTPBodySource {
    /// Returns the response's body, once the head has arrived. A complete body is not a stream any
    /// more.
    func makeBody(_ head: ReceivedHead) -> HTTPBody {
        var effects = Effects()
        let bytes: Data? = state.withLock { state -> Data? in
            guard state.failure == nil else { return nil }
            var whole: Data?
            if !head.hasContent {
                whole = Data()
            } else if state.isComplete, state.file == nil {
                whole = state.takePiece() ?? Data()
                while let piece = state.takePiece() { whole?.append(piece) }
            }
            if whole != nil {
                state.isReaderDone = true
                effects.releasedFrom = state.release()
            }
            return whole
        }
        perform(effects)
        return bytes.map { HTTPBody(arrived: $0) }
            ?? HTTPBody(source: self, length: head.expectedLength)
    }

    func next() async throws -> Data? {
        try await withTaskCancellationHandler {
            while true {
                let turn = state.withLock { $0.turn() }
                switch turn.step {
                case .piece(let data):
                    #if canImport(Darwin)
                        resumeIfDrained()
                    #endif
                    return data
                case .file(let file, let offset, let count):
                    let data = try readBack(file, at: offset, count: count)
                    return data
                case .end:
                    turn.releasedFrom?.release(self)
                    return nil
                case .failed(let error): throw error
                case .wait: try await waitForBytes()
                }
            }
        } onCancel: {
            fail(CancellationError(), dropsPending: true)
        }
    }

    private func readBack(_ file: SpillFile, at offset: Int64, count: Int) throws -> Data {
        do throws(HTTPError) {
            let data = try file.read(at: offset, count: count)
            state.withLock { $0.ledger.tookFromFile(data.count) }
            return data
        } catch {
            let error = ended(error)
            fail(error, dropsPending: true)
            throw error
        }
    }

    private func waitForBytes() async throws {
        var isSecond = false
        await Suspension.wait { place in
            state.withLock { state in
                guard case .nothing = state.ledger.next(), state.failure == nil, !state.isComplete,
                    !state.isReaderDone
                else { return false }
                isSecond = !state.readWait.hold(place)
                return !isSecond
            }
        }
        if isSecond { throw CancellationError() }
    }

    func abandon() {
        let effects = state.withLock { state in
            var effects = Effects()
            guard !state.isReaderDone else { return effects }
            state.isReaderDone = true
            state.failure = HTTPError.bodyGivenUp
            state.dropPending()
            if !state.isComplete, case .running(let task) = state.wire { effects.cut = task }
            effects.timer = state.timer.take()
            effects.reader = state.readWait.end()
            effects.releasedFrom = state.release()
            return effects
        }
        perform(effects)
    }

    /// Reads and drops the rest of a body if its length says that it is short: 64 KiB for a
    /// redirect, 1 MiB for any other response. Otherwise cuts the connection.
    func discard() async {
        var effects = Effects()
        let waiter = Waiter<Void>()
        let mustWait = state.withLock { state in
            if state.wire.isRunning { state.wireWaiters.append(waiter) }
            if !state.isReaderDone {
                state.isReaderDone = true
                state.dropPending()
                let limit: Int64 =
                    state.head?.head.status.isRedirection == true ? 64 << 10 : 1 << 20
                let rest = state.head?.expectedLength.map { $0 - state.received }
                let isShort = rest.map { $0 <= limit } ?? false
                if !isShort, !state.isComplete, case .running(let task) = state.wire {
                    effects.cut = task
                }
                effects.reader = state.readWait.end()
                effects.releasedFrom = state.release()
            }
            return state.wire.isRunning
        }
        perform(effects)
        guard mustWait else { return }
        await withTaskCancellationHandler {
            _ = await waiter.outcome()
        } onCancel: {
            cut()
        }
    }

    private func cut() {
        let task: URLSessionTask? = state.withLock { state in
            if case .running(let task) = state.wire, !state.isComplete { task } else { nil }
        }
        if let task { owner?.cancel(task) }
    }
}

extension TaskBridge.State {
    enum Step {
        case piece(Data)
        case file(SpillFile, at: Int64, count: Int)
        case end, wait
        case failed(any Error)
    }

    /// Returns the next step of a reader.
    mutating func turn() -> (step: Step, releasedFrom: URLSessionOwner?) {
        switch ledger.next() {
        case .memory:
            if let piece = takePiece() { return (.piece(piece), nil) }
        case .file(let offset, let count):
            if let file { return (.file(file, at: offset, count: count), nil) }
        case .nothing: break
        }
        if let failure { return (.failed(failure), nil) }
        // Another holder discarded the body: the rest is read and dropped.
        if isReaderDone { return (.failed(HTTPError.bodyGivenUp), nil) }
        guard isComplete, ledger.isEmpty else { return (.wait, nil) }
        isReaderDone = true
        return (.end, release())
    }
}

#if canImport(Darwin)
    // Untested: Apple's URLSession honours `suspend()`, so a slow reader holds the sender back.
    extension TaskBridge {
        private static var highWater: Int { 256 << 10 }
        private static var lowWater: Int { 64 << 10 }

        private func suspendIfFull() {
            let task: URLSessionTask? = state.withLock { state in
                guard state.ledger.pending >= Self.highWater, !state.isSuspended,
                    case .running(let task) = state.wire
                else { return nil }
                state.isSuspended = true
                return task
            }
            if let task { owner?.suspend(task) }
        }

        private func resumeIfDrained() {
            let task: URLSessionTask? = state.withLock { state in
                guard state.ledger.pending <= Self.lowWater, state.isSuspended,
                    case .running(let task) = state.wire
                else { return nil }
                state.isSuspended = false
                return task
            }
            if let task { owner?.resume(task) }
        }
    }
#endif
