import HTTPCore
import HTTPRetry

/// The state of a task. It never goes back: to send the request again, run it again.
public enum HTTPTaskState: Hashable, Sendable {
    /// Created, but not run.
    case pending
    /// The request is being sent, or the response received.
    case executing
    /// Ended with a value or an error.
    case finished
    /// Ended with `CancellationError` as its result.
    case cancelled

    package var isOver: Bool { self == .finished || self == .cancelled }
}

/// The state of a task and the observers still to be notified. It takes no lock, starts nothing and
/// calls no handler: it decides what to do next.
///
/// Only one delivery runs at a time, so that observers are called one after the other: a caller for
/// which ``beginDelivery()`` returns `true` calls ``nextDelivery()`` until it returns `nil`.
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
        /// The number of the last progress delivered to it, or not needed by it.
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

    /// The outcome; `nil` until the task is over.
    var outcome: Outcome? {
        switch stage {
        case .pending, .executing: nil
        case .cancelled: .cancelled
        case .finished(let outcome): outcome
        }
    }

    /// Returns `true` if there is a task to start.
    mutating func start() -> Bool {
        guard state == .pending else { return false }
        stage = .executing
        return true
    }

    /// Returns `true` if this is how the task ends; a later end has no effect.
    ///
    /// - Parameters:
    ///   - sent: The length of a request body that was sent without progress reports.
    ///   - received: The number of bytes received, if the response does not have it.
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

    /// Returns `true` if this is how the task ends.
    mutating func cancel() -> Bool {
        guard !state.isOver else { return false }
        stage = .cancelled
        return true
    }

    /// Returns `true` if the progress is new; after the end it never is.
    mutating func advance(_ progress: HTTPTransferProgress) -> Bool {
        state == .executing && self.progress.record(progress)
    }

    /// Returns the progress after `number`, or the newest if `number` is `nil`. Returns `nil` if
    /// there is none yet and, after the end, for good.
    func progress(after number: Int?) -> ProgressTrack.Entry? { progress.next(after: number) }
}

// MARK: - Delivery

extension HTTPTaskMachine {
    mutating func add(_ observer: Observer) {
        let seen = progress.newest.map { $0.number - 1 } ?? 0
        registrations.append(Registration(observer: observer, seen: seen))
    }

    /// Returns `true` if the caller must begin a delivery.
    mutating func beginDelivery() -> Bool {
        guard !isDelivering, !registrations.isEmpty, outcome != nil || nextToProgress != nil else {
            return false
        }
        isDelivering = true
        return true
    }

    /// Returns the next delivery; `nil` ends them. Progress comes first, to the observer that is
    /// furthest behind, and among equals in the order of registration. After the task is over, the
    /// outcome follows.
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
            case .progress: continue  // has received all progress
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
    /// Returns `true` if `count` bytes of the request's body were sent before this response
    /// arrived, as far as is known: a server may respond before it has the whole body.
    fileprivate func hasBeenSent(_ count: Int64) -> Bool {
        let exchanges = timeline.exchanges
        return exchanges.isEmpty || exchanges.contains { $0.requestBodyBytes >= count }
    }
}
