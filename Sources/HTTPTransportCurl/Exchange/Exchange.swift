import CHTTPTransportCurl
import HTTPCodings
import HTTPCore
import PortableFoundation

/// One request with its response, as a task and the loop share it: the waiting task, the loop's
/// deliveries, and the source of the body.
///
/// Each wait is ended once: by the loop, or by the task itself if it need not wait. The task's side
/// posts commands.
final class Exchange: HTTPBodySource, Sendable {
    /// The head of a response, and its body if the delivery is `.buffered` and it is not coded.
    struct Arrival: Sendable {
        var status: HTTPStatus
        var version: HTTPVersion?
        var headers: HTTPHeaders
        var body: Data?
        var trailers: HTTPHeaders?
        /// The codings that the reader decodes.
        var codings: [HTTPContentCoding] = []
    }

    enum End: Sendable {
        /// Indirect, since the end is copied several times, and its trailers are hardly ever read.
        indirect case complete(trailers: HTTPHeaders?)
        case failed(any Error)
    }

    /// A file that the loop writes to.
    struct Sink {
        let descriptor: Int32
        let start: Int64
        var position: Int64
    }

    /// The part of the state that belongs to the request's body. Reached under the state's lock
    /// alone.
    final class Upload {
        /// The bytes that libcurl has not taken.
        var buffer: UploadBuffer
        var wait = WaiterSlot()
        var isOver = false
        /// `true` if a failure of the producer does not matter any more.
        var mayProducerFail = false
        /// A piece of a file body that the loop could not read without waiting.
        var fetched: Result<UploadFile.Piece, HTTPError>?
        /// The lines that are sent after the body, each `Name: value`.
        var trailerLines: [String] = []
        var pump: Task<Void, Never>?

        init(_ declaredLength: Int64?) { buffer = UploadBuffer(declaredLength: declaredLength) }
    }

    /// The state that the task and the loop share.
    struct State: ~Copyable {
        /// The loop's number for the exchange, while the exchange has one.
        var slot: Int?
        var isCancelled = false
        /// `true` if a holder of the body has given it up. The reader then gets an error.
        var isGivenUp = false
        var attempt = 1
        var arrivalWait = WaiterSlot()
        /// The end of the wait for the head, until its task takes it.
        var arrival: Result<Arrival, any Error>?
        var readWait = WaiterSlot()
        /// The end of the wait for a piece.
        var piece: Result<Data?, any Error>?
        /// The file to which the loop writes what arrives, while a task waits for all of it.
        var sink: Sink?
        /// Ends with the number of bytes in the file, or with `nil` if pieces were queued before
        /// the loop knew of the file.
        var sinkWait = WaiterSlot()
        /// The end of the wait for the file.
        var written: Result<Int64?, any Error>?
        var inflow: Inflow
        var end: End?
        /// The end that the reader of a decoded body has found. The first one counts.
        var decodingEnd: HTTPBodyEnd?
        /// `true` if the observer is told of the end when the reader has found it.
        var awaitsDecodingEnd = false
        /// The production of the request's body; `nil` if that is empty.
        let upload: Upload?

        init(inflow: Inflow, upload: Upload?) {
            self.inflow = inflow
            self.upload = upload
        }
    }

    let request: HTTPRequest
    let destination: Destination
    /// The policy for the addresses that are connected to; `nil` if it permits all.
    let addressPolicy: AddressPolicy?
    let limits: TimeLimits
    /// The part of an exchange that its call retains; separate, to avoid a reference cycle.
    let record = ExchangeRecord()
    /// After the start of the record, so that no time of the timeline is later than the end.
    let submitted = chttp_monotonic_ns()
    /// The priority of its task.
    let priority = Task.currentPriority
    /// `true` if its task may be resumed by another one, together with others.
    let resumesWithOthers: Bool
    /// The transports whose resolvers the request was sent for, the outermost first.
    let resolverOwners: [LoopSettings]
    /// `true` if the transport's own resolver has sent the request.
    let isOfResolver: Bool
    let state: Locked<State>

    init(
        _ request: HTTPRequest, to destination: Destination, limits: TimeLimits,
        settings: LoopSettings
    ) {
        self.request = request
        self.destination = destination
        let ownPolicy = request.hasOptions ? request[AddressPolicy.self] : nil
        addressPolicy = ownPolicy.map(\.unlessOpen) ?? settings.addressPolicy
        self.limits = limits
        resolverOwners = settings.configuration.resolver == nil ? [] : ResolverScope.owners
        isOfResolver = resolverOwners.contains { $0 === settings }
        // On the loop's own thread, a task is queued without a system call. A task with another
        // priority would wait for a task with the usual one.
        resumesWithOthers = !destination.loop.isOwnThread && priority == .medium
        self.state = Locked(
            State(
                inflow: Inflow(
                    highWater: settings.configuration.highWater,
                    lowWater: settings.configuration.lowWater),
                upload: request.body.isEmpty ? nil : Upload(request.body.length)))
    }

    var loop: any ExchangeLoop { destination.loop }

    /// The number of this send within its call.
    var attempt: Int { state.withLock { $0.attempt } }
}

// MARK: - The task's side

extension Exchange {
    /// Submits the request and waits for its head, or for head and body if the delivery is
    /// buffered.
    func arrival() async throws -> Arrival {
        if let call = request.call {
            let attempt = call.beginSend(record)
            state.withLock { $0.attempt = attempt }
            call.report(.queued(request), exchange: attempt)
        }
        await Suspension.wait(whenCancelled: { cancel() }) { place in
            guard state.withLock({ $0.arrivalWait.hold(place) }) else { return false }
            if let refusal = loop.post(.submit(self)) {
                let suspension = state.withLock { state in
                    state.arrival = .failure(refusal)
                    return state.arrivalWait.end()
                }
                suspension?()
            }
            return true
        }
        // A second task that waits at the same time finds none, here and below.
        guard let outcome = state.withLock({ $0.arrival.take() }) else { throw CancellationError() }
        return try outcome.get()
    }

    /// Asks the loop to end the exchange with `CancellationError`.
    private func cancel() {
        // The flag covers a cancellation that comes before the submission.
        state.withLock { $0.isCancelled = true }
        _ = loop.post(.fail(self, CancellationError()))
    }

    func next() async throws -> Data? {
        if Task.isCancelled { cancel() }
        if let result = state.withLock({ read(&$0) }) { return try result.get() }
        await Suspension.wait(whenCancelled: { cancel() }) { place in
            state.withLock { state in
                guard !state.readWait.isHeld else { return false }
                state.piece = read(&state)
                return state.piece == nil && state.readWait.hold(place)
            }
        }
        guard let outcome = state.withLock({ $0.piece.take() }) else { throw CancellationError() }
        return try outcome.get()
    }

    /// Returns what can be read now, or `nil` if there is nothing yet. Tells the loop to receive
    /// again if necessary.
    private func read(_ state: inout State) -> Result<Data?, any Error>? {
        if state.isCancelled { return .failure(CancellationError()) }
        if state.isGivenUp { return .failure(HTTPError.bodyGivenUp) }
        if let (piece, resume) = state.inflow.take() {
            if resume { _ = loop.post(.resumeReceiving(self)) }
            return .success(piece)
        }
        switch state.end {
        case .complete: return .success(nil)
        case .failed(let error): return .failure(error)
        case nil: return nil
        }
    }

    /// Writes the queued pieces to the file, and has the loop write what is still to come.
    func write(toDescriptor descriptor: Int32, at offset: Int64) async throws -> Int64 {
        var position = offset
        while true {
            if Task.isCancelled { cancel() }
            if let result = state.withLock({ read(&$0) }) {
                guard let piece = try result.get() else { return position - offset }
                do {
                    try piece.write(toDescriptor: descriptor, at: position)
                } catch {
                    abandon()
                    throw error
                }
                position += Int64(piece.count)
                continue
            }
            let start = position
            await Suspension.wait(whenCancelled: { cancel() }) { place in
                state.withLock { state in
                    guard !state.sinkWait.isHeld else { return false }
                    guard state.inflow.isEmpty, state.end == nil, !state.isCancelled,
                        !state.isGivenUp
                    else {
                        state.written = .success(nil)
                        return false
                    }
                    state.sink = Sink(descriptor: descriptor, start: start, position: start)
                    return state.sinkWait.hold(place)
                }
            }
            guard let outcome = state.withLock({ $0.written.take() }) else {
                throw CancellationError()
            }
            let count = try outcome.get()
            // With `nil`, there may be queued pieces, which come first.
            if let count { return count + start - offset }
        }
    }

    func abandon() {
        state.withLock { $0.isGivenUp = true }
        _ = loop.post(.abandon(self))
    }

    func discard() async {
        state.withLock { $0.isGivenUp = true }
        let waiter = Waiter<Void>()
        if loop.post(.discard(self, waiter)) == nil { _ = await waiter.outcome() }
    }

    /// Records how the decoding of the body has ended, and tells the observer if the end was left
    /// to the reader. Ends the exchange if the decoding has failed before.
    func endedDecoding(_ end: HTTPBodyEnd) {
        let (isFirst, isAwaited) = state.withLock { state in
            guard state.decodingEnd == nil else { return (false, false) }
            state.decodingEnd = end
            return (true, state.awaitsDecodingEnd)
        }
        guard isFirst else { return }
        if isAwaited {
            request.call?.report(.ended(end, record.exchange), exchange: attempt)
        } else if case .failed(let error) = end {
            _ = loop.post(.fail(self, error))
        }
    }

    var trailers: HTTPHeaders? {
        state.withLock {
            if case .complete(let trailers) = $0.end { trailers } else { nil }
        }
    }
}

// MARK: - The loop's side

extension Exchange {
    /// Gives the exchange its number. Returns `false` if the exchange was cancelled before.
    func begin(_ slot: Int) -> Bool {
        state.withLock {
            $0.slot = slot
            return !$0.isCancelled
        }
    }

    var slot: Int? { state.withLock { $0.slot } }

    /// The events of a transfer in one turn of the loop.
    struct Delivery {
        var arrival: Arrival?
        var piece = Data()
        /// The end of the response.
        var end: End?
        /// `true` if the request's body is not being sent any more either.
        var isOver = false
        var isPaused = false
    }

    /// Delivers the events.
    ///
    /// - Returns: `suspension` is that of the task whose wait has ended, which the caller resumes.
    ///   `mustResume` is `true` if a paused transfer should resume at once because its reader has
    ///   caught up. `buffered` is the number of bytes that the reader has not taken.
    @discardableResult
    func deliver(
        _ delivery: consuming Delivery, timeline update: (inout HTTPTimeline.Exchange) -> Void
    ) -> (suspension: Suspension?, mustResume: Bool, buffered: Int) {
        return state.withLock { state in
            let suspension = settle(&state)
            let mustResume = delivery.isPaused && delivery.end == nil && state.inflow.paused()
            return (suspension, mustResume, state.inflow.buffered)
        }

        func settle(_ state: inout State) -> Suspension? {
            record.update(update)
            state.inflow.append(delivery.piece)
            if let end = delivery.end, state.end == nil {
                state.end = end
                if case .failed(let error) = end, error is CancellationError {
                    state.inflow.removeAll()
                }
            }
            if delivery.isOver { state.slot = nil }
            if state.arrivalWait.isHeld {
                if let arrival = delivery.arrival.take() {
                    state.arrival = .success(arrival)
                } else if case .failed(let error) = delivery.end {
                    state.arrival = .failure(error)
                } else {
                    return nil
                }
                return state.arrivalWait.end()
            } else if let sink = state.sink {
                guard let result = written(sink, &state) else { return nil }
                state.sink = nil
                state.written = result
                return state.sinkWait.end()
            } else if state.readWait.isHeld, let result = read(&state) {
                state.piece = result
                return state.readWait.end()
            }
            return nil
        }

        /// Returns the result of the wait for a file that is written, or `nil` if it goes on.
        func written(_ sink: Sink, _ state: inout State) -> Result<Int64?, any Error>? {
            if state.isGivenUp { return .failure(HTTPError.bodyGivenUp) }
            if state.end == nil, delivery.piece.isEmpty { return nil }
            // The piece came after the loop had looked for a sink, and was queued.
            if !state.inflow.isEmpty, sink.position == sink.start { return .success(nil) }
            switch state.end {
            case .complete: return .success(sink.position - sink.start)
            case .failed(let error): return .failure(error)
            case nil: return nil
            }
        }
    }

    /// Returns the end that the reader of a decoded body has found. Without one, the reader tells
    /// the observer of a complete end when it has found that the coding is complete, too.
    func decodingEnd(awaiting isComplete: Bool) -> HTTPBodyEnd? {
        state.withLock { state in
            if state.decodingEnd == nil, isComplete { state.awaitsDecodingEnd = true }
            return state.decodingEnd
        }
    }

    /// The file to which the loop writes what arrives, if there is one.
    var sink: Sink? { state.withLock { $0.sink } }

    func advanceSink(by count: Int) { state.withLock { $0.sink?.position += Int64(count) } }

    /// The number of bytes queued for the reader.
    var buffered: Int { state.withLock { $0.inflow.buffered } }

    /// `true` while a task waits for a piece, for tests.
    var isAwaited: Bool { state.withLock { $0.readWait.isHeld } }
}
