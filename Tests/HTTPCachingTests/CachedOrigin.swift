import HTTPCaching
import HTTPCore
import HTTPFormats
import HTTPTesting
import PortableFoundation

/// An origin behind a cache, on virtual time. Each response has the number of its request as its
/// body, unless the test says otherwise.
final class CachedOrigin: Sendable {
    typealias Answer = @Sendable (HTTPRequest, Int) async throws -> HTTPResponse

    let clock = HTTPTestClock()
    let cache: HTTPCache
    let mock: MockSession
    private let number = Locked(0)
    private let answer: Locked<Answer>

    /// - Parameter fields: the fields of each response. `Date` is added.
    convenience init(
        _ fields: HTTPHeaders, store: any HTTPCacheStore = HTTPMemoryCacheStore()
    ) {
        self.init(store: store) { request, number in
            HTTPResponse(.ok, headers: fields, body: HTTPBody("\(number)"), to: request)
        }
    }

    init(store: any HTTPCacheStore = HTTPMemoryCacheStore(), _ answer: @escaping Answer) {
        cache = HTTPCache(store: store)
        let box = CachedOriginBox()
        mock = MockSession { request in
            guard let origin = box.origin else { throw HTTPError(.sessionClosed, "gone") }
            return try await origin.response(to: request)
        }
        self.answer = Locked(answer)
        box.origin = self
    }

    private func response(to request: HTTPRequest) async throws -> HTTPResponse {
        let number = number.withLock { number in
            number += 1
            return number
        }
        let answer = answer.withLock { $0 }
        var response = try await answer(request, number)
        if !response.headers.contains(.date) {
            response.headers[.date] = HTTPDate(clock.date).description
        }
        return response
    }

    /// Answers differently from now on.
    func answering(_ new: @escaping Answer) { answer.withLock { $0 = new } }

    /// Answers with these fields from now on.
    func answering(_ status: HTTPStatus = .ok, _ fields: HTTPHeaders) {
        answering { request, number in
            HTTPResponse(status, headers: fields, body: HTTPBody("\(number)"), to: request)
        }
    }

    /// The requests that have reached the origin.
    var requests: [HTTPRequest] { mock.requests }
    var count: Int { mock.requests.count }

    var session: any HTTPSession { mock.with(cache) }

    func request(
        _ method: HTTPMethod = .get, _ url: String = "https://a.example/x",
        _ fields: HTTPHeaders = [:]
    ) throws -> HTTPRequest {
        try HTTPRequest(method, url, headers: fields).beginningCall(clock: clock)
    }

    /// Sends a request, and returns the response with its body read.
    @discardableResult
    func send(
        _ method: HTTPMethod = .get, _ url: String = "https://a.example/x",
        _ fields: HTTPHeaders = [:]
    ) async throws -> Reply {
        let response = try await session.response(for: request(method, url, fields))
        let body = try await response.body.collect()
        return Reply(
            status: response.status.code, headers: response.headers,
            body: String(decoding: body, as: UTF8.self),
            cacheStatus: response.timeline.cacheStatuses)
    }

    struct Reply {
        var status: Int
        var headers: HTTPHeaders
        var body: String
        var cacheStatus: [HTTPCacheStatus]

        var isHit: Bool { cacheStatus.last?.isHit == true }
        var forward: HTTPCacheStatus.Forward? { cacheStatus.last?.forward }
        var detail: String? { cacheStatus.last?.detail }
    }
}

/// A reference that can be set once the closure that needs it exists.
private final class CachedOriginBox: Sendable {
    private struct Reference {
        weak var origin: CachedOrigin?
    }

    private let state = Locked(Reference())

    var origin: CachedOrigin? {
        get { state.withLock { $0.origin } }
        set { state.withLock { $0.origin = newValue } }
    }
}
