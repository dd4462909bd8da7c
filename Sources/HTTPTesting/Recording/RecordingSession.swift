public import HTTPCore
import PortableFoundation

/// A session that records another session's exchanges, for replay without a network.
///
/// Put it directly around the transport, so that it records what goes over the network. Secrets
/// are removed before anything is kept. See ``Redaction``.
///
/// Request bodies, including streams, are read before they are sent, up to 16 MiB. Response bodies
/// pass through as they arrive, and are recorded as far as they were read.
public final class RecordingSession: HTTPSession {
    private let session: any HTTPSession
    private let redaction: Redaction

    private enum Entry {
        case open(Recording.Request)
        case ended(Recording.Exchange)
        /// Cancelled before there was a response.
        case dropped
    }

    /// The exchanges in the order in which they began.
    private let entries = Locked([Entry]())

    /// Creates a session that records what passes, without the secrets that `redaction` knows.
    public init(_ session: any HTTPSession, redacting redaction: Redaction = Redaction()) {
        self.session = session
        self.redaction = redaction
    }

    /// The exchanges that have ended so far. An exchange whose response body is still being read is
    /// not included.
    public var recording: Recording {
        var recording = Recording()
        for case .ended(let exchange) in entries.withLock({ $0 }) { recording.append(exchange) }
        return recording
    }

    /// The requests that are not in ``recording`` yet.
    var openRequests: [Recording.Request] {
        entries.withLock { entries in
            entries.compactMap { if case .open(let request) = $0 { request } else { nil } }
        }
    }

    public func response(for request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        // The session refuses a body that cannot be sent.
        guard request.body.canBeSent else { return try await session.response(for: request) }
        let body = try await request.bodyAsSent()
        if !request.body.canBeSent { request.body = HTTPBody(body) }
        let recorded = Recording.Request(request, body: body, redaction)
        let place = entries.withLock { entries in
            entries.append(.open(recorded))
            return entries.count - 1
        }
        let response: HTTPResponse
        do {
            response = try await session.response(for: request)
        } catch let error as CancellationError {
            entries.withLock { $0[place] = .dropped }
            throw error
        } catch {
            keep(place, recorded, .failure(Recording.Failure(error)))
            throw error
        }
        return record(response, to: recorded, at: place)
    }

    private func keep(_ place: Int, _ request: Recording.Request, _ outcome: Recording.Outcome) {
        entries.withLock { $0[place] = .ended(Recording.Exchange(request, outcome)) }
    }

    private func record(
        _ response: HTTPResponse, to request: Recording.Request, at place: Int
    ) -> HTTPResponse {
        let head = response.head
        if let bytes = response.body.bytes {
            let recorded = Recording.Response(
                head, body: bytes, trailers: response.trailers, failure: nil, redaction)
            keep(place, request, .response(recorded))
            return response
        }
        let kept = KeptBytes()
        let length = response.body.length
        var response = response
        response.body = response.body.wrapped(
            HTTPBodyHooks(piece: { piece in
                kept.append(piece)
                return .bytes(piece)
            }))
        response.body.whenEnded { [self] end in
            let bytes = kept.bytes
            var trailers: HTTPHeaders?
            var failure: Recording.Failure?
            switch end {
            case .complete(let section): trailers = section
            case .failed(let error): failure = Recording.Failure(error)
            case .abandoned where length == Int64(bytes.count): break
            case .abandoned:
                failure = Recording.Failure(
                    code: HTTPError.Code.bodyIncomplete.rawValue,
                    message: "the rest of the body was not read when this was recorded")
            }
            let recorded = Recording.Response(
                head, body: bytes, trailers: trailers, failure: failure, redaction)
            keep(place, request, .response(recorded))
        }
        return response
    }
}

private final class KeptBytes: Sendable {
    private let state = Locked(Data())
    var bytes: Data { state.withLock { $0 } }
    func append(_ piece: Data) { state.withLock { $0 += piece } }
}
