public import HTTPCore
import PortableFoundation

/// A session that answers each request with the first stub that matches it.
///
/// ```swift
/// let session = StubSession(
///     Stub(.get, "https://api.example.com/users/{id}", answers: .json(["name": "Ada"])),
///     Stub(.post, "/users", .json(["name": "Bob"]), answers: .status(.created)))
/// …
/// try session.assertAllUsed()
/// ```
///
/// It stands in for a transport and is as strict as ``MockSession``. It reads the request's body to
/// its end, as a server does, so a one-shot body cannot be sent again afterwards.
public final class StubSession: HTTPSession {
    /// A request and the stub that answered it.
    public struct Call: Sendable {
        /// The request that has arrived.
        public let request: StubbedRequest
        /// The index in the list of the stub that answered, or `nil` if none did.
        public let stub: Int?
    }

    private struct State {
        var stubs: StubList
        var calls: [Call] = []

        mutating func answer(
            _ asked: StubbedRequest, _ verdicts: [Stub.Verdict]
        ) -> StubList.Choice {
            let (choice, place) = stubs.choose(asked, verdicts)
            var asked = asked
            if case .answer(_, let matched) = choice { asked = matched }
            calls.append(Call(request: asked, stub: place))
            return choice
        }
    }

    private let state: Locked<State>
    private let clock: any HTTPClock
    private let fallback: (any HTTPSession)?
    private let honoured: [any HTTPTransportOption.Type]

    /// - Parameters:
    ///   - stubs: The stubs, asked in order.
    ///   - clock: the clock for delays: an ``HTTPTestClock``, or real time.
    ///   - fallback: the session for requests that no stub answers; without it, they fail.
    ///   - options: the transport options that the stubs honour; any other is refused.
    public init(
        _ stubs: [Stub], clock: any HTTPClock = .system, fallback: (any HTTPSession)? = nil,
        honouring options: [any HTTPTransportOption.Type] = []
    ) {
        state = Locked(State(stubs: StubList(stubs)))
        self.clock = clock
        self.fallback = fallback
        honoured = options
    }

    /// Creates a session of stubs, which are asked in order.
    public convenience init(_ stubs: Stub..., clock: any HTTPClock = .system) {
        self.init(stubs, clock: clock)
    }

    /// Adds a stub after all others.
    public func append(_ stub: Stub) { state.withLock { $0.stubs.append(stub) } }

    /// The requests so far, in order, answered or not.
    public var calls: [Call] { state.withLock { $0.calls } }

    /// Checks that every stub has given each of its answers, or has reached its limit.
    ///
    /// - Throws: `notAllUsed` with the names of the stubs that have not.
    public func assertAllUsed() throws(HTTPError) {
        let unused = state.withLock { $0.stubs.unused }
        guard !unused.isEmpty else { return }
        throw HTTPError(.notAllUsed, "not all stubs were used: " + unused.joined(separator: "; "))
    }

    /// - Throws: `notStubbed` with the nearest stub if none matches, or the error of the stub.
    public func response(for request: HTTPRequest) async throws -> HTTPResponse {
        var request = try request.prepared()
        _ = try request.checkedTarget(hasForwardingProxy: true)
        if fallback == nil { try checkOptions(of: request) }
        try Task.checkCancellation()
        let body = try await request.bodyAsSent()
        if !request.body.canBeSent { request.body = HTTPBody(body) }

        let asked = StubbedRequest(request, body: body)
        // Matchers are test code: they run outside the lock, so that they may call the session.
        let verdicts = state.withLock { $0.stubs.all }.map { $0.judge(asked) }
        switch state.withLock({ $0.answer(asked, verdicts) }) {
        case .answer(let answer, let asked):
            try checkOptions(of: request)
            return try await MockSession(honouring: honoured) { [clock] request in
                try await answer.response(to: asked.sent(as: request), clock: clock)
            }.response(for: request)
        case .none(let explanation):
            if let fallback { return try await fallback.response(for: request) }
            throw HTTPError(.notStubbed, explanation, phase: .preparing)
        }
    }

    private func checkOptions(of request: HTTPRequest) throws(HTTPError) {
        try request.options.checkTransportOptions(known: honoured, transport: "StubSession")
    }
}

extension HTTPRequest {
    /// Reads all bytes of the body.
    ///
    /// - Throws: `requestBodyFailed` with the underlying error, or `CancellationError`.
    func bodyAsSent() async throws -> Data {
        do {
            return try await body.collect()
        } catch let error as CancellationError {
            throw error
        } catch {
            throw HTTPError(
                .requestBodyFailed, "the request's body could not be read", phase: .preparing,
                underlyingError: error)
        }
    }
}

/// The stubs with the number of uses of each. Only decides; has no other side effects.
struct StubList {
    enum Choice {
        case answer(StubAnswer, to: StubbedRequest)
        /// The reason why no stub answers.
        case none(String)
    }

    private var stubs: [(stub: Stub, uses: Int)]

    init(_ stubs: [Stub]) { self.stubs = stubs.map { ($0, 0) } }

    var all: [Stub] { stubs.map(\.stub) }

    mutating func append(_ stub: Stub) { stubs.append((stub, 0)) }

    var unused: [String] {
        stubs.filter { $0.uses < $0.stub.expectedUses }.map { stub, uses in
            let expected = stub.expectedUses
            return "\(stub)" + (expected > 1 ? " (\(uses) of \(expected) times)" : "")
        }
    }

    /// Counts the first stub that matches as used, and returns its answer and its index.
    ///
    /// - Parameter verdicts: the verdicts of the stubs in order; stubs added since are skipped.
    mutating func choose(
        _ asked: StubbedRequest, _ verdicts: [Stub.Verdict]
    ) -> (Choice, place: Int?) {
        var nearest: (place: Int, reasons: [String], matched: Int)?
        for (place, verdict) in verdicts.enumerated() {
            let (stub, uses) = stubs[place]
            switch verdict {
            case .match(let variables):
                guard let answer = stub.answer(after: uses) else {
                    // A stub that matches is nearer than any that does not.
                    if nearest?.matched ?? -1 < .max {
                        nearest = (place, ["it has reached its limit of \(uses)"], .max)
                    }
                    continue
                }
                stubs[place].uses += 1
                var asked = asked
                asked.variables = variables
                return (.answer(answer, to: asked), place)
            case .mismatch(let differences, let matched):
                if nearest?.matched ?? -1 < matched {
                    nearest = (place, differences.map(\.description), matched)
                }
            }
        }
        let url = Redaction().redacted(asked.request.url.absoluteString)
        var text = "no stub answers \(asked.request.method) \(url)"
        if let nearest {
            text +=
                "; the nearest is stub \(nearest.place + 1) of \(stubs.count), "
                + "\(stubs[nearest.place].stub): " + nearest.reasons.joined(separator: ", ")
        } else {
            text += ": there are none"
        }
        return (.none(text), nil)
    }
}
