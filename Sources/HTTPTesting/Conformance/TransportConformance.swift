public import HTTPCore

/// A suite of conformance cases for transports, which any `HTTPSession` can run.
///
/// Each case sends requests to a ``LoopbackServer`` of its own over cleartext HTTP/1.1, and checks
/// the results on both sides. It works with any test framework:
///
/// ```swift
/// let conformance = TransportConformance("MyTransport") { MyTransport() }
///
/// @Test(arguments: conformance.cases)
/// func `it is a transport`(_ example: TransportConformance.Case) async throws {
///     try await conformance.run(example)
/// }
/// ```
///
/// Exclude the cases that a transport cannot pass, by name and with a reason. Exclusions are
/// checked: an excluded case is still run, and has to fail.
public struct TransportConformance: Sendable {
    /// A case that a transport does not pass, with the reason.
    public struct Exclusion: Sendable, Hashable {
        /// The name of the case.
        public let name: String
        /// The reason, which is part of the report.
        public let reason: String
        /// `true` if the case is run to check that it still fails.
        public let isAttempted: Bool

        /// - Parameters:
        ///   - name: the name of the case.
        ///   - reason: what prevents the transport from passing, and why it cannot be changed.
        ///   - isAttempted: `false` for a case that would end the process, hang, or fail by chance.
        public init(_ name: String, because reason: String, isAttempted: Bool = true) {
            self.name = name
            self.reason = reason
            self.isAttempted = isAttempted
        }
    }

    /// The outcome of a case that has not failed. A failure is thrown.
    public enum Outcome: Sendable, Hashable, CustomStringConvertible {
        /// The transport has passed.
        case passed
        /// The transport cannot pass, as its exclusion says.
        case excluded(reason: String)
        /// This machine lacks what the case needs.
        case unavailable(reason: String)

        public var description: String {
            switch self {
            case .passed: "pass"
            case .excluded(let reason): "excluded: \(reason.escapingControls())"
            case .unavailable(let reason): "not available here: \(reason.escapingControls())"
            }
        }
    }

    /// The whole suite, in the order of its families.
    package static let allCases: [Case] =
        RequestCases.all + TargetCases.all + UploadCases.all + StatusCases.all + FieldCases.all
        + FramingCases.all + CodingCases.all + RestraintCases.all + FaultCases.all
        + CancellationCases.all + TimeLimitCases.all + ConnectionCases.all + DeliveryCases.all
        + GivingUpCases.all + ReachCases.all + ReportCases.all

    /// The name of the transport in reports.
    public let transport: String
    package let exclusions: [Exclusion]
    private let makeSession: @Sendable () async throws -> any HTTPSession

    /// - Parameters:
    ///   - transport: The name of the transport in reports.
    ///   - exclusions: The cases that the transport cannot pass, with reasons.
    ///   - makeSession: returns a session without connections and with the default time limits of a
    ///     request. Called once per case.
    public init(
        _ transport: String, excluding exclusions: [Exclusion] = [],
        makeSession: @escaping @Sendable () async throws -> any HTTPSession
    ) {
        self.transport = transport
        self.exclusions = exclusions
        self.makeSession = makeSession
    }

    /// The cases to run, including the excluded ones.
    public var cases: [Case] { Self.allCases }

    /// Runs one case for at most `limit`, even if the transport does not respond to cancellation.
    ///
    /// - Throws: ``ConformanceFailure`` if the transport does not pass, if an excluded case passes,
    ///   or if the exclusions name a case that does not exist, name one twice, or give no reason;
    ///   `CancellationError`.
    @discardableResult
    public func run(_ example: Case, within limit: Duration = .seconds(30)) async throws -> Outcome
    {
        try checkExclusions()
        let exclusion = exclusions.first { $0.name == example.name }
        if let exclusion, !exclusion.isAttempted { return .excluded(reason: exclusion.reason) }
        do {
            let session = try await makeSession()
            try await example.run(on: session, within: limit)
        } catch let missing as ConformanceExam.Unavailable {
            return exclusion.map { .excluded(reason: $0.reason) }
                ?? .unavailable(reason: missing.reason)
        } catch let failure as ConformanceFailure {
            guard let exclusion else { throw failure }
            return .excluded(reason: exclusion.reason)
        }
        guard exclusion == nil else {
            throw ConformanceFailure(
                example.name, "is excluded, but passes: remove its exclusion")
        }
        return .passed
    }

    private func checkExclusions() throws(ConformanceFailure) {
        var seen: Set<String> = []
        for exclusion in exclusions {
            guard Self.names.contains(exclusion.name) else {
                throw ConformanceFailure(exclusion.name, "is excluded, but no case has this name")
            }
            guard seen.insert(exclusion.name).inserted else {
                throw ConformanceFailure(exclusion.name, "is excluded twice")
            }
            guard exclusion.reason.contains(where: { !$0.isWhitespace }) else {
                throw ConformanceFailure(exclusion.name, "is excluded without a reason")
            }
        }
    }

    private static let names = Set(allCases.map(\.name))
}
