import CHTTPTransportCurl
import HTTPCore
import PortableFoundation

// The end of a turn: what has come since the last one goes to the caller and to the observer.
extension Transfer {
    /// Delivers everything that happened since the last turn.
    func flush() {
        if !examineHead() { loop.finish(self, .failed(error(curl: CHTTP_E_WRITE_ERROR))) }
        if upload != nil {
            endResponse()
            noteSent()
        }
        delivery.isDue = false
        // An observer that learns of the end finds the timeline complete.
        if machine.isOver, observes { exchange.record.update { write(&$0) } }
        report()
        let (end, isOver) = (machine.end, machine.isOver)
        let isGathering = end == nil && isGathering
        let delivers = isStreamed && !machine.isDraining && !isGathering
        if delivers { writeToSink() }
        var next = Exchange.Delivery(
            end: end, isOver: isOver, isPaused: flow.isReceivingPaused && !isOver)
        if !delivery.hasHead, machine.hasHead {
            if isStreamed {
                if !isGathering { next.arrival = arrival(body: nil) }
            } else if case .complete(let trailers) = end {
                next.arrival = arrival(body: buffer.take())
                next.arrival?.trailers = trailers
            }
            delivery.hasHead = next.arrival != nil
            if delivery.hasHead, end == nil { captureTimeline() }
        }
        if delivers { next.piece = buffer.take() }
        let outcome = exchange.deliver(next) { write(&$0) }
        if let suspension = outcome.suspension {
            if exchange.resumesWithOthers { loop.turn.willResume(suspension) } else { suspension() }
        }
        flow.queued = outcome.buffered
        if end != nil, !delivery.discarding.isEmpty {
            delivery.discarding.resumeAll()
            delivery.discarding = []
        }
        if outcome.mustResume { resumeReceiving() }
    }

    /// `true` if coded content that is to be delivered with its head waits for its end, as far as
    /// the watermark lets it. Its reader decodes it as it comes then.
    private var isGathering: Bool {
        buffer.limit != nil && decoding.isActive && !delivery.hasHead && !flow.isReceivingPaused
    }

    /// Writes received bytes directly to a file, without passing them through a task.
    private func writeToSink() {
        guard buffer.count > 0, let sink = exchange.sink else { return }
        let failure = buffer.write(toDescriptor: sink.descriptor, at: sink.position)
        if let failure {
            failedSink(failure)
        } else {
            exchange.advanceSink(by: buffer.count)
            buffer.removeAll()
        }
    }

    private func failedSink(_ failure: SystemError) {
        buffer.removeAll()
        let error = HTTPError(
            .fileNotWritten, "writing the body to a file failed: \(failure)", phase: .receiving,
            mayHaveReachedServer: true, underlyingError: failure)
        machine.endAgain(with: error)
        if !machine.isOver { loop.finish(self, .failed(error)) }
    }

    func arrival(body: Data?) -> Exchange.Arrival? {
        guard let status = collector.status else { return nil }
        return Exchange.Arrival(
            status: status, version: collector.version, headers: collector.headers, body: body,
            codings: decoding.codings)
    }

    private func report() {
        guard let call = exchange.request.call, call.isObserved else { return }
        let number = exchange.attempt
        for event in delivery.events { call.report(event, exchange: number) }
        delivery.events = []
        guard case .all(let end) = machine.ending else { return }
        var isComplete = false
        if case .complete = end { isComplete = true }
        let readersEnd = decoding.isActive ? exchange.decodingEnd(awaiting: isComplete) : nil
        let bodyEnd: HTTPBodyEnd
        switch end {
        case _ where readersEnd != nil: bodyEnd = readersEnd ?? .abandoned
        // Only the reader knows whether the coding is complete, and will tell.
        case .complete where decoding.isActive: return
        case _ where machine.reader != .attached: bodyEnd = .abandoned
        case .complete(let trailers): bodyEnd = .complete(trailers: trailers)
        case .failed(let error) where !machine.hasHead:
            return call.report(.failed(error), exchange: number)
        case .failed(let error): bodyEnd = .failed(error)
        }
        call.report(.ended(bodyEnd, exchange.record.exchange), exchange: number)
    }
}
