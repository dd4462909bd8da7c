import HTTPCore
import HTTPTesting
import PortableFoundation

extension Probe {
    /// Sends `count` requests of every kind at once, cancels each at a random moment, and prints
    /// what is left.
    ///
    /// The moments are in real time on purpose, so that they fall at any stage of a transfer.
    func storm(_ url: String, count: Int, seed: UInt64) async throws {
        // Creates everything that exists once per process before the first count.
        try await useOnce(url)
        await settle { ProcessFigures.openDescriptors }
        let descriptors = ProcessFigures.openDescriptors

        let session = try makeSession()
        var random = SeededRandom(seed)
        let plans = (0..<count).map { number in
            Plan(kind: number % Plan.kinds, delay: .microseconds(Int(random.next() % 60_000)))
        }
        let outcomes = await withTaskGroup(of: Outcome.self) { group in
            for plan in plans {
                group.addTask { await outcome(of: plan, session, url) }
            }
            return await group.reduce(into: [Outcome: Int]()) { $0[$1, default: 0] += 1 }
        }
        // The session works as before.
        let bytes = try await session.response(for: "\(url)/bytes/1000").data()
        guard bytes.count == 1000 else { throw HTTPError(.internalFailure, "wrong content") }
        await close(session)
        await settle { ProcessFigures.openDescriptors - descriptors + liveHandles() }

        print("requests=\(count)")
        print("completed=\(outcomes[.completed, default: 0])")
        print("cancelled=\(outcomes[.cancelled, default: 0])")
        print("failed=\(outcomes[.failed, default: 0])")
        print("leaked_descriptors=\(ProcessFigures.openDescriptors - descriptors)")
        print("leaked_handles=\(liveHandles())")
    }

    private func useOnce(_ url: String) async throws {
        let session = try makeSession()
        _ = try await session.response(for: "\(url)/bytes/10").data()
        await close(session)
    }

    /// Waits at most two seconds for threads to end.
    private func settle(_ value: () -> Int) async {
        var last = value()
        for _ in 0..<100 {
            try? await Task.sleep(for: .milliseconds(20))
            let now = value()
            if now == last, now <= 0 { return }
            last = now
        }
    }

    private enum Outcome: Hashable { case completed, cancelled, failed }

    private struct Plan: Sendable {
        static let kinds = 8
        var kind: Int
        var delay: Duration
    }

    private func outcome(
        of plan: Plan, _ session: any HTTPSession, _ url: String
    ) async -> Outcome {
        let task = Task {
            switch plan.kind {
            case 0: _ = try await session.response(for: "\(url)/bytes/500").data()
            case 1: _ = try await session.response(for: "\(url)/bytes/3000000").data()
            case 2: _ = try await session.response(for: "\(url)/delay/30").data()
            case 3: _ = try await session.response(for: "\(url)/stall").data()
            case 4:
                let response = try await session.response(
                    for: "\(url)/drip?pieces=100&every=5&size=100")
                for try await _ in response.body {}
            case 5:
                let body = HTTPBody(length: nil) {
                    AsyncStream { continuation in
                        for _ in 0..<20 { continuation.yield(Data(count: 50_000)) }
                        continuation.finish()
                    }
                }
                let request = try HTTPRequest(.put, "\(unescaped: url)/echo", body: body)
                _ = try await session.response(for: request).data()
            case 6:
                // The body is discarded unread.
                _ = try await session.response(for: "\(url)/bytes/2000000")
            default:
                let response = try await session.response(for: "\(url)/bytes/2000000")
                for try await _ in response.body { break }
                await response.discard()
            }
        }
        async let cancelling: Void = {
            try? await Task.sleep(for: plan.delay)
            task.cancel()
        }()
        let result = await task.result
        await cancelling
        switch result {
        case .success: return .completed
        case .failure(let error):
            if error is CancellationError { return .cancelled }
            print("failure=kind \(plan.kind): \(error)")
            return .failed
        }
    }
}

extension HTTPBody {
    fileprivate init(
        length: Int64?, _ sequence: @escaping @Sendable () -> AsyncStream<Data>
    ) {
        self.init(length: length, restarting: { sequence() })
    }
}
