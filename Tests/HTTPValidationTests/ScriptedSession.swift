import HTTPCore
import HTTPRetry
import HTTPTesting
import HTTPValidation
import PortableFoundation

extension MockSession {
    /// Answers with the scripted outcomes in order, and then repeats the last one.
    static func playing(
        _ script: @Sendable (HTTPRequest) throws -> HTTPResponse...
    ) -> MockSession {
        let count = Locked(0)
        return MockSession { request in
            let index = count.withLock { count in
                defer { count += 1 }
                return min(count, script.count - 1)
            }
            return try script[index](request)
        }
    }

    static func answering(
        _ status: HTTPStatus = .ok, headers: HTTPHeaders = [:], _ text: String = ""
    ) -> MockSession {
        MockSession { HTTPResponse(status, headers: headers, body: HTTPBody(text), to: $0) }
    }

    var hits: Int { requests.count }

    /// Sends a request through `validators`, on `clock`.
    @discardableResult
    func validated(
        by validators: any HTTPValidator..., clock: HTTPTestClock = HTTPTestClock(),
        _ change: (inout HTTPRequest) throws -> Void = { _ in }
    ) async throws -> HTTPResponse {
        let session = with(Validation(validators))
        let request = try HTTPRequest.test(clock: clock, change)
        return try await onTestTime(clock) { try await session.response(for: request) }
    }
}

extension HTTPRequest {
    static func test(
        _ method: HTTPMethod = .get, _ url: String = "https://origin.test/",
        clock: any HTTPClock = HTTPTestClock(), observer: (any HTTPObserver)? = nil,
        _ change: (inout HTTPRequest) throws -> Void = { _ in }
    ) throws -> HTTPRequest {
        var request = try HTTPRequest(method, url)
        try change(&request)
        return try request.beginningCall(observer: observer, clock: clock)
    }
}

/// Runs `body`, moving `clock` on to whatever is slept for next, until it has returned. What is
/// slept for longer than half a minute is a limit, and not waited for.
func onTestTime<Result: Sendable>(
    _ clock: HTTPTestClock, _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    let time = Task {
        while true {
            try await clock.waitForSleepers(1)
            if let next = clock.nextDeadline, next - clock.now <= .seconds(30) {
                clock.advance(to: next)
            } else {
                await Task.yield()
            }
        }
    }
    defer { time.cancel() }
    return try await body()
}

extension HTTPTestClock {
    /// The waits between attempts.
    var waits: [Duration] { sleeps.filter { $0 <= .seconds(30) } }
}

/// Returns the error of a call that `body` throws.
func failure<Result>(
    of body: () async throws -> Result
) async throws -> HTTPError {
    do {
        _ = try await body()
    } catch let error as HTTPError {
        return error
    }
    throw NoError()
}

struct NoError: Error {}

/// An error type that the caller defines.
struct MyError: Error, Equatable {
    var number = 1
}

/// A validator that records its input and returns a scripted verdict.
struct Witness: HTTPValidator {
    typealias Entry = (name: String, attempt: RetryAttempt, status: HTTPStatus?)

    let name: String
    let journal: Journal<Entry>
    var bodyLimit: Int?
    var accepted: HTTPStatus?
    var verdict: @Sendable (HTTPOutcome, RetryAttempt) async throws -> HTTPVerdict = { _, _ in
        .next
    }

    func accepts(_ status: HTTPStatus) -> Bool { status == accepted }

    func verdict(
        on outcome: HTTPOutcome, of attempt: RetryAttempt
    ) async throws -> HTTPVerdict {
        journal.add((name, attempt, (try? outcome.get())?.status))
        return try await verdict(outcome, attempt)
    }
}

/// A list of entries in order, from any task.
final class Journal<Entry: Sendable>: Sendable {
    private let kept = Locked([Entry]())

    var entries: [Entry] { kept.withLock { $0 } }
    var count: Int { entries.count }
    func add(_ entry: Entry) { kept.withLock { $0.append(entry) } }
}

/// A body in pieces that then ends, fails, or waits without end.
final class Pieces: HTTPBodySource {
    enum End: Sendable {
        case complete
        case broken(any Error)
        case never
    }

    private let pieces: Locked<[String]>
    private let end: End
    private let given = Locked(0)
    private let discarded = Locked(0)
    /// Opens when all pieces were read and the end is waited for.
    let isRead = Gate()
    /// The number of times it was given up.
    var givenUp: Int { given.withLock { $0 } }
    /// The number of callers that waited for its connection.
    var discards: Int { discarded.withLock { $0 } }

    init(_ pieces: String..., end: End = .complete) {
        self.pieces = Locked(pieces)
        self.end = end
    }

    func next() async throws -> Data? {
        let piece = pieces.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let piece { return Data(piece.utf8) }
        isRead.open()
        switch end {
        case .complete: return nil
        case .broken(let error): throw error
        case .never:
            try await Task.sleep(for: .seconds(3600))  // until it is cancelled
            return nil
        }
    }

    func abandon() { given.withLock { $0 += 1 } }

    func discard() async {
        discarded.withLock { $0 += 1 }
        abandon()
    }
}
