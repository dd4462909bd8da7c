public import HTTPCore
import HTTPFormats
import PortableFoundation

/// A middleware that follows redirects (RFC 9110 §15.4). It works alike over every transport,
/// because no transport follows redirects itself.
///
/// Runs once per call and makes hops (row 3). Each hop passes all inner layers again, with the
/// cookies, credentials, cache entries and attempts of its own origin. Secrets of the request do
/// not cross to another origin (scheme, host or port), and do not come back once dropped. The same
/// holds for transport options that are bound to their origin
/// (``/HTTPCore/HTTPTransportOption/isBoundToOrigin(_:)``). By default, a redirect from https to
/// http is refused. A redirect to where the call has been is followed like any other, up to the
/// limit, since a server may respond differently there. A response that is not returned is
/// discarded before the next request, so one connection is enough. A `Retry-After` on a redirect is
/// honoured. The heads of the redirects are in the response's `history`. Its `originalRequest` is
/// the first request that was sent, and its `url` that of the last.
public struct Redirects: HTTPClientMiddleware {
    /// The mode for requests that set none. See ``/HTTPCore/HTTPRequest/redirectMode``.
    public var mode: RedirectMode
    /// The largest number of redirects in one call, not counting the first request. The default,
    /// 20, is that of browsers.
    public var limit: Int
    /// A Boolean value that indicates whether redirects from https to http are followed. What is
    /// sent over http can be read on the way.
    public var allowsDowngrade: Bool
    /// The longest total wait for `Retry-After` over all hops of a call, a minute by default.
    /// Beyond it, the redirect response is returned.
    public var longestWait: Duration

    /// Creates a layer that follows redirects by these rules.
    public init(
        _ mode: RedirectMode = .follow, limit: Int = 20, allowsDowngrade: Bool = false,
        longestWait: Duration = ServerTime.longestWait
    ) {
        self.mode = mode
        self.limit = limit
        self.allowsDowngrade = allowsDowngrade
        self.longestWait = longestWait
    }

    /// - Throws: `tooManyRedirects` beyond ``limit``; `redirectRefused` if the rules above or the
    ///   mode say so, or if the body cannot be sent again. Each contains the redirect's head.
    ///   `sessionClosed` if the session is closed while a redirect's `Retry-After` is waited for.
    @inline(__always)
    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        var original: HTTPRequest?
        do {
            return try await followed(request, next, &original)
        } catch {
            // One of the hops has had a response, whatever became of the last one.
            throw original == nil ? error : error.afterResponse
        }
    }

    /// - Parameter original: The first request that was sent, once there is a response to it.
    @inline(__always)
    private func followed(
        _ first: HTTPRequest, _ next: any HTTPSession, _ original: inout HTTPRequest?
    ) async throws -> HTTPResponse {
        var request = first
        let call = request.currentCall
        var count = 0
        var history: [HTTPResponse.Head] = []
        var waitLeft = longestWait
        var withheld: Set<HTTPHeaderName> = []
        while true {
            var response = try await next.response(for: request)
            response.originalRequest = original ?? response.originalRequest
            original = response.originalRequest
            if !history.isEmpty { response.history = history + response.history }
            if !withheld.isEmpty {
                response.noteWithheld(withheld, by: "a redirect to another origin")
            }
            guard (300..<400).contains(response.status.code) else { return response }
            let redirection: Redirection?
            do {
                redirection = try Redirection(response.head, to: request, index: count)
            } catch {
                throw try await response.explaining(error)
            }
            guard let redirection else { return response }
            let wait = response.headers.retryDelay(now: call.clock.date) ?? .zero
            guard wait <= waitLeft else {
                response.handBack(
                    because: "it asks for a wait of \(wait.readable) before the redirect is "
                        + "followed, and \(max(.zero, waitLeft).readable) are left")
                return response
            }
            let following: HTTPRequest
            do {
                let mode = first.redirectMode ?? mode
                guard var chosen = try await self.following(redirection, mode) else {
                    return response
                }
                chosen.withholdOptions()
                try check(chosen, after: redirection)
                guard count < limit else {
                    let isLoop = response.history.contains { $0.url == chosen.url }
                    throw redirection.failed(
                        .tooManyRedirects,
                        "this would be redirect \(count + 1) of at most \(limit)"
                            + (isLoop ? ", and leads back to \(chosen.url.logSafe)" : ""))
                }
                count += 1
                following = chosen
            } catch {
                throw try await response.explaining(error)
            }
            withheld.formUnion(redirection.withheld(from: following))

            history = response.history + [response.head]
            call.report(
                .layer(HTTPRedirectEvent(response.head, to: following)))
            await response.discard()
            waitLeft -= wait
            if wait > .zero {
                try await call.wait(
                    until: call.clock.now + wait, over: next, hasReachedServer: true)
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
            throw redirection.refused("it leads from https to http, which can be read on the way")
        }
        if !following.body.canBeSent {
            throw redirection.refused(
                "the body can be read only once, and was: make it restartable, or refuse redirects")
        }
    }
}

extension Redirection {
    /// Returns the secrets that the next request no longer has, because it goes to another origin.
    fileprivate func withheld(from following: HTTPRequest) -> [HTTPHeaderName] {
        guard isCrossOrigin else { return [] }
        return request.headers.lazy.filter(\.isSensitive).map(\.name)
            .filter { !following.headers.contains($0) }
    }

    fileprivate func refused(_ reason: String) -> HTTPError {
        failed(.redirectRefused, "this \(response.status.code) was not followed: \(reason)")
    }

    fileprivate func failed(_ code: HTTPError.Code, _ message: String) -> HTTPError {
        HTTPError(code, message, mayHaveReachedServer: true, response: response)
            .ending(request)
    }
}
