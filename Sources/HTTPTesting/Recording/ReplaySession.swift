public import HTTPCore
import HTTPFormats
import PortableFoundation

/// The rules for matching a request to a recorded exchange.
///
/// Method, URL and body must be equal after their secrets are replaced. If both bodies are JSON,
/// they are compared as JSON. Each of several equal exchanges answers one request, in the order in
/// which they were recorded.
public struct ReplayRules: Sendable {
    /// The rules for secrets; must be the same as when the recording was made.
    public var redaction: Redaction
    /// Query keys that may have any value, or be missing, such as a time stamp or a nonce.
    public var ignoredQueryKeys: Set<String> = []
    /// `true` if the request may have any body.
    public var ignoresBody = false
    /// Fields that must have the recorded values; other fields may differ. Secret fields must only
    /// be present.
    public var comparedFields: [HTTPHeaderName] = []
    /// `true` if the last of several equal exchanges answers all further requests.
    public var repeatsLast = false

    /// Creates rules that compare the method, the URL and the body. `redaction` must be that of the
    /// recording, since requests are compared without their secrets.
    public init(redacting redaction: Redaction = Redaction()) { self.redaction = redaction }
}

/// A session that replays recorded exchanges without a network.
///
/// It stands in for a transport and is as strict as ``MockSession``. A request that is not recorded
/// fails with `notStubbed`, which says how the nearest recorded one differs. In an update, it is
/// sent and recorded instead. See ``recording``. Secret fields of a response are missing, because
/// they were not recorded.
public final class ReplaySession: HTTPSession {
    private let list: Locked<ReplayList>
    private let rules: ReplayRules
    private let recorder: RecordingSession?
    private let honoured: [any HTTPTransportOption.Type]

    /// - Parameters:
    ///   - recording: The exchanges to replay.
    ///   - rules: The rules by which requests are matched with recorded ones.
    ///   - session: the session for requests that are not recorded; without it, they fail.
    ///   - options: the transport options that do not matter here; any other is refused.
    public init(
        _ recording: Recording, rules: ReplayRules = ReplayRules(),
        updatingThrough session: (any HTTPSession)? = nil,
        honouring options: [any HTTPTransportOption.Type] = []
    ) {
        list = Locked(ReplayList(recording, rules))
        self.rules = rules
        recorder = session.map { RecordingSession($0, redacting: rules.redaction) }
        honoured = options
    }

    /// The recording that an update writes: the exchanges that were requested, and those that were
    /// sent meanwhile.
    public var recording: Recording {
        var recording = Recording()
        for exchange in list.withLock({ $0.used }) { recording.append(exchange) }
        for exchange in recorder?.recording.exchanges ?? [] { recording.append(exchange) }
        return recording
    }

    /// The requests that were sent and are not in ``recording`` yet.
    var openRequests: [Recording.Request] { recorder?.openRequests ?? [] }

    /// Checks that every recorded exchange has been requested.
    ///
    /// - Throws: `notAllUsed` with the exchanges that have not.
    public func assertAllUsed() throws(HTTPError) {
        let unused = list.withLock { $0.unused }
        guard !unused.isEmpty else { return }
        let names = unused.map { "\($0.request.method) \($0.request.url)" }
        throw HTTPError(
            .notAllUsed,
            "not all recorded exchanges were requested: " + names.joined(separator: "; "))
    }

    public func response(for request: HTTPRequest) async throws -> HTTPResponse {
        var request = try request.prepared()
        _ = try request.checkedTarget(hasForwardingProxy: true)
        try request.options.checkTransportOptions(known: honoured, transport: "ReplaySession")
        try Task.checkCancellation()
        let body = try await request.bodyAsSent()
        if !request.body.canBeSent { request.body = HTTPBody(body) }

        let asked = Recording.Request(request, body: body, rules.redaction)
        switch list.withLock({ $0.take(asked) }) {
        case .exchange(let exchange):
            return try await MockSession(honouring: honoured) { request in
                try exchange.outcome.response(to: request)
            }.response(for: request)
        case .miss(let explanation):
            if let recorder { return try await recorder.response(for: request) }
            throw HTTPError(.notStubbed, explanation, phase: .preparing)
        }
    }
}

/// The recorded exchanges, and which of them are used. Only decides; has no other side effects.
struct ReplayList {
    enum Choice: Equatable {
        case exchange(Recording.Exchange)
        /// The reason why no exchange matches.
        case miss(String)
    }

    private var exchanges: [(exchange: Recording.Exchange, isUsed: Bool)]
    private let rules: ReplayRules

    init(_ recording: Recording, _ rules: ReplayRules) {
        exchanges = recording.exchanges.map { ($0, false) }
        self.rules = rules
    }

    var used: [Recording.Exchange] { exchanges.filter(\.isUsed).map(\.exchange) }
    var unused: [Recording.Exchange] { exchanges.filter { !$0.isUsed }.map(\.exchange) }

    mutating func take(_ asked: Recording.Request) -> Choice {
        var nearest: (place: Int, differences: [Difference], distance: Int)?
        var last: Int?
        for place in exchanges.indices {
            let differences = differences(exchanges[place].exchange.request, asked)
            if differences.isEmpty {
                guard exchanges[place].isUsed else {
                    exchanges[place].isUsed = true
                    return .exchange(exchanges[place].exchange)
                }
                last = place
            }
            let distance = differences.reduce(0) { $0 + $1.weight }
            if distance < nearest?.distance ?? .max { nearest = (place, differences, distance) }
        }
        if let last, rules.repeatsLast { return .exchange(exchanges[last].exchange) }

        var text = "no recorded exchange answers \(asked.method) \(asked.url)"
        if last != nil {
            let count = exchanges.count { differences($0.exchange.request, asked).isEmpty }
            text +=
                ": it was recorded \(count == 1 ? "once" : "\(count) times")"
                + " and has been requested more often"
        } else if let nearest {
            let request = exchanges[nearest.place].exchange.request
            let list = nearest.differences.map(\.description).joined(separator: ", ")
            text += "; the nearest is \(request.method) \(request.url): \(list)"
        } else {
            text += ": the recording is empty"
        }
        return .miss(text)
    }

    // MARK: Comparing

    private func differences(
        _ recorded: Recording.Request, _ asked: Recording.Request
    ) -> [Difference] {
        var differences: [Difference] = []
        if recorded.method != asked.method {
            differences.append(
                Difference(
                    part: "the method", expected: recorded.method, found: asked.method, weight: 100)
            )
        }
        differences += urlDifferences(recorded.url, asked.url)
        for name in rules.comparedFields {
            func value(_ request: Recording.Request) -> String? {
                let fields = request.fields.filter { HTTPHeaderName($0.name) == name }
                if fields.isEmpty { return nil }
                return fields.map { $0.value ?? "<redacted>" }.joined(separator: ", ").logSafe
            }
            let (expected, found) = (value(recorded), value(asked))
            if expected != found {
                differences.append(
                    Difference(part: "the field \(name)", expected: expected, found: found))
            }
        }
        if !rules.ignoresBody {
            differences += Difference.between(
                expected: recorded.body, found: asked.body, rules.redaction)
        }
        return differences
    }

    private func urlDifferences(_ recorded: String, _ asked: String) -> [Difference] {
        if recorded == asked { return [] }
        let (expected, found) = (parts(recorded), parts(asked))
        if expected.base != found.base {
            return [
                Difference(
                    part: "the URL", expected: expected.base, found: found.base, weight: 1000)
            ]
        }
        var names: [String] = []
        for (name, _) in expected.pairs + found.pairs where !names.contains(name) {
            names.append(name)
        }
        func values(_ name: String, _ pairs: [(String, String)]) -> String? {
            let values = pairs.filter { $0.0 == name }.map(\.1)
            return values.isEmpty ? nil : values.joined(separator: ", ").logSafe
        }
        var differences = names.compactMap { name -> Difference? in
            let (one, other) = (values(name, expected.pairs), values(name, found.pairs))
            if one == other { return nil }
            return Difference(part: "the query's \(name.logSafe)", expected: one, found: other)
        }
        if differences.isEmpty, !expected.pairs.elementsEqual(found.pairs, by: ==) {
            differences.append(Difference(part: "the order of the query"))
        }
        return differences
    }

    /// Returns the URL up to its query, and the query's pairs that are compared.
    private func parts(_ url: String) -> (base: String, pairs: [(String, String)]) {
        let url = url.prefix { $0 != "#" }
        guard let mark = url.firstIndex(of: "?") else { return (String(url), []) }
        let pairs = FormURLEncoded(parsing: String(url[url.index(after: mark)...])).pairs
        return (
            String(url[..<mark]),
            pairs.filter { !rules.ignoredQueryKeys.contains($0.name) }.map { ($0.name, $0.value) }
        )
    }
}
