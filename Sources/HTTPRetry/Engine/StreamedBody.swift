import HTTPCore
import PortableFoundation

extension RetryEngine {
    /// Returns the response. If its body is a stream and the policy would retry a failure of a body
    /// that is read inside the attempt, an error of the body says why nothing is sent again.
    func streamed(
        _ response: HTTPResponse, _ attempt: RetryAttempt, _ policy: RetryPolicy
    ) -> HTTPResponse {
        guard response.body.isStream, attempt.index < attempt.maxRetries,
            policy.mayRepeat(attempt.request)
        else { return response }
        var response = response
        response.body = HTTPBody(
            source: StreamedBody(response.body, of: call, attempt: attempt.number),
            length: response.body.length)
        return response
    }
}

/// The body of a response whose attempt ended with the head. If it fails, its error says why
/// nothing was sent again.
private final class StreamedBody: HTTPBodySource {
    private let body: HTTPBody
    private let call: HTTPCall
    private let attempt: Int
    private let iterator: Locked<HTTPBody.AsyncIterator?>

    init(_ body: HTTPBody, of call: HTTPCall, attempt: Int) {
        self.body = body
        self.call = call
        self.attempt = attempt
        self.iterator = Locked(nil)
    }

    func next() async throws -> Data? {
        // A copy continues where the original is.
        var iterator = iterator.withLock { current in
            let iterator = current ?? body.makeAsyncIterator()
            current = iterator
            return iterator
        }
        do {
            let piece = try await iterator.next()
            self.iterator.withLock { [iterator] in $0 = iterator }
            return piece
        } catch {
            throw explained(error)
        }
    }

    func abandon() { body.abandon() }
    func discard() async { await body.discard() }
    var trailers: HTTPHeaders? { body.trailers }

    func write(toDescriptor descriptor: Int32, at offset: Int64) async throws -> Int64 {
        do {
            return try await body.write(toDescriptor: descriptor, at: offset)
        } catch {
            throw explained(error)
        }
    }

    private func explained(_ error: any Error) -> any Error {
        guard let error = error as? HTTPError else { return error }
        let refusal = HTTPRetryEvent.Refusal.bodyIsStreamed
        call.record(
            HTTPRetryEvent(
                .policy, .refused(refusal), attempt: attempt, cause: error.code.rawValue))
        let note = RetryNote(attempts: attempt, refusal: refusal)
        return error.noting(note, timeline: call.timeline)
    }
}
