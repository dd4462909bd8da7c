import Foundation
import HTTPTesting
import Synchronization

/// The origin of all processes. It counts the requests, issues tokens, and refuses on demand.
final class FleetOrigin: Sendable {
    private struct State {
        /// The arrivals at `/work`, in seconds since the start.
        var arrivals: [Double] = []
        var tokens = 0
        /// The `Retry-After` of the next response.
        var refusal: Int?
        var refusedAt: Double?
    }

    private final class Ledger: Sendable {
        let state = Mutex(State())
        let start = ContinuousClock.now
        var now: Double { (ContinuousClock.now - start) / .seconds(1) }

        func respond(_ request: LoopbackRequest) -> LoopbackResponse {
            let now = now
            return state.withLock { state in
                if request.path == "/token" {
                    state.tokens += 1
                    return .json(#"{"access_token": "t\#(state.tokens)", "token_type": "Bearer"}"#)
                }
                state.arrivals.append(now)
                guard let seconds = state.refusal else { return .ok("done") }
                state.refusal = nil
                state.refusedAt = now
                var response = LoopbackResponse.status(429)
                response.fields.append(("Retry-After", "\(seconds)"))
                return response
            }
        }
    }

    private let ledger = Ledger()
    private let server: LoopbackServer

    init() throws {
        var options = LoopbackOptions()
        options.loggedExchangeLimit = 1
        server = try LoopbackServer(options) { [ledger] in ledger.respond($0) }
    }

    var url: String { "http://\(server.host):\(server.port)" }
    /// The seconds since the origin was started.
    var now: Double { ledger.now }
    var tokens: Int { ledger.state.withLock { $0.tokens } }
    var refusedAt: Double? { ledger.state.withLock { $0.refusedAt } }

    /// Refuses the next request.
    func refuseNext(retryAfter seconds: Int) { ledger.state.withLock { $0.refusal = seconds } }

    /// Returns the arrivals within a time.
    func arrivals(from start: Double, to end: Double) -> [Double] {
        ledger.state.withLock { $0.arrivals.filter { start <= $0 && $0 < end } }
    }
}
