package import HTTPCore
package import PortableFoundation

/// A session that responds `"done"` when the test opens a gate, and opens a gate when it gets a
/// request.
package final class HeldSession: HTTPSession {
    package let asked = Gate()
    package let answer = Gate()
    /// Opened when the request is cancelled before the response.
    package let cancelled = Gate()
    private let heedsCancellation: Bool
    private let status: HTTPStatus
    private let count = Locked(0)

    package init(_ status: HTTPStatus = .ok, heedingCancellation: Bool = true) {
        self.status = status
        self.heedsCancellation = heedingCancellation
    }

    package var requests: Int { count.withLock { $0 } }

    package func response(for request: HTTPRequest) async throws -> HTTPResponse {
        count.withLock { $0 += 1 }
        asked.open()
        if heedsCancellation {
            do {
                try await answer.wait()
            } catch {
                cancelled.open()
                throw error
            }
        } else {
            await answer.waitIgnoringCancellation()
        }
        return HTTPResponse(status, body: HTTPBody("done"), to: request)
    }
}

/// A one-shot body in pieces, each of which may wait for a gate.
package final class HeldBody: HTTPBodySource {
    private let pieces: Locked<[(Gate?, Data)]>

    package init(_ pieces: [(Gate?, Data)]) { self.pieces = Locked(pieces) }

    package func next() async throws -> Data? {
        guard let (gate, piece) = pieces.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
            return nil
        }
        try await gate?.wait()
        return piece
    }

    package func abandon() {}
}
