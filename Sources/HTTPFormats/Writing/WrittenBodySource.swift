import HTTPCore
import PortableFoundation

/// The state that an ``HTTPBodyWriter`` shares with its body, and the waits of both.
final class WrittenBodySource: WrittenSource {
    private struct State {
        var pipe: BodyPipe
        var writers: [Int: Waiter<Void>] = [:]
        /// `true` if the body is read, was, or will be.
        var isRead = false
        /// The end of the last exchange that has not read the body.
        var leaving: HTTPError?
        /// `false` once no further exchange will be given the body.
        var mayBeSentAgain = true
        var reader = WaiterSlot()
        /// The end of the reader's wait.
        var piece: Result<Data?, any Error>?

        /// Returns what can be read, or `nil` if there is nothing yet.
        mutating func read() -> Result<Data?, any Error>? {
            switch pipe.read() {
            case .piece(let bytes): .success(bytes)
            case .end: .success(nil)
            case .failed(let error): .failure(error)
            case .wait: nil
            }
        }
    }

    /// The tasks that go on after a step.
    private struct Resumed {
        var reader: Suspension?
        var writers: [(Waiter<Void>, refusal: HTTPError?)] = []

        func callAsFunction() {
            reader?()
            for (waiter, refusal) in writers {
                waiter.resume(with: refusal.map { .failure($0) } ?? .success(()))
            }
        }
    }

    private let state: Locked<State>

    init(declaredLength: Int64?) {
        state = Locked(State(pipe: BodyPipe(declaredLength: declaredLength)))
    }

    /// Takes one step, and resumes the tasks whose waits it ends.
    private func step<Outcome>(
        _ change: (inout State) throws(HTTPError) -> Outcome
    ) throws(HTTPError) -> Outcome {
        let (outcome, resumed) = state.withLock { state in
            let outcome = Result { () throws(HTTPError) in try change(&state) }
            return (outcome, Self.settle(&state))
        }
        resumed()
        return try outcome.get()
    }

    private static func settle(_ state: inout State) -> Resumed {
        var resumed = Resumed()
        if state.reader.isHeld, let piece = state.read() {
            state.piece = piece
            resumed.reader = state.reader.end()
        }
        for release in state.pipe.takeReleased() {
            guard let waiter = state.writers.removeValue(forKey: release.number) else { continue }
            resumed.writers.append((waiter, release.refusal))
        }
        return resumed
    }
}

// MARK: - The writer's side

extension WrittenBodySource {
    func write(_ piece: Data) async throws {
        try Task.checkCancellation()
        let wait: (number: Int, waiter: Waiter<Void>)? = try step { state throws(HTTPError) in
            switch state.pipe.write(piece) {
            case .taken: return nil
            case .refused(let error): throw error
            case .waits(let number):
                let waiter = Waiter<Void>()
                state.writers[number] = waiter
                return (number, waiter)
            }
        }
        guard let wait else { return }
        try await wait.waiter.value { waiter in
            let isGivenUp = try? self.step { state in
                guard state.pipe.cancel(wait.number) else { return false }
                state.writers[wait.number] = nil
                return true
            }
            if isGivenUp == true { waiter.resume(with: .failure(CancellationError())) }
        }
    }

    func finish() throws(HTTPError) {
        try step { state throws(HTTPError) in try state.pipe.finish() }
    }

    func fail(_ error: any Error) { try? step { $0.pipe.fail(error) } }

    var isBroken: Bool { state.withLock { $0.pipe.isBroken } }

    /// The number of writes that wait, for tests.
    var waitingCount: Int { state.withLock { $0.pipe.waitingCount } }
}

// MARK: - The reader's side

extension WrittenBodySource {
    func next() async throws -> Data? {
        if Task.isCancelled { cancelled() }
        willBeRead()
        if let piece = try? step({ $0.read() }) { return try outcome(piece) }
        await Suspension.wait(whenCancelled: { cancelled() }) { place in
            // A step, since reading may make room for writes that wait.
            let isHeld = try? step { state in
                guard !state.reader.isHeld else { return false }
                state.piece = state.read()
                return state.piece == nil && state.reader.hold(place)
            }
            return isHeld == true
        }
        // A second task that waits at the same time finds none.
        guard let piece = state.withLock({ $0.piece.take() }) else { throw CancellationError() }
        return try outcome(piece)
    }

    /// The error of a cancelled reader is its cancellation.
    private func outcome(_ piece: Result<Data?, any Error>) throws -> Data? {
        if case .failure = piece { try Task.checkCancellation() }
        return try piece.get()
    }

    private func cancelled() { end(because: .requestBodyEnded("its exchange was cancelled")) }

    func abandon() {
        end(because: .requestBodyEnded("its exchange has ended, or it was never sent"))
    }

    func willBeRead() { state.withLock { $0.isRead = true } }

    func leave(because reason: HTTPError) {
        let isOver = state.withLock { state in
            state.leaving = reason
            return !state.mayBeSentAgain && !state.isRead
        }
        if isOver { end(because: reason) }
    }

    /// Ends the body with the exchange that leaves it, or has left it.
    func willNotBeSentAgain() {
        let reason = state.withLock { state in
            state.mayBeSentAgain = false
            return state.isRead ? nil : state.leaving
        }
        if let reason { end(because: reason) }
    }

    /// Ends the body if no transport has read it or is going to.
    func endUnread(because reason: HTTPError) {
        if !state.withLock({ $0.isRead }) { end(because: reason) }
    }

    func end(because reason: HTTPError) { try? step { $0.pipe.cut(because: reason) } }
}
