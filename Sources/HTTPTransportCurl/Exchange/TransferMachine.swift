import CHTTPTransportCurl
import HTTPCore

/// The life of an exchange as the loop sees it: how far it has come, and what follows from each
/// event.
///
/// It knows no handle, no socket and no clock: it takes facts and returns actions.
///
/// ```
/// queued ─ admit ─▶ connecting ─ write ─▶ waiting ─ line ─▶ readingHead ─ head ─▶ receiving
///                       ▲                    │                   │
///                       └────── start ───────┴───────────────────┘
/// ```
///
/// The end may come at any stage. It is the response's end first if the request's body is still to
/// be sent after it.
struct TransferMachine {
    /// The stages of an exchange, in order.
    enum Stage: Int, Comparable {
        /// It waits for its turn.
        case queued
        /// libcurl looks for a connection or makes one.
        case connecting
        /// The request is being written, and nothing of a response has come.
        case waiting
        /// Part of a head has come.
        case readingHead
        /// The final head has come.
        case receiving

        static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    /// The part of the request that follows its head, and is not sent with it.
    struct Content {
        enum Stage {
            case sending
            /// The rest is not sent, because the server does not want it.
            case cut
            /// libcurl has taken the last byte.
            case taken
        }

        fileprivate(set) var stage = Stage.sending
        fileprivate(set) var expectation: Expectation
        /// A response that has come before the content was sent.
        fileprivate(set) var early: EarlyResponse?
        /// `true` if its end was reported as written.
        fileprivate(set) var hasReportedWritten = false
        /// The task that produces it has started, so that its first bytes may be gone.
        fileprivate(set) var isProducing = false
    }

    /// The question whether the server wants the body (RFC 9110 §10.1.1).
    enum Expectation {
        case none, asked
        /// The server has responded with 100 (Continue).
        case accepted
        /// The whole 417 has come, and the request is not repeated.
        case refused
    }

    /// The reader of the response's body.
    enum Reader: Equatable {
        case attached
        /// It has gone, and the connection goes with it.
        case gone
        /// It has gone. The rest is read and dropped to keep the connection, until then, in the
        /// loop's nanoseconds, once nothing else is waited for.
        case drained(until: Int64?)
    }

    enum Ending {
        case none
        /// The response has ended, while the request's body is still being sent.
        case response(Exchange.End)
        case all(Exchange.End)
    }

    private(set) var stage = Stage.queued
    private(set) var content: Content?
    private(set) var reader = Reader.attached
    private(set) var ending = Ending.none
    private(set) var sends = Resends()
    /// `nil` if the exchange has not started again.
    private(set) var starts: FreshStarts?
    /// The reason to start again when libcurl ends, instead of ending.
    private var nextStart: FreshStart?
    /// The error with which the transport itself ends the transfer.
    private(set) var failure: HTTPError?
    private(set) var status: HTTPStatus?
}

// MARK: - Facts

extension TransferMachine {
    /// `true` once nothing more is delivered.
    var isOver: Bool { if case .all = ending { true } else { false } }

    /// The end of the response, or of all.
    var end: Exchange.End? {
        switch ending {
        case .none: nil
        case .response(let end), .all(let end): end
        }
    }

    var hasResponseEnded: Bool { if case .response = ending { true } else { false } }
    var isAdmitted: Bool { stage > .queued }
    var hasHead: Bool { stage == .receiving }
    var hasReceived: Bool { stage >= .readingHead }
    var isDraining: Bool { if case .drained = reader { true } else { false } }
    var isContentCut: Bool { content?.stage == .cut }

    /// `true` if libcurl has taken everything that it is given of the request.
    var isContentTaken: Bool { content?.stage ?? .taken == .taken }

    var expectation: Expectation { content?.expectation ?? .none }

    /// The moment when the wait for the rest of a response without a reader ends.
    var drainDue: Int64? {
        if case .drained(let due) = reader, !hasResponseEnded { due } else { nil }
    }

    /// `true` if the request was about to be written, to any connection.
    var isWritten: Bool { sends.count > 0 }

    /// `true` if the server has said that it does not process the request (RFC 9113 §8.7).
    var isRefused: Bool { sends.isLastRefused && !hasReceived }

    /// `true` if the request may have reached the server, in any of its sends.
    var mayHaveReachedServer: Bool {
        isWritten && (hasReceived || !sends.reachedNoServer)
    }

    /// `true` if the head is a 417 to an expectation. libcurl then tries to repeat the request. It
    /// is not allowed to, and the 417 is the response.
    var isFinalRefusal: Bool { expectation != .none && hasHead && status?.code == 417 }

    /// The phase of the exchange for an error.
    var phase: HTTPError.Phase {
        if hasResponseEnded { return .sending }
        if hasHead { return .receiving }
        if stage == .queued { return .queued }
        if !isWritten { return .connecting }
        return isContentTaken ? .waiting : .sending
    }
}

// MARK: - Beginning

extension TransferMachine {
    /// - Parameters:
    ///   - hasContent: `true` if a body follows the head.
    ///   - asksFirst: `true` if the server is asked before the body is sent.
    init(hasContent: Bool, asksFirst: Bool) {
        if hasContent { content = Content(expectation: asksFirst ? .asked : .none) }
    }

    mutating func admit() { if stage == .queued { stage = .connecting } }

    /// The first error counts.
    mutating func fail(with error: HTTPError) { if failure == nil { failure = error } }

    /// The request is about to be written, for the first time or again.
    mutating func write(_ send: Resends.Send) -> Resends.Writing {
        if stage < .waiting { stage = .waiting }
        return sends.write(send)
    }

    /// Returns `true` if libcurl wants to repeat a request whose 417 is the response.
    mutating func keepsRefusal() -> Bool {
        guard isFinalRefusal else { return false }
        content?.expectation = .refused
        return true
    }

    /// The connection that libcurl chose cannot be used.
    mutating func foundStale() { nextStart = .staleConnection }

    /// A proxy's interim response has come too early to be dropped.
    mutating func foundEarlyInterim() { nextStart = .earlyInterim }

    mutating func foundSpent() { nextStart = .spentConnection }

    /// The connection that libcurl chose takes an unknown number of streams, and has one.
    mutating func foundUnsettled() { nextStart = .unsettledConnection }

    /// Returns `true` if libcurl wants to repeat a request at once that the server has refused.
    mutating func waitsAfterRefusal() -> Bool {
        guard isRefused else { return false }
        nextStart = .refused
        return true
    }

    /// libcurl wants to make a connection, and its addresses are to be looked up before.
    mutating func needsAddresses() { nextStart = .addressesExpired }

    /// The server does not process the last send (RFC 9113 §8.7).
    mutating func refuse() { sends.refuse() }

    /// The server has ended the handshake after the request was written, and so has not read it.
    mutating func foundUnread() { sends.foundUnread() }
}

// MARK: - The response

extension TransferMachine {
    /// Part of a head has come.
    mutating func receive() { if stage < .readingHead { stage = .readingHead } }

    mutating func receive(interim status: HTTPStatus) {
        if status.code == 100, expectation == .asked { content?.expectation = .accepted }
    }

    enum HeadAction {
        case none
        /// The connection must not be used again: the server may still wait for the body, and would
        /// mistake the next request for it.
        case closeAfterwards
        /// The request is sent again, without the question.
        case startAgain
    }

    /// The final head has come.
    ///
    /// - Parameter mayBeHTTP1: `true` unless the connection is known to speak a later version.
    mutating func receive(head status: HTTPStatus?, mayBeHTTP1: Bool) -> HeadAction {
        stage = .receiving
        self.status = status
        guard expectation != .none, mayBeHTTP1 else { return .none }
        // After a 100 (Continue), the server has taken part of the body.
        if status?.code == 417, expectation == .asked, canSendAgain {
            nextStart = .expectationRefused
            return .startAgain
        }
        return isContentTaken ? .none : .closeAfterwards
    }

    /// The response says that this service does not respond for the origin. Returns `true` if the
    /// exchange begins again elsewhere.
    mutating func misdirect() -> Bool {
        guard canSendAgain, starts?.contains(.misdirected) != true else { return false }
        nextStart = .misdirected
        return true
    }

    enum EarlyAction {
        case none
        /// The rest of the body is not sent. libcurl itself stops sending.
        case cut
        /// The same, on a connection that closes: libcurl has to be stopped.
        case cutNow
    }

    /// The response has come before its request's body was sent.
    mutating func receive(early response: EarlyResponse) -> EarlyAction {
        content?.early = response
        guard response.cutsBody, content?.stage == .sending else { return .none }
        content?.stage = .cut
        return response.closes ? .cutNow : .cut
    }
}

// MARK: - The request's body

extension TransferMachine {
    /// libcurl has taken the last byte. Returns `true` at the first time.
    mutating func take() -> Bool {
        guard content?.stage == .sending else { return false }
        content?.stage = .taken
        return true
    }

    /// `true` if the last byte is not known to be written yet.
    var awaitsWritten: Bool {
        content?.stage == .taken && content?.hasReportedWritten == false
    }

    /// The last byte is written. This is reported once, even if the body is sent again.
    mutating func reportWritten() { content?.hasReportedWritten = true }

    /// The task that produces the body is to start. Returns `true` at the first time.
    mutating func produce() -> Bool {
        guard canSendAgain else { return false }
        content?.isProducing = true
        return true
    }

    /// `true` if the whole body is still available: it is in memory or in a file, or its producer
    /// has not started.
    var canSendAgain: Bool { content?.isProducing != true }
}

// MARK: - Starting again

extension TransferMachine {
    /// Returns the reason to start the exchange again, if libcurl's end is not the exchange's end.
    ///
    /// - Parameters:
    ///   - result: libcurl's code.
    ///   - socketError: The error because of which no socket could be made; 0 for none.
    mutating func freshStart(after result: Int32, socketError: Int32) -> FreshStart? {
        guard result != CHTTP_E_OK, failure == nil else { return nil }
        let isRepeatable = isRefused && canSendAgain
        guard
            let reason = nextStart.take()
                ?? (isRepeatable ? .refused : nil)
                ?? (isWritten ? nil : FreshStart(socketError: socketError))
        else { return nil }
        if reason == .refused, !isRepeatable { return nil }
        return begin(reason) ? reason : nil
    }

    /// Returns `true` if the exchange starts again because the connection cannot be used.
    mutating func startsAgain(after reason: FreshStart) -> Bool {
        canSendAgain && begin(reason)
    }

    private mutating func begin(_ reason: FreshStart) -> Bool {
        var all = starts ?? FreshStarts()
        defer { starts = all }
        return all.begin(reason)
    }

    /// The exchange is given to libcurl once more.
    ///
    /// - Parameter taken: The number of bytes of requests that libcurl has taken since the last
    ///   start.
    mutating func restart(_ reason: FreshStart, taken: Int) {
        stage = .connecting
        // A server that refuses the expectation has not seen the body.
        sends.startAgain(taken: reason == .expectationRefused ? 0 : taken)
        switch reason {
        case .refused, .unsettledConnection:
            stage = .queued
            content?.stage = .sending
        case .staleConnection, .spentConnection, .earlyInterim, .addressesExpired, .noDescriptors:
            break
        case .http3Failed:
            stage = .queued
            failure = nil
            content?.stage = .sending
        case .misdirected:
            stage = .queued
            content?.stage = .sending
            status = nil
            sends = Resends()
        case .silentConnection, .lostConnection: content?.stage = .sending
        case .expectationRefused:
            content?.stage = .sending
            content?.expectation = .none
            status = nil
        }
    }
}

// MARK: - The end

extension TransferMachine {
    enum Abandonment {
        /// The response has ended: there is nothing to abandon.
        case nothing
        /// The rest is read and dropped.
        case drain
        /// The connection is closed.
        case finish
    }

    /// The limit on the rest of a body that is read to keep the connection, in bytes.
    private static let drainLimit: Int64 = 1 << 20
    private static let redirectionDrainLimit: Int64 = 64 << 10

    /// The reader has gone. A short rest is read to keep the connection. A body that is still being
    /// sent to a server that wants it goes on, unless the connection is closed.
    ///
    /// - Parameter left: The number of bytes that are still to come, or `nil` if it is not known.
    mutating func abandon(left: Int64?) -> Abandonment {
        guard case .none = ending else { return .nothing }
        let limit = status?.isRedirection == true ? Self.redirectionDrainLimit : Self.drainLimit
        guard stage > .queued, let left, left <= limit,
            isContentTaken || content?.early?.isOutlived == true
        else {
            reader = .gone
            return .finish
        }
        if !isDraining { reader = .drained(until: nil) }
        return .drain
    }

    /// Limits the wait for the rest of the response. Returns `false` if it is not waited for.
    mutating func drain(until due: Int64) -> Bool {
        guard isDraining, !hasResponseEnded else { return false }
        reader = .drained(until: due)
        return true
    }

    /// The response has ended, while the request's body is being sent. Returns `true` if the body
    /// is sent to its end; otherwise the exchange is over.
    mutating func endResponse(_ end: Exchange.End) -> Bool {
        guard case .none = ending, content?.early?.isOutlived == true else { return false }
        ending = .response(end)
        return true
    }

    /// The sink of the body has failed after the response's end.
    mutating func endAgain(with error: HTTPError) {
        switch ending {
        case .none: break
        case .response: ending = .none
        case .all: ending = .all(.failed(error))
        }
    }

    mutating func end(_ end: Exchange.End) { ending = .all(end) }

    /// `true` if the handle may be used again, because nothing of this exchange can remain in it.
    var leavesHandleClean: Bool {
        guard case .all(.complete) = ending else { return false }
        return sends.count == 1 && starts == nil && expectation != .refused && isContentTaken
    }
}
