public import HTTPCore
import HTTPFormats

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Signs requests with a credential that ends, and gets the next one in time, once for all that wait.
///
/// - What ends soon is refreshed before it is used; requests wait for that. If it fails, what is held
///   is used to its end.
/// - A refusal (401) of what is held refreshes it, and the request is sent once more. One of what is
///   not held any more only sends once more. Requests that start meanwhile are sent, not held up.
/// - A refresh that fails is what every request ends with that was signed before; the next request may
///   try anew. More than the ``RefreshWindow`` allows fail with `excessiveRefresh`.
/// - The refresh passes this layer as it is, runs in a task of its own without its callers' deadlines,
///   and ends when the last of them has left.
/// - No refresh starts another one: inside one, a request is signed with what is held, if that is
///   still good, or passes as it is, and a refusal is handed back.
///
/// A body that cannot be sent again leaves its refusal to the caller, and the next request refreshes
/// first. Requests to other origins, and those with credentials of their own, pass as they are.
///
/// Runs per attempt (row 9): waits hold no permit and cost no attempt. Copies share their credential.
public struct RefreshingAuthentication: HTTPClientMiddleware {
    private let origin: HTTPOrigin
    private let isRefusal: @Sendable (HTTPResponse.Head) -> Bool
    private let refresher: Refresher

    /// - Parameters:
    ///   - credential: to begin with, as from a store; without one the first request gets one.
    ///   - leeway: how long before its expiry a credential is refreshed, at most half of its life.
    ///   - timeout: how long the requests of one refresh may take.
    ///   - isRefusal: what a response says that does not like its request's credential; 401 by default.
    public init(
        for origin: HTTPOrigin, credential: HTTPCredential? = nil,
        leeway: Duration = .seconds(300), window: RefreshWindow = RefreshWindow(),
        timeout: Duration = .seconds(30),
        isRefusal: @escaping @Sendable (HTTPResponse.Head) -> Bool = { $0.status == .unauthorized },
        provider: any CredentialProvider
    ) {
        self.origin = origin
        self.isRefusal = isRefusal
        refresher = Refresher(
            CredentialRegistry(credential, leeway: leeway, window: window), provider, timeout)
    }

    /// What requests are signed with now.
    public var credential: HTTPCredential? { refresher.book.withLock { $0.credential } }

    /// Signs with another credential from now on, as after a log-in, or gets one anew for `nil`. What a
    /// refresh that is under way gets is not used then.
    ///
    /// - Parameter clock: of the calls, to tell how long the credential lives.
    public func replace(with credential: HTTPCredential?, clock: any HTTPClock = .system) {
        refresher.book.withLock { [date = clock.date] in $0.replace(with: credential, at: date) }
    }

    /// - Throws: `refreshFailed` with the provider's error inside, or `excessiveRefresh`; either with
    ///   the head of the refusal, where there was one.
    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        let request = try request.beginningCall()
        guard try request.origin() == origin, !request.headers.contains(.authorization),
            let call = request.call
        else { return try await next.response(for: request) }
        if let owner = request.refreshOwner {
            let signed = try refresher.held(for: call, within: owner)
                .flatMap { try sign(request, with: $0) }
            return try await next.response(for: signed ?? request)
        }

        let held = try await refresher.current(for: call, over: next)
        guard let signed = try sign(request, with: held) else {
            return try await next.response(for: request)
        }
        let response = try await next.response(for: signed)
        guard isRefusal(response.head) else { return response }
        guard request.body.canBeSent else {
            refresher.book.withLock { $0.refused(held) }
            return response
        }
        await response.discard()
        let newer: CredentialRegistry.Held
        do {
            newer = try await refresher.successor(of: held, for: call, over: next)
        } catch let error as HTTPError {
            throw error.ending(request.url, response: response.head)
        }
        try Task.checkCancellation()
        var second = try await next.response(for: sign(request, with: newer) ?? request)
        second.history = response.history + [response.head] + second.history
        return second
    }

    /// `nil` where the request has a field of that name: its own credentials.
    private func sign(
        _ request: HTTPRequest, with held: CredentialRegistry.Held
    ) throws(HTTPError) -> HTTPRequest? {
        let authorization = held.credential.authorization
        guard !request.headers.contains(authorization.fieldName) else { return nil }
        var signed = request
        try signed.authorize(authorization, issuedBy: origin)
        return signed
    }
}

/// Asks the provider when the book says so.
private final class Refresher: Sendable {
    let book: Locked<CredentialRegistry>
    private let provider: any CredentialProvider
    private let timeout: Duration
    /// By the version that they replace.
    private let flights = SharedFlights<Int, CredentialRegistry.Held>()

    init(_ book: CredentialRegistry, _ provider: any CredentialProvider, _ timeout: Duration) {
        self.book = Locked(book)
        self.provider = provider
        self.timeout = timeout
    }

    /// What a request within another refresh is signed with; its own has nothing that is good.
    func held(for call: HTTPCall, within owner: ObjectIdentifier) -> CredentialRegistry.Held? {
        guard owner != ObjectIdentifier(self) else { return nil }
        return book.withLock { [date = call.clock.date] in $0.stillValid(at: date) }
    }

    func current(
        for call: HTTPCall, over next: any HTTPSession
    ) async throws -> CredentialRegistry.Held {
        switch book.withLock({ [date = call.clock.date] in $0.beforeSending(at: date) }) {
        case .sign(let held): return held
        case .refresh(let version):
            do {
                return try await refresh(version, for: call, over: next)
            } catch let error as HTTPError where error.isOfRefreshing {
                let held = book.withLock { [date = call.clock.date] in $0.stillValid(at: date) }
                guard let held else { throw error }
                return held
            }
        }
    }

    func successor(
        of refused: CredentialRegistry.Held, for call: HTTPCall, over next: any HTTPSession
    ) async throws -> CredentialRegistry.Held {
        switch book.withLock({ $0.afterRefusal(of: refused) }) {
        case .resend(let held): held
        case .refresh: try await refresh(refused.version, for: call, over: next)
        case .fail(let error): throw error
        }
    }

    private func refresh(
        _ version: Int, for call: HTTPCall, over next: any HTTPSession
    ) async throws -> CredentialRegistry.Held {
        try await call.reportingRefresh {
            try await flights.value(for: version, call: call, limit: timeout) { [self] in
                try await RefreshScope.$owner.withValue(ObjectIdentifier(self)) {
                    try await ask(replacing: version, on: call.clock, over: next)
                }
            }
        }
    }

    private func ask(
        replacing version: Int, on clock: any HTTPClock, over next: any HTTPSession
    ) async throws -> CredentialRegistry.Held {
        let old: HTTPCredential?
        switch book.withLock({ [now = clock.now] in $0.start(replacing: version, at: now) }) {
        case .superseded(let held?): return held
        case .superseded(nil): throw HTTPError.credentialTakenAway
        case .excessive:
            throw HTTPError(
                .excessiveRefresh,
                "credentials were refreshed as often as the window allows: the server refuses what it has just "
                    + "issued, or the clocks differ")
        case .ask(let credential): old = credential
        }
        do {
            let new = try await provider.credential(replacing: old, over: next)
            let held = book.withLock { [date = clock.date] in
                $0.finish(replacing: version, with: new, at: date)
            }
            guard let held else { throw HTTPError.credentialTakenAway }
            return held
        } catch {
            // Nobody waits any more, and nothing was learnt.
            if Task.isCancelled { throw error }
            let failure = HTTPError.refreshFailed(by: error)
            book.withLock { $0.fail(replacing: version, with: failure) }
            throw failure
        }
    }
}

extension HTTPError {
    fileprivate static var credentialTakenAway: HTTPError {
        HTTPError(.refreshFailed, "the credential was taken away while it was being refreshed")
    }

    fileprivate static func refreshFailed(by error: any Error) -> HTTPError {
        if let own = error as? HTTPError, own.code == .refreshFailed { return own }
        let cause = (error as? HTTPError)?.code.rawValue ?? "\(type(of: error))"
        return HTTPError(
            .refreshFailed, "no new credential could be got: \(cause)",
            isRetryable: (error as? HTTPError)?.isRetryable ?? false, underlyingError: error)
    }

    fileprivate var isOfRefreshing: Bool { code == .refreshFailed || code == .excessiveRefresh }
}

extension HTTPError.Code {
    /// More refreshes than the ``RefreshWindow`` allows.
    public static var excessiveRefresh: Self { Self(rawValue: "excessiveRefresh") }
}

extension RefreshingAuthentication {
    private struct Closure: CredentialProvider {
        let obtain: @Sendable (HTTPCredential?, any HTTPSession) async throws -> HTTPCredential

        func credential(
            replacing old: HTTPCredential?, over session: any HTTPSession
        ) async throws -> HTTPCredential {
            try await obtain(old, session)
        }
    }

    /// With a closure for a provider: see ``CredentialProvider/credential(replacing:over:)``.
    public init(
        for origin: HTTPOrigin, credential: HTTPCredential? = nil,
        leeway: Duration = .seconds(300), window: RefreshWindow = RefreshWindow(),
        timeout: Duration = .seconds(30),
        isRefusal: @escaping @Sendable (HTTPResponse.Head) -> Bool = { $0.status == .unauthorized },
        obtaining obtain:
            @escaping @Sendable (_ old: HTTPCredential?, _ session: any HTTPSession)
            async throws -> HTTPCredential
    ) {
        self.init(
            for: origin, credential: credential, leeway: leeway, window: window, timeout: timeout,
            isRefusal: isRefusal, provider: Closure(obtain: obtain))
    }
}
