public import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Follows redirects (RFC 9110 §15.4), alike over every transport, since none follows by itself.
///
/// Runs once per call and makes hops (row 3): each hop passes everything below anew, with the
/// cookies, credentials, cache entries and attempts of its own origin. Secrets of the request do
/// not cross to another origin (scheme, host or port), and once dropped do not come back; nor do
/// transport options that are bound to their origin
/// (``HTTPCore/HTTPTransportOption/isBoundToOrigin(_:)``). A redirect from https to http is
/// refused. A response that is not handed back is discarded before the next request, so one
/// connection is enough. `Retry-After` on a redirect is waited for. Heads of the redirects are in
/// the response's `history`; its `originalRequest` is the first that was sent, its `url` the last.
public struct Redirects: HTTPClientMiddleware {
    /// For requests that say nothing, see ``HTTPCore/HTTPRequest/redirectMode``.
    public var mode: RedirectMode
    /// Redirects of one call, not counting the first request. Browsers have 20, too.
    public var limit: Int
    /// From https to http. What is sent there can be read by anybody on the way.
    public var allowsDowngrade: Bool
    /// How long `Retry-After` is waited for, over all hops of a call; beyond it the redirect is
    /// handed back.
    public var longestWait: Duration

    public init(
        _ mode: RedirectMode = .follow, limit: Int = 20, allowsDowngrade: Bool = false,
        longestWait: Duration = .seconds(60)
    ) {
        self.mode = mode
        self.limit = limit
        self.allowsDowngrade = allowsDowngrade
        self.longestWait = longestWait
    }

    /// - Throws: `tooManyRedirects` beyond ``limit`` and at a circle, `redirectRefused` where the rules
    ///   above or the mode say so, or the body cannot be sent again; each with the redirect's head inside.
    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        var request = try request.beginningCall()
        let mode = request.redirectMode ?? mode
        var trail = RedirectTrail(limit: limit)
        var history: [HTTPResponse.Head] = []
        var original: HTTPRequest?
        var waitLeft = longestWait
        while true {
            var response = try await next.response(for: request)
            response.originalRequest = original ?? response.originalRequest
            original = response.originalRequest
            if !history.isEmpty { response.history = history + response.history }
            guard (300..<400).contains(response.status.code),
                let redirection = try Redirection(
                    response.head, to: request, index: trail.count)
            else { return response }
            let wait = wait(response.head, request)
            guard wait <= waitLeft, var following = try await following(redirection, mode)
            else { return response }
            following.withholdOptions()
            try check(following, after: redirection)
            try trail.add(following, after: redirection, isFresh: wait > .zero)

            history = response.history + [response.head]
            request.call?.report(.redirected(response.head, to: following))
            await response.discard()
            waitLeft -= wait
            if wait > .zero, let clock = request.call?.clock {
                try await clock.sleep(until: clock.now + wait)
            }
            try Task.checkCancellation()
            request = following
        }
    }

    private func following(
        _ redirection: Redirection, _ mode: RedirectMode
    ) async throws -> HTTPRequest? {
        switch mode {
        case .follow: redirection.next()
        case .followWithOriginalSettings: redirection.next(keepingMethod: true)
        case .followCustom(let decide): try await decide(redirection)
        case .manual: nil
        case .error: throw redirection.refused("the request allows no redirects")
        }
    }

    private func check(
        _ following: HTTPRequest, after redirection: Redirection
    ) throws(HTTPError) {
        let (from, to) = (try HTTPOrigin(redirection.request.url), try HTTPOrigin(following.url))
        if from.scheme == .https, to.scheme == .http, !allowsDowngrade {
            throw redirection.refused("it leads from https to http, where anybody can read along")
        }
        if !following.body.canBeSent {
            throw redirection.refused(
                "the body could be read once and was: make it restartable, or refuse redirects")
        }
    }

    private func wait(_ head: HTTPResponse.Head, _ request: HTTPRequest) -> Duration {
        guard let date = request.call?.clock.date else { return .zero }
        return head.headers.retryAfter(now: date)?.delay(from: date) ?? .zero
    }
}

/// Where a call has been: how a circle is told from a long way.
///
/// A server that has set a cookie or asked for a wait may send the client where it has been, and answer
/// otherwise there.
struct RedirectTrail {
    private struct Place: Hashable {
        let method: HTTPMethod
        let url: String

        init(_ request: HTTPRequest) {
            method = request.method
            url = String(request.url.absoluteString.prefix { $0 != "#" })
        }
    }

    let limit: Int
    private(set) var count = 0
    private var places: Set<Place> = []

    init(limit: Int) { self.limit = limit }

    mutating func add(
        _ following: HTTPRequest, after redirection: Redirection, isFresh: Bool
    ) throws(HTTPError) {
        guard count < limit else {
            throw redirection.failed(
                .tooManyRedirects, "this would be redirect \(count + 1) of at most \(limit)")
        }
        count += 1
        if isFresh || redirection.response.headers.contains(.setCookie) {
            places = []
        } else {
            places.insert(Place(redirection.request))
        }
        guard !places.contains(Place(following)) else {
            throw redirection.failed(
                .tooManyRedirects,
                "the redirects go round in a circle, which \(following.url.logSafe) closes")
        }
    }
}

extension Redirection {
    fileprivate func refused(_ reason: String) -> HTTPError {
        failed(.redirectRefused, "this \(response.status.code) was not followed: \(reason)")
    }

    fileprivate func failed(_ code: HTTPError.Code, _ message: String) -> HTTPError {
        HTTPError(code, message, mayHaveReachedServer: true, response: response)
            .ending(request.url)
    }
}

extension HTTPError.Code {
    /// A redirect that the rules, the request or the session do not allow.
    public static var redirectRefused: Self { Self(rawValue: "redirectRefused") }
    /// More redirects than allowed, or a circle.
    public static var tooManyRedirects: Self { Self(rawValue: "tooManyRedirects") }
}
