package import HTTPCore
package import PortableFoundation

/// A source that plays a list of steps and counts its calls.
package final class ScriptedBodySource: HTTPBodySource {
    package struct Failure: Error, Equatable {
        package init() {}
    }

    package enum Step: Sendable, ExpressibleByStringLiteral {
        case piece(Data)
        case fail
        /// Opens the first gate when a reader arrives, and waits for the second.
        case stall(reached: Gate, until: Gate)

        package init(stringLiteral value: String) { self = .piece(Data(value.utf8)) }
    }

    private struct State {
        var steps: [Step]
        var reads = 0
        var abandons = 0
        var discards = 0
        var isOver = false
    }

    private let state: Locked<State>
    private let finalTrailers: HTTPHeaders?
    private let discarding: (@Sendable () async -> Void)?

    package init(
        _ steps: [Step], trailers: HTTPHeaders? = nil,
        discarding: (@Sendable () async -> Void)? = nil
    ) {
        self.state = Locked(State(steps: steps))
        self.finalTrailers = trailers
        self.discarding = discarding
    }

    package var reads: Int { state.withLock { $0.reads } }
    package var abandons: Int { state.withLock { $0.abandons } }
    package var discards: Int { state.withLock { $0.discards } }

    package func next() async throws -> Data? {
        while true {
            let step: Step? = state.withLock { state in
                state.reads += 1
                state.isOver = state.isOver || state.steps.isEmpty
                return state.steps.isEmpty ? nil : state.steps.removeFirst()
            }
            switch step {
            case nil: return nil
            case .piece(let data): return data
            case .fail: throw Failure()
            case .stall(let reached, let until):
                reached.open()
                try await until.wait()
            }
        }
    }

    package func abandon() { state.withLock { $0.abandons += 1 } }

    package func discard() async {
        state.withLock { $0.discards += 1 }
        await discarding?()
        abandon()
    }

    package var trailers: HTTPHeaders? { state.withLock { $0.isOver } ? finalTrailers : nil }
}
