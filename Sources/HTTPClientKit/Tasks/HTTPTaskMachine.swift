import HTTPCore
import HTTPRetry

/// How far a task has come. Nothing leads back: to ask again, run the request again.
public enum HTTPTaskState: Hashable, Sendable {
    /// Made, not run.
    case pending
    case executing
    /// With a result, good or bad.
    case finished
    /// Its result is `CancellationError`.
    case cancelled

    public var isOver: Bool { self == .finished || self == .cancelled }
}

/// What a task has come to and who is still to be told. Takes no lock, starts nothing, calls nobody: it
/// says what to do next.
///
/// One delivery at a time, so that observers are told one after the other: whoever is told to begin one
/// asks for ``nextDelivery()`` until there is none.
struct HTTPTaskMachine<Value: Sendable>: Sendable {
    typealias TaskResult = Result<Value, any Error>
    typealias Handler<Argument> = @Sendable @isolated(any) (Argument) -> Void

    struct Outcome: Sendable {
        var response: HTTPOutcome
        var result: TaskResult

        static var cancelled: Self {
            Self(response: .failure(CancellationError()), result: .failure(CancellationError()))
        }
    }

    enum Observer: Sendable {
        case result(Handler<TaskResult>)
        case response(Handler<HTTPOutcome>)
        case progress(Handler<HTTPTransferProgress>)
    }

    enum Delivery: Sendable {
        case result(Handler<TaskResult>, TaskResult)
        case response(Handler<HTTPOutcome>, HTTPOutcome)
        case progress(Handler<HTTPTransferProgress>, HTTPTransferProgress)
    }

    private struct Registration: Sendable {
        var observer: Observer
        /// The number of the last progress it was told, or need not be.
        var seen: Int
    }

    private enum Stage: Sendable {
        case pending, executing, cancelled
        case finished(Outcome)
    }

    private var stage = Stage.pending
    private(set) var progress = ProgressTrack()
    private var registrations: [Registration] = []
    private var isDelivering = false

    var state: HTTPTaskState {
        switch stage {
        case .pending: .pending
        case .executing: .executing
        case .cancelled: .cancelled
        case .finished: .finished
        }
    }

    /// Once the task is over.
    var outcome: Outcome? {
        switch stage {
        case .pending, .executing: nil
        case .cancelled: .cancelled
        case .finished(let outcome): outcome
        }
    }

    /// Answers whether there is anything to start.
    mutating func start() -> Bool {
        guard state == .pending else { return false }
        stage = .executing
        return true
    }

    /// Answers whether this is how the task ends: what comes later is too late.
    ///
    /// - Parameters:
    ///   - sent: the length of a request body whose sending nobody could see.
    ///   - received: the length of what was received, where the response does not have it.
    mutating func finish(
        _ outcome: Outcome, sent: Int64? = nil, received: Int64? = nil
    ) -> Bool {
        guard state == .executing else { return false }
        if case .success(let response) = outcome.response {
            if let sent = sent ?? progress.heldUpload, response.hasBeenSent(sent) {
                progress.end(.upload, at: sent)
            }
            if let received = received ?? response.body.bytes.map({ Int64($0.count) }) {
                progress.end(.download, at: received)
            }
        }
        if case .failure(let error) = outcome.result, error is CancellationError {
            stage = .cancelled
        } else {
            stage = .finished(outcome)
        }
        return true
    }

    /// Answers whether this is how the task ends.
    mutating func cancel() -> Bool {
        guard !state.isOver else { return false }
        stage = .cancelled
        return true
    }

    /// Answers whether it is news; after the end nothing is.
    mutating func advance(_ progress: HTTPTransferProgress) -> Bool {
        state == .executing && self.progress.record(progress)
    }

    /// A progress that is more than `number`, or the newest for who has seen none. `nil` while there is
    /// none, and after the end for ever.
    func progress(after number: Int?) -> ProgressTrack.Entry? { progress.next(after: number) }
}

// MARK: - Delivery

extension HTTPTaskMachine {
    mutating func add(_ observer: Observer) {
        let seen = progress.newest.map { $0.number - 1 } ?? 0
        registrations.append(Registration(observer: observer, seen: seen))
    }

    /// Answers whether the caller is to begin a delivery.
    mutating func beginDelivery() -> Bool {
        guard !isDelivering, !registrations.isEmpty, outcome != nil || nextToProgress != nil else {
            return false
        }
        isDelivering = true
        return true
    }

    /// Who is told what next; `nil` ends the delivery. Progress first, to whoever is furthest behind,
    /// and of those in the order of registration; then, once the task is over, the outcome.
    mutating func nextDelivery() -> Delivery? {
        if let (index, handler, entry) = nextToProgress {
            registrations[index].seen = entry.number
            return .progress(handler, entry.progress)
        }
        guard let outcome else {
            isDelivering = false
            return nil
        }
        while !registrations.isEmpty {
            switch registrations.removeFirst().observer {
            case .result(let handler): return .result(handler, outcome.result)
            case .response(let handler): return .response(handler, outcome.response)
            case .progress: continue  // has seen all there will be
            }
        }
        isDelivering = false
        return nil
    }

    private var nextToProgress: (Int, Handler<HTTPTransferProgress>, ProgressTrack.Entry)? {
        var next: (Int, Handler<HTTPTransferProgress>, ProgressTrack.Entry)?
        for (index, registration) in registrations.enumerated() {
            guard case .progress(let handler) = registration.observer,
                let entry = progress.next(after: registration.seen)
            else { continue }
            if let found = next, found.2.number <= entry.number { continue }
            next = (index, handler, entry)
        }
        return next
    }
}

extension HTTPResponse {
    /// Whether `count` bytes of the request's body left before this came, as far as can be known: a
    /// server may answer before it has all.
    fileprivate func hasBeenSent(_ count: Int64) -> Bool {
        let exchanges = timeline.exchanges
        return exchanges.isEmpty || exchanges.contains { $0.requestBodyBytes >= count }
    }
}
