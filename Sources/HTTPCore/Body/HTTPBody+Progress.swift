package import PortableFoundation

extension HTTPBody {
    /// Returns the same body, calling `report` after each piece that is read: by the transport for
    /// a request, by the reader for a response. If the length is unknown, `report` is called once
    /// more at the end.
    ///
    /// A replayable body remains replayable, is read in pieces of at most 64 KiB, and counts from
    /// zero each time it is sent. A one-shot body keeps its trailers and its end, and passes on
    /// `discard()` and `abandon()`; do not read the original as well. `report` runs where the body
    /// is read, and must return quickly.
    ///
    /// - Parameter report: Receives the number of bytes so far, and the length of the whole body if
    ///   it is known.
    public func reportingProgress(
        _ report: @escaping @Sendable (_ bytes: Int64, _ length: Int64?) -> Void
    ) -> HTTPBody {
        reportingPieces { progress, _ in report(progress.bytes, progress.length) }
    }

    package func reportingProgress(
        _ report: @escaping @Sendable (HTTPBodyProgress) -> Void
    ) -> HTTPBody {
        reportingPieces { progress, _ in report(progress) }
    }

    /// Returns the same body, as `reportingProgress` does. `report` also receives the piece that
    /// was read, or an empty one for the last report of a body with an unknown length.
    package func reportingPieces(
        _ report: @escaping @Sendable (HTTPBodyProgress, Data) -> Void
    ) -> HTTPBody {
        switch replay {
        case .always:
            HTTPBody(
                of: self, restarting: { ReportedBytes(body: self, report: report) },
                report: report)
        case .once:
            reportingReading(report)
        }
    }

    private func reportingReading(
        _ report: @escaping @Sendable (HTTPBodyProgress, Data) -> Void
    ) -> HTTPBody {
        let progress = Locked(HTTPBodyProgress(bytes: 0, length: length))
        return wrapped(
            HTTPBodyHooks(
                piece: { piece in
                    let progress = progress.withLock { progress in
                        progress.bytes += Int64(piece.count)
                        return progress
                    }
                    report(progress, piece)
                    return .bytes(piece)
                },
                finishing: { _ in
                    if let end = progress.withLock({ $0.ended() }) { report(end, Data()) }
                }))
    }
}

/// One reading of a replayable body.
private struct ReportedBytes: AsyncSequence, Sendable {
    let body: HTTPBody
    let report: @Sendable (HTTPBodyProgress, Data) -> Void

    struct AsyncIterator: AsyncIteratorProtocol {
        var pieces: HTTPBody.AsyncIterator
        var progress: HTTPBodyProgress
        /// The rest of a piece that is longer than a step.
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
            // Starts at index 0, for callers that use a piece like an array.
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
