import Foundation
import HTTPCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Called on URLSession's queue, one event at a time.
extension TaskBridge {
    func receive(head response: URLResponse) {
        guard let response = response as? HTTPURLResponse else {
            return fail(
                ended(HTTPError(.protocolViolation, "the response is not HTTP", phase: .waiting)),
                dropsPending: true)
        }
        let head: ReceivedHead
        do throws(HTTPError) {
            head = try ReceivedHead(response, to: request)
        } catch {
            return fail(ended(error), dropsPending: true)
        }
        let elapsed = record.elapsed
        guard head.head.status != .switchingProtocols else {
            // The bytes that follow are in a protocol that this client does not speak, and may
            // never come.
            return fail(
                ended(
                    HTTPError(
                        .protocolViolation,
                        "the server switched protocols without being asked (RFC 9110 §15.2.2)",
                        phase: .waiting, mayHaveReachedServer: true)),
                dropsPending: true)
        }
        if head.head.status.class == .informational {
            let interims = state.withLock { state in
                state.limits.active(at: elapsed)
                state.interims += 1
                return state.interims
            }
            guard interims <= ReceivedHead.interimLimit else {
                return fail(
                    ended(
                        HTTPError(
                            .headersTooLarge,
                            "more than \(ReceivedHead.interimLimit) interim responses",
                            phase: .waiting, mayHaveReachedServer: true)),
                    dropsPending: true)
            }
            report(.informational(head.head))
            return
        }
        record.update { $0.firstByte = elapsed }
        owner?.noteResponse(from: origin)
        let effects: Effects? = state.withLock { state in
            var effects = Effects()
            state.limits.receivedHead(at: elapsed)
            guard state.failure == nil, state.head == nil else { return nil }
            state.head = head
            if heldBytes == nil || !head.hasContent { effects.head = state.endHeadWait() }
            return effects
        }
        guard let effects else { return }
        // Reported now, although a caller that waits for the whole body is not woken yet.
        report(.head(head.head))
        perform(effects)
    }

    func receive(_ data: Data) {
        guard !data.isEmpty else { return }
        let elapsed = record.elapsed
        enum Step {
            case dropped, kept
            case spill(SpillFile?, at: Int64)
        }
        var effects = Effects()
        var progress: HTTPBodyProgress?
        let step: Step = state.withLock { state in
            state.limits.active(at: elapsed)
            state.received += Int64(data.count)
            guard !state.isReaderDone, state.failure == nil else { return .dropped }
            progress = HTTPBodyProgress(
                bytes: state.received, length: state.head?.expectedLength)
            if let heldBytes, state.received > heldBytes { effects.head = state.endHeadWait() }
            switch state.ledger.place(data.count) {
            case .memory:
                state.pieces.append(data)
                return .kept
            case .file(let offset): return .spill(state.file, at: offset)
            }
        }
        perform(effects)
        record.update { exchange in
            exchange.decodedBodyBytes += Int64(data.count)
        }
        // For a body that is held until it is complete, progress can only be reported here.
        if heldBytes != nil, let progress { request[ReceivingProgress.self]?(progress) }
        switch step {
        case .dropped: return
        case .kept: break
        case .spill(let existing, let offset):
            do throws(HTTPError) {
                let file: SpillFile
                if let existing { file = existing } else { file = try SpillFile() }
                try file.write(data, at: offset)
                state.withLock { state in
                    state.file = file
                    state.ledger.wrote(data.count)
                }
            } catch {
                return fail(ended(error), dropsPending: true)
            }
        }
        #if canImport(Darwin)
            suspendIfFull()
        #endif
        state.withLock { $0.readWait.end() }?()
    }

    /// Ends the body, as far as URLSession can tell.
    ///
    /// - Parameter response: the task's response, for the redirects that corelibs never shows to
    ///   its delegate: those without a usable `Location`, whose bodies it drops.
    func receiveEnd(_ response: URLResponse?) {
        let isHidden = state.withLock { $0.head == nil && $0.failure == nil }
        if isHidden, let response { receive(head: response) }
        let elapsed = record.elapsed
        record.update { $0.lastByte = elapsed }
        enum Outcome {
            case complete(Effects)
            case failed(HTTPError)
        }
        let outcome: Outcome = state.withLock { state in
            guard let head = state.head else {
                return .failed(
                    HTTPError(
                        .protocolViolation, "the exchange ended without a response",
                        phase: .waiting, mayHaveReachedServer: true))
            }
            if let expected = head.expectedLength, expected != state.received, !isHidden {
                return .failed(
                    HTTPError(
                        .bodyIncomplete,
                        "the body has \(state.received) bytes, its length is \(expected)",
                        phase: .receiving, isRetryable: true, mayHaveReachedServer: true))
            }
            var effects = Effects()
            guard state.failure == nil else { return .complete(effects) }
            state.isComplete = true
            effects.head = state.endHeadWait()
            effects.timer = state.timer.take()
            effects.reader = state.readWait.end()
            return .complete(effects)
        }
        switch outcome {
        case .complete(let effects):
            perform(effects)
        case .failed(let error): fail(ended(error), dropsPending: false)
        }
    }

    func receive(_ error: any Error) {
        let (hasHead, hasSent, isVetoed) = state.withLock {
            ($0.head != nil, $0.hasSent, $0.isVetoed)
        }
        let elapsed = record.elapsed
        record.update { if $0.lastByte == nil { $0.lastByte = elapsed } }
        let error =
            isVetoed
            ? HTTPError(
                .connectionLost,
                "a kept connection was dead, and \(request.method) is not sent again automatically",
                phase: .waiting, isRetryable: true, mayHaveReachedServer: true)
            : HTTPError(
                error, hasHead: hasHead,
                // Without a body, nothing shows that libcurl has sent the request over a kept
                // connection, and then found no other one.
                hasSent: hasSent || owner?.mayKeepConnection(to: origin) == true)
        fail(
            ended(error, isOfConnecting: !error.mayHaveReachedServer), dropsPending: false)
    }

    /// Ends the wire's part of the exchange. This is the task's last event.
    func wireIsOver() {
        let effects = state.withLock { state in
            var effects = Effects()
            state.wire = .over
            state.outgoing = .empty
            effects.timer = state.timer.take()
            effects.wireWaiters = state.wireWaiters
            state.wireWaiters = []
            effects.releasedFrom = state.release()
            return effects
        }
        perform(effects)
    }
}
