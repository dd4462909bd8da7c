#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// How much of a body has been read or sent.
public struct HTTPBodyProgress: Sendable, Hashable {
    public var bytes: Int64
    /// Of the whole body; `nil` when only the end will tell.
    public var length: Int64?

    public init(bytes: Int64, length: Int64?) {
        self.bytes = bytes
        self.length = length
    }

    /// From 0 to 1; `nil` when the length is unknown.
    public var fraction: Double? {
        length.map { $0 <= 0 ? 1 : max(0, min(1, Double(bytes) / Double($0))) }
    }

    /// What the end tells of a length that was unknown.
    fileprivate func ended() -> Self? { length == nil ? Self(bytes: bytes, length: bytes) : nil }
}

/// Told how much has arrived of a body that the request wants in memory, by whoever reads it there. An
/// attempt that is sent again counts from zero again.
package enum ReceivingProgress: HTTPRequestOption {
    package static var defaultValue: (@Sendable (HTTPBodyProgress) -> Void)? { nil }
}

extension HTTPBody {
    /// The same body, telling `report` after each piece how much of it has been read: of a request
    /// by its transport, of a response by its reader. A length that is unknown is told at the end.
    ///
    /// A replayable body stays so, is read in pieces of 64 KiB at most, in memory or not, and counts
    /// from zero each time it is sent. A one-shot body passes
    /// on trailers, its end and the giving up; the original must not be read beside it. `report` runs
    /// where the body is read: it should return at once.
    public func reportingProgress(
        _ report: @escaping @Sendable (HTTPBodyProgress) -> Void
    ) -> HTTPBody {
        reportingPieces { progress, _ in report(progress) }
    }

    /// As ``reportingProgress(_:)``, with the piece that was read; at an end that tells the length
    /// with an empty one.
    package func reportingPieces(
        _ report: @escaping @Sendable (HTTPBodyProgress, Data) -> Void
    ) -> HTTPBody {
        switch replay {
        case .always:
            HTTPBody(length: length, restarting: { ReportedBytes(body: self, report: report) })
        case .once:
            HTTPBody(source: ReportedBodySource(self, report), length: length)
        }
    }
}

/// One reading of a replayable body.
private struct ReportedBytes: AsyncSequence, Sendable {
    let body: HTTPBody
    let report: @Sendable (HTTPBodyProgress, Data) -> Void

    struct AsyncIterator: AsyncIteratorProtocol {
        var pieces: HTTPBody.AsyncIterator
        var progress: HTTPBodyProgress
        /// Of a piece that is longer than a step.
        var rest = Data()
        let report: @Sendable (HTTPBodyProgress, Data) -> Void

        mutating func next() async throws -> Data? {
            if rest.isEmpty {
                guard let piece = try await pieces.next() else {
                    if let end = progress.ended() { report(end, Data()) }
                    return nil
                }
                rest = piece
            }
            // From index 0, for whoever takes a piece for an array.
            let isStep = rest.count <= Self.stepLength && rest.startIndex == 0
            let step = isStep ? rest : Data(rest.prefix(Self.stepLength))
            rest = rest.dropFirst(step.count)
            progress.bytes += Int64(step.count)
            report(progress, step)
            return step
        }

        private static var stepLength: Int { 64 << 10 }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            pieces: body.makeAsyncIterator(),
            progress: HTTPBodyProgress(bytes: 0, length: body.length), report: report)
    }
}

/// A one-shot body, which keeps what only it knows: its trailers, and how it is given up.
private final class ReportedBodySource: HTTPBodySource {
    private struct State {
        var iterator: HTTPBody.AsyncIterator?
        var bytes: Int64 = 0
        var isOver = false
    }

    private let body: HTTPBody
    private let report: @Sendable (HTTPBodyProgress, Data) -> Void
    private let state: Locked<State>

    init(_ body: HTTPBody, _ report: @escaping @Sendable (HTTPBodyProgress, Data) -> Void) {
        self.body = body
        self.report = report
        self.state = Locked(State(iterator: body.makeAsyncIterator()))
    }

    func next() async throws -> Data? {
        // Taken out while it waits: calls of `next()` never overlap.
        guard var iterator = state.withLock({ $0.iterator.take() }) else {
            throw HTTPError.bodyAlreadyRead
        }
        let piece = try await iterator.next()
        let bytes: Int64? = state.withLock { state in
            guard !state.isOver else { return nil }
            state.iterator = iterator
            state.bytes += Int64(piece?.count ?? 0)
            return state.bytes
        }
        guard let bytes else { throw HTTPError.bodyAlreadyRead }
        let progress = HTTPBodyProgress(bytes: bytes, length: body.length)
        if let piece {
            report(progress, piece)
        } else if let end = progress.ended() {
            report(end, Data())
        }
        return piece
    }

    func abandon() {
        body.abandon()
        end()
    }

    func discard() async {
        await body.discard()
        end()
    }

    /// Dropping the iterator gives up what it reads.
    private func end() {
        let iterator = state.withLock { state in
            state.isOver = true
            return state.iterator.take()
        }
        _ = consume iterator
    }

    var trailers: HTTPHeaders? { body.trailers }
}
