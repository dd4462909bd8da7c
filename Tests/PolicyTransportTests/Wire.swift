import HTTPCore
import HTTPTesting
import HTTPTransportCurl
import HTTPTransportURLSession
import PortableFoundation
import PortableLibc

/// The transports over which every test of this target runs.
enum Wire: String, CaseIterable, Codable, Sendable {
    case curl, urlSession

    /// - Parameter connections: The limit of connections to one origin; `nil` for the transport's
    ///   own.
    func session(connections: Int? = nil) throws -> any HTTPSession {
        switch self {
        case .curl:
            var configuration = CurlConfiguration()
            if let connections { configuration.maximumConnectionsPerOrigin = connections }
            return try CurlTransport(configuration)
        case .urlSession:
            var configuration = URLSessionTransportConfiguration()
            if let connections { configuration.maximumConnectionsPerHost = connections }
            return try URLSessionTransport(configuration)
        }
    }
}

/// A layer that allows one exchange at a time, from its request to the end of its body.
final class OnePermit: HTTPClientMiddleware {
    private typealias Continuation = CheckedContinuation<Void, any Error>

    private struct State {
        var isTaken = false
        var waiters: [(id: Int, continuation: Continuation)] = []
        var lastID = 0
    }

    private let state = Locked(State())

    func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        try await take()
        do {
            let response = try await next.response(for: request)
            response.body.whenEnded { [self] _ in giveBack() }
            return response
        } catch {
            giveBack()
            throw error
        }
    }

    private func take() async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: Continuation) in
                let isFree = state.withLock { state in
                    guard state.isTaken else {
                        state.isTaken = true
                        return true
                    }
                    state.waiters.append((id, continuation))
                    return false
                }
                if isFree { continuation.resume() } else if Task.isCancelled { leave(id) }
            }
        } onCancel: {
            leave(id)
        }
    }

    private func leave(_ id: Int) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }

    private func giveBack() {
        let next = state.withLock { state in
            guard !state.waiters.isEmpty else {
                state.isTaken = false
                return nil as Continuation?
            }
            return state.waiters.removeFirst().continuation
        }
        next?.resume()
    }
}

/// Runs `body`, and advances `clock` to each next deadline until `body` has returned.
///
/// Waits between attempts take no time, but exchanges on the wire take real time. A wait of more
/// than 30 seconds is a time limit, and the clock does not advance to it.
func withoutWaiting<Result: Sendable>(
    _ clock: HTTPTestClock, _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    let time = Task {
        while true {
            try await clock.waitForSleepers(1)
            if let next = clock.nextDeadline, next - clock.now <= .seconds(30) {
                clock.advance(to: next)
            } else {
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }
    defer { time.cancel() }
    return try await body()
}

/// The size of large tests: a tenth, unless `HTTP_TEST_COUNTS` is `full`.
enum Scale {
    static let isFull =
        unsafe getenv("HTTP_TEST_COUNTS").map { unsafe String(cString: $0) } == "full"

    static func scaled(_ count: Int) -> Int { isFull ? count : count / 10 }
}

/// The peak resident size of this process in bytes, or 0 if the system does not report it.
var peakMemory: Int {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
        let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
    else { return 0 }
    return (Int(line.filter(\.isNumber)) ?? 0) << 10
}
