package import HTTPClientKit

/// The last calls of a client, made from its events, and the latest statistics.
///
/// It is a value without locks, clocks and input: all times are those of the events. What readers
/// have not seen yet follows from a revision number, so the store keeps nothing for a reader, and
/// a slow one misses only states in between.
package struct CallStore: Sendable {
    private struct Entry {
        var call: ObservedCall
        let start: Duration
        var revision: Int
    }

    private let limit: Int
    private var entries: [Entry] = []
    /// The number of calls that were seen. The last of them are in `entries`.
    private var count = 0
    private var numbers: [UInt64: Int] = [:]
    private var statistics = ObservedStatistics()
    private var statisticsRevision = 0
    /// A number that grows with each change.
    package private(set) var revision = 0

    /// - Parameter limit: The number of calls to keep. The oldest makes room for a new one.
    package init(limit: Int = 200) { self.limit = max(1, limit) }

    // MARK: Changes

    /// Notes that a call has begun.
    package mutating func begin(_ id: UInt64, _ method: HTTPMethod, _ url: String, at: Duration) {
        revision += 1
        let call = ObservedCall(
            id: id, number: count, method: method.rawValue.shortened(to: 20),
            url: url.shortened(to: 300), startedAt: at.milliseconds)
        entries.append(Entry(call: call, start: at, revision: revision))
        numbers[id] = count
        count += 1
        if entries.count > limit { numbers[entries.removeFirst().call.id] = nil }
    }

    /// Notes an event. One of a call that is no longer in the store is dropped.
    package mutating func note(
        _ kind: HTTPEvent.Kind, exchange: Int? = nil, of id: UInt64, at: Duration
    ) {
        guard let number = numbers[id] else { return }
        let place = number - (count - entries.count)
        revision += 1
        entries[place].revision = revision
        entries[place].call.note(kind, exchange: exchange, at: at - entries[place].start)
    }

    /// Replaces the statistics.
    package mutating func note(_ statistics: ObservedStatistics) {
        revision += 1
        self.statistics = statistics
        statisticsRevision = revision
    }

    // MARK: Reading

    /// A message to a page.
    package struct Update: Encodable, Equatable, Sendable {
        /// `true` for a first message: the page forgets all that it has.
        package var isSnapshot: Bool
        package var revision: Int
        /// The time since the store began.
        package var now: Double
        /// The number of the oldest call in the store: the page forgets those before it.
        package var first: Int
        /// The calls that have changed.
        package var calls: [ObservedCall]
        /// The statistics, if they have changed.
        package var statistics: ObservedStatistics?
    }

    /// Returns the changes since a revision, or everything.
    ///
    /// - Parameter revision: The revision that the reader has; `nil` for a new reader.
    /// - Returns: `nil` if nothing has changed.
    package func update(after revision: Int?, at now: Duration) -> Update? {
        if let revision, revision >= self.revision { return nil }
        let seen = revision ?? -1
        return Update(
            isSnapshot: revision == nil, revision: self.revision, now: now.milliseconds,
            first: count - entries.count,
            calls: entries.filter { $0.revision > seen }.map(\.call),
            statistics: statisticsRevision > seen ? statistics : nil)
    }
}

extension ObservedCall {
    /// Applies an event. Requests and heads in it are read for their method, log-safe URL and
    /// status only.
    mutating func note(_ kind: HTTPEvent.Kind, exchange number: Int?, at: Duration) {
        let now = at.milliseconds
        switch kind {
        case .callEnded(let end):
            total = now
            switch end {
            case .complete: state = .ended
            case .abandoned: state = .abandoned
            case .failed(let error): fail(with: error)
            }
        case .callFailed(let error):
            total = now
            fail(with: error)
        case .layer(let decision as HTTPRetryEvent):
            guard decisions.count < Self.limit else { return }
            var wait: Double?
            if case .granted(let delay) = decision.outcome { wait = delay.milliseconds }
            decisions.append(
                Decision(
                    at: now, attempt: decision.attempt, cause: decision.cause.shortened(to: 100),
                    wait: wait, text: decision.description.shortened(to: 300)))
        case .layer(let status as HTTPCacheStatus):
            guard cache.count < Self.limit else { return }
            var word = status.isHit ? "hit" : status.forward?.rawValue ?? "none"
            if !status.isHit, status.forwardStatus == .notModified { word = "revalidated" }
            cache.append(CacheVerdict(word: word, text: status.description.shortened(to: 200)))
        case .layer(let redirect as HTTPRedirectEvent):
            let (code, url) = (redirect.response.status.code, redirect.request.url)
            add(note: "\(code): redirected to \(url.logSafe)", now)
        case .layer(HTTPOriginGuardEvent.secretWithheld(let name, _)):
            add(note: "\(name) was withheld", now)
        case .layer(HTTPOriginGuardEvent.optionWithheld(let name, _)):
            add(note: "the option \(name) was withheld", now)
        case .layer(HTTPCredentialEvent.challenged(let head, let isAnswered)):
            let answer = isAnswered ? "credentials are sent" : "no credentials are sent"
            add(note: "\(head.status.code): \(answer)", now)
        case .layer(HTTPCredentialEvent.refreshing):
            add(note: "waits for new credentials", now)
        case .layer(HTTPCredentialEvent.refreshed(let error)):
            add(note: "new credentials \(error == nil ? "are there" : "could not be had")", now)
        case .head(let head):
            status = head.status.code
            change(number, by: kind, at: at)
        case .queued(let request):
            guard let number, number == exchanges.count + 1, number <= Self.limit else { return }
            exchanges.append(ObservedExchange(number, of: request, startedAt: now))
            exchanges[number - 1].drawPhases()
        default: change(number, by: kind, at: at)
        }
    }

    private mutating func change(_ number: Int?, by kind: HTTPEvent.Kind, at: Duration) {
        guard let number, exchanges.indices.contains(number - 1) else { return }
        exchanges[number - 1].note(kind, at: at)
    }

    private mutating func add(note text: String, _ now: Double) {
        guard notes.count < Self.limit else { return }
        notes.append(Note(at: now, text: text.shortened(to: 300)))
    }

    private mutating func fail(with error: any Error) {
        state = .failed
        self.error = HTTPError.typeName(of: error).shortened(to: 60)
        // The text of a foreign error may have more in it than a page should show.
        errorText = (error as? HTTPError).map { $0.description.shortened(to: 500) }
        if let code = (error as? HTTPError)?.status?.code { status = code }
    }
}

extension ObservedExchange {
    /// Applies an event of this exchange.
    mutating func note(_ kind: HTTPEvent.Kind, at: Duration) {
        let elapsed = at - .milliseconds(startedAt)
        switch kind {
        case .sending:
            step = .sending
            times.admitted = elapsed
        case .resolving: step = .name
        case .resolved: times.nameResolved = elapsed
        case .connecting: step = .connect
        case .securing:
            step = .tls
            if times.connected == nil { times.connected = elapsed }
        case .connected(let snapshot):
            note(snapshot)
            if times.sending == nil { times.sending = elapsed }
        case .sent: sent = elapsed
        case .head(let head):
            status = head.status.code
            version = head.version?.rawValue ?? version
            if times.firstByte == nil { times.firstByte = elapsed }
        case .ended(let end, let snapshot):
            note(snapshot)
            if times.lastByte == nil { times.lastByte = elapsed }
            isOver = true
            if case .failed(let failure) = end { error = HTTPError.typeName(of: failure) }
            if case .abandoned = end { error = "abandoned" }
        case .failed(let failure):
            let snapshots = (failure as? HTTPError)?.timeline?.exchanges ?? []
            if snapshots.indices.contains(number - 1) { note(snapshots[number - 1]) }
            times.lastByte = elapsed
            isOver = true
            error = HTTPError.typeName(of: failure).shortened(to: 60)
        default: return
        }
        drawPhases()
    }
}
