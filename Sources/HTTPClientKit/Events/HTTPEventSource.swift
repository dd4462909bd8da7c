public import HTTPCore
public import HTTPFormats
import HTTPValidation

/// When and how an event source connects again.
public struct HTTPEventSourceOptions: Sendable {
    /// The requests after which an event source connects again.
    public enum Reconnection: Hashable, Sendable {
        /// Reconnects after GET, HEAD, OPTIONS and TRACE, which may be repeated safely. Any other
        /// request, such as a prompt to a model, is sent once, and its events end with the body.
        case safeMethods
        /// Reconnects after any request. The server must accept that it is sent more than once.
        case always
        /// Sends the request once. The events end with its body.
        case never
    }

    /// The requests after which the source connects again.
    public var reconnection = Reconnection.safeMethods
    /// The wait before a new connection, until the server sets another, of half a second at least.
    public var reconnectionTime = Duration.seconds(3)
    /// The upper limit of a wait, whatever the server sets and however often connections fail; a
    /// minute by default.
    public var longestWait = ServerTime.longestWait
    /// The number of connections in a row that may fail before the events end with the last one's
    /// error. A stream that was opened and then ended is no failure.
    public var maxFailures = 10
    /// The last event ID of an earlier source.
    public var lastEventID = ""
    /// The limit in bytes for one line, and for one event's data.
    public var limit = HTTPBody.defaultLimit
    /// The clock for the waits. If it is real time, the clock of the session's client is used.
    public var clock: any HTTPClock = .system

    /// Creates options with the defaults.
    public init() {}
}

/// The events of an event stream, over as many connections as necessary (HTML Standard §9.2).
///
/// After a connection ends or breaks, the source connects again with `Last-Event-ID`, after the
/// time that the server has set. A 204 ends the sequence. Any other response except a 200 of type
/// `text/event-stream` ends it with an error; but 429, 502, 503 and 504 to a source that had events
/// before count as failed connections, and their `Retry-After` is waited for, up to
/// ``HTTPEventSourceOptions/longestWait``. Each iterator has its own connection, opened when the
/// first event is requested. Dropping the iterator closes the connection, and cancelling its task
/// ends any wait.
///
/// An event's identifier is sent back if a field can hold it and if it has at most 4 KiB.
/// Otherwise the one before it is sent, and the server may repeat events.
///
/// A task's inherited deadline does not apply (``/HTTPCore/HTTPDeadline``), nor do idle and total
/// limits that the request and its client leave at ``/HTTPCore/HTTPTimeouts/Limit/standard``: a
/// stream may be silent for long. All other limits apply to each connection. A deadline that a
/// client sets for each call ends a connection, not the events. A deadline of the request ends the
/// sequence, and so does closing the client.
public struct HTTPEventSource: AsyncSequence, Sendable {
    public typealias Element = ServerSentEvent

    let session: any HTTPSession
    let pending: PendingRequest
    let end: String?
    let options: HTTPEventSourceOptions

    init(
        _ session: any HTTPSession, _ pending: PendingRequest, endingAt end: String?,
        _ options: HTTPEventSourceOptions
    ) {
        var request = pending.request
        request.delivery = .streamed
        if !request.headers.contains(.accept) {
            request.headers[.accept] = "text/event-stream"
        }
        if !request.headers.contains(.cacheControl) { request.headers[.cacheControl] = "no-store" }
        self.pending = PendingRequest(request: request, limit: pending.limit)
        (self.session, self.end, self.options) = (session, end, options)
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum State {
            case closed
            case open(HTTPBody.ServerSentEvents.AsyncIterator)
            case over
        }

        private let source: HTTPEventSource
        private let request: HTTPRequest
        /// The clock of the calls, and of the deadline that limits them.
        private let callClock: any HTTPClock
        private var machine: EventSourceMachine
        private var state = State.closed
        /// The original request of the last response that was an event stream.
        private(set) var originalRequest: HTTPRequest?

        fileprivate init(_ source: HTTPEventSource) {
            self.source = source
            let callClock = source.session.callClock
            request = source.pending.begun(on: callClock)
            self.callClock = callClock
            machine = EventSourceMachine(source.options, for: request)
        }

        public mutating func next() async throws -> ServerSentEvent? {
            try await next(isolation: nil)
        }

        /// Runs on the caller's actor; the argument is ignored.
        public nonisolated(nonsending) mutating func next(
            isolation _: (any Actor)?
        ) async throws -> ServerSentEvent? {
            do {
                while true {
                    switch state {
                    case .over: return nil
                    case .closed: try await open()
                    case .open(var events):
                        state = .over  // unless an event comes, the stream is abandoned
                        if let event = try await read(&events) {
                            state = .open(events)
                            return event
                        }
                    }
                }
            } catch {
                state = .over
                throw error
            }
        }

        /// Returns the next event; `nil` if the connection is over. The state then says what
        /// follows.
        private mutating func read(
            _ events: inout HTTPBody.ServerSentEvents.AsyncIterator
        ) async throws -> ServerSentEvent? {
            do {
                let event = try await events.next()
                learn(from: events)
                if event == nil, !events.isAtEnd { try await take(machine.ended(), after: nil) }
                return event
            } catch let error as HTTPError {
                learn(from: events)
                try await take(machine.broke(error), after: error)
                return nil
            }
        }

        private mutating func learn(from events: HTTPBody.ServerSentEvents.AsyncIterator) {
            machine.received(
                lastEventID: events.lastEventID, reconnectionTime: events.reconnectionTime)
        }

        private mutating func open() async throws {
            var request = request
            let defaults = source.session.client?.configuration.timeouts ?? HTTPTimeouts()
            for limit in [\HTTPTimeouts.idle, \.total]
            where request.timeouts[keyPath: limit] == .standard
                && defaults[keyPath: limit] == .standard
            {
                request.timeouts[keyPath: limit] = .never
            }
            if !machine.resumptionID.isEmpty {
                request.headers[.lastEventID] = machine.resumptionID
            }
            do {
                let response = try await HTTPDeadline.none {
                    try await source.session.response(for: request)
                }
                if response.status == .noContent {
                    await response.discard()
                    state = .over
                    return
                }
                let events = try await events(of: response)
                originalRequest = response.originalRequest
                machine.opened()
                state = .open(events.makeAsyncIterator())
            } catch let error as HTTPError {
                let retryAfter = error.response?.headers.retryDelay(
                    now: source.options.clock.date)
                try await take(machine.didNotOpen(error, retryAfter: retryAfter), after: error)
            }
        }

        /// Returns the events of a response, or throws an error with the first bytes of what came
        /// instead, such as the JSON of an error.
        private func events(
            of response: HTTPResponse
        ) async throws -> HTTPBody.ServerSentEvents {
            let refusal: HTTPError
            do throws(HTTPError) {
                return try response.serverSentEvents(
                    after: machine.lastEventID, upTo: source.options.limit, endingAt: source.end)
            } catch {
                refusal = error
            }
            let prefix = try await response.bodyPrefix(
                upTo: request.errorBodyLimit, on: source.options.clock)
            response.body.abandon()
            throw refusal.keeping(bodyPrefix: prefix)
        }

        private func wait(_ duration: Duration) async throws {
            if let deadline = request.deadline, callClock.now + duration >= deadline {
                throw TimeLimits(request, session: HTTPTimeouts()).timedOut(
                    .deadline, phase: .preparing, mayHaveReachedServer: true
                ).ending(originalRequest ?? request)
            }
            let own = source.options.clock
            let clock = own is HTTPSystemClock ? callClock : own
            do {
                try await clock.sleep(
                    until: clock.now + duration, unless: source.session.knownClosing)
            } catch let error as HTTPError {
                throw error.naming(originalRequest ?? request)
            }
        }

        private mutating func take(
            _ step: EventSourceMachine.Step, after error: HTTPError?
        ) async throws {
            switch step {
            case .wait(let duration):
                try await wait(duration)
                state = .closed
            case .end: state = .over
            case .fail: if let error { throw error.naming(originalRequest ?? request) }
            }
        }
    }
}

extension HTTPSession {
    /// Returns the events of a server; see ``/HTTPClientKit/HTTPEventSource``. Sends nothing yet.
    ///
    /// - Parameters:
    ///   - request: The request for the event stream.
    ///   - end: The data of the event that ends the sequence, such as `[DONE]`. That event is not
    ///     returned, the rest of the response is discarded, and there is no new connection. At the
    ///     end of a response it needs no blank line. A response that ends before it counts as
    ///     broken: `bodyIncomplete` if the source does not connect again.
    ///   - options: The settings; the defaults if left out.
    /// - Throws: `invalidRequest` if `request` is not valid.
    public func events(
        from request: any HTTPRequestConvertible, endingAt end: String? = nil,
        options: HTTPEventSourceOptions = HTTPEventSourceOptions()
    ) throws -> HTTPEventSource {
        HTTPEventSource(self, try PendingRequest(request), endingAt: end, options)
    }
}
