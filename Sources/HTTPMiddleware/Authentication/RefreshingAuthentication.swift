public import HTTPCore
import HTTPCredentials
import HTTPFormats
import PortableFoundation

/// Signs requests with a credential that expires, and gets the next one in time, once for all
/// requests.
///
/// - A credential that expires soon is refreshed before it is used, and requests wait for that. If
///   the refresh fails, the credential is used until it expires.
/// - If the server refuses the current credential (401), it is refreshed and the request is sent
///   once more. If it refuses an older one, the request is only sent once more. Requests that start
///   meanwhile are sent without a wait.
/// - If a refresh fails, the requests that were signed before it and are refused fail with its
///   error. The next request may try again. More refreshes than the ``RefreshWindow`` allows fail
///   with `refreshFailed`.
/// - The requests of a refresh pass this layer unsigned. A refresh runs in a task of its own,
///   without the deadlines of the requests that wait for it, and is cancelled when the last of them
///   has left.
/// - A refresh starts no other one. A request inside another refresh is signed with the current
///   credential if that is still valid, else it passes unsigned, and a refusal is handed back.
///
/// If the body cannot be sent again, the refusal is handed back, and the next request refreshes
/// first. Requests to other origins, and those with credentials of their own, pass unchanged.
///
/// It runs once per attempt (row 9): its waits hold no permit and cost no attempt. Copies share
/// their credential.
public struct RefreshingAuthentication: HTTPClientMiddleware {
    private let origin: HTTPOrigin
    private let isRefusal: @Sendable (HTTPResponse.Head) -> Bool
    private let refresher: Refresher

    /// - Parameters:
    ///   - credential: The first credential, such as one from a store. Without one, the first
    ///     request gets one.
    ///   - leeway: The time before its expiry when a credential is refreshed, at most half of its
    ///     life.
    ///   - timeout: The time that the requests of one refresh may take.
    ///   - sharing: The store of a fleet's credentials; `nil` if this process has its own.
    ///   - isRefusal: Returns whether a response refuses its request's credential; 401 by default.
    package init(
        for origin: HTTPOrigin, credential: HTTPCredential? = nil,
        leeway: Duration = .seconds(300), window: RefreshWindow = RefreshWindow(),
        timeout: Duration = .seconds(30), sharing: HTTPCredentialSharing? = nil,
        isRefusal: @escaping @Sendable (HTTPResponse.Head) -> Bool = { $0.status == .unauthorized },
        provider: any CredentialProvider
    ) {
        let provider =
            sharing.map { SharedCredentialProvider(provider, $0, for: origin) } ?? provider
        self.origin = origin
        self.isRefusal = isRefusal
        refresher = Refresher(
            CredentialRegistry(credential, leeway: leeway, window: window), provider, timeout)
    }

    /// The credential that requests are signed with now.
    public var credential: HTTPCredential? { refresher.registry.withLock { $0.credential } }

    /// Signs with another credential from now on, such as after a login. With `nil`, the next
    /// request gets one. The credential of a refresh that is under way is not used.
    ///
    /// - Parameters:
    ///   - credential: The new credential, or `nil` for none.
    ///   - clock: The clock of the calls, for the credential's expiry.
    public func replace(with credential: HTTPCredential?, clock: any HTTPClock = .system) {
        refresher.replace(with: credential, at: clock.date)
    }

    /// - Throws: `refreshFailed`, with the provider's error inside and the head of the refusal, if
    ///   there was one.
    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        guard try request.origin() == origin, !request.headers.contains(.authorization) else {
            return try await passed(request, next)
        }
        let call = request.currentCall
        if let owner = request.refreshOwner {
            let signed = try refresher.held(for: call, within: owner)
                .flatMap { try sign(request, with: $0) }
            var response = try await next.response(for: signed ?? request)
            if isRefusal(response.head) {
                response.handBack(because: "a request of a refresh does not begin another refresh")
            }
            return response
        }

        let (held, epoch) = try await refresher.current(for: call, over: next)
        guard let signed = try sign(request, with: held) else {
            return try await passed(request, next)
        }
        var response = try await next.response(for: signed)
        guard isRefusal(response.head) else { return response }
        guard request.body.canBeSent else {
            refresher.registry.withLock { $0.refused(held) }
            response.handBack(
                because: "the credential was refused, and the body can be read only once, and was: "
                    + "make it restartable, or send the request again")
            return response
        }
        await response.discard()
        let newer: CredentialRegistry.Held
        do {
            newer = try await refresher.successor(
                of: held, sentIn: epoch, for: call, over: next)
        } catch let error as HTTPError {
            throw error.ending(request, response: response.head).havingReachedServer()
                .keeping(bodyPrefix: response.bodyPrefixInMemory)
        }
        try Task.checkCancellation()
        var second = try await next.followUp(sign(request, with: newer) ?? request)
        if isRefusal(second.head) {
            second.handBack(because: "the credential was refused, and so was the one that followed")
        }
        second.history = response.history + [response.head] + second.history
        return second
    }

    /// Passes on a request that this layer does not sign.
    private func passed(
        _ request: HTTPRequest, _ next: any HTTPSession
    ) async throws -> HTTPResponse {
        var response = try await next.response(for: request)
        if isRefusal(response.head) { response.noteUnsigned(request, byCredentialsFor: origin) }
        return response
    }

    /// Returns the signed request, or `nil` if the request has credentials of its own.
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

/// Calls the provider when the registry wants a refresh.
private final class Refresher: Sendable {
    let registry: Locked<CredentialRegistry>
    private let provider: any CredentialProvider
    private let timeout: Duration
    private let refresh = SharedRefresh<CredentialRegistry.Held> {
        HTTPError.refreshFailed(by: $0)
    }

    init(
        _ registry: CredentialRegistry, _ provider: any CredentialProvider, _ timeout: Duration
    ) {
        self.registry = Locked(registry)
        self.provider = provider
        self.timeout = timeout
    }

    func replace(with credential: HTTPCredential?, at date: Date) {
        registry.withLock { $0.replace(with: credential, at: date) }
        refresh.invalidate()
    }

    /// Returns the credential for a request of another refresh. A request of this one gets none.
    func held(for call: HTTPCall, within owner: ObjectIdentifier) -> CredentialRegistry.Held? {
        guard owner != ObjectIdentifier(refresh) else { return nil }
        return stillValid(for: call)
    }

    private func stillValid(for call: HTTPCall) -> CredentialRegistry.Held? {
        registry.withLock { [date = call.clock.date] in $0.stillValid(at: date) }
    }

    /// Returns the credential to sign with, and the epoch of the refreshes.
    func current(
        for call: HTTPCall, over next: any HTTPSession
    ) async throws -> (held: CredentialRegistry.Held, epoch: Int) {
        let epoch = refresh.epoch
        switch registry.withLock({ [date = call.clock.date] in $0.beforeSending(at: date) }) {
        case .sign(let held): return (held, epoch)
        case .refresh(let version):
            do {
                let held = try await refreshed(version, sentIn: nil, for: call, over: next)
                return (held, refresh.epoch)
            } catch let error as HTTPError where error.isOfRefreshing {
                guard let held = stillValid(for: call) else { throw error }
                return (held, refresh.epoch)
            }
        }
    }

    func successor(
        of refused: CredentialRegistry.Held, sentIn epoch: Int, for call: HTTPCall,
        over next: any HTTPSession
    ) async throws -> CredentialRegistry.Held {
        switch registry.withLock({ $0.afterRefusal(of: refused) }) {
        case .resend(let held): return held
        case .refresh:
            let version = refused.version
            let held = try await refreshed(version, sentIn: epoch, for: call, over: next)
            guard held.version == version else { return held }
            // The request was signed with the new credential shortly before its epoch ended.
            return try await refreshed(version, sentIn: nil, for: call, over: next)
        }
    }

    private func refreshed(
        _ version: Int, sentIn epoch: Int?, for call: HTTPCall, over next: any HTTPSession
    ) async throws -> CredentialRegistry.Held {
        try await refresh.value(sentIn: epoch, for: call) { [self] in
            try await HTTPDeadline.within(timeout, clock: call.clock) {
                try await renew(version, on: call.clock, over: next)
            }
        }
    }

    private func renew(
        _ version: Int, on clock: any HTTPClock, over next: any HTTPSession
    ) async throws -> CredentialRegistry.Held {
        switch registry.withLock({ [now = clock.now] in $0.start(replacing: version, at: now) }) {
        case .superseded(let held?): return held
        case .superseded(nil): throw HTTPError.credentialTakenAway
        case .excessive:
            throw HTTPError(
                .refreshFailed,
                "credentials were refreshed as often as the window allows: the server refuses what "
                    + "it issued, or the clocks differ")
        case .ask(let old):
            let new = try await provider.credential(replacing: old, over: next, on: clock)
            let held = registry.withLock { [date = clock.date] in
                $0.finish(replacing: version, with: new, at: date)
            }
            guard let held else { throw HTTPError.credentialTakenAway }
            return held
        }
    }
}

extension HTTPError {
    fileprivate static var credentialTakenAway: HTTPError {
        HTTPError(.refreshFailed, "the credential was taken away while it was being refreshed")
    }

    fileprivate static func refreshFailed(by error: any Error) -> HTTPError {
        if let own = error as? HTTPError, own.isOfRefreshing { return own }
        let cause = (error as? HTTPError)?.code.rawValue ?? "\(type(of: error))"
        return HTTPError(
            .refreshFailed, "no new credential could be got: \(cause)",
            isRetryable: (error as? HTTPError)?.isRetryable ?? false, underlyingError: error)
    }

    fileprivate var isOfRefreshing: Bool { code == .refreshFailed }
}

extension RefreshingAuthentication {
    private struct Closure: CredentialProvider {
        let obtain: @Sendable (HTTPCredential?, any HTTPSession) async throws -> HTTPCredential

        func credential(
            replacing old: HTTPCredential?, over session: any HTTPSession, on clock: any HTTPClock
        ) async throws -> HTTPCredential {
            try await obtain(old, session)
        }
    }

    /// Creates a middleware whose provider is a closure. See
    /// `credential(replacing:over:on:)`. With `sharing`, one process of a fleet refreshes for all.
    public init(
        for origin: HTTPOrigin, credential: HTTPCredential? = nil,
        leeway: Duration = .seconds(300), window: RefreshWindow = RefreshWindow(),
        timeout: Duration = .seconds(30), sharing: HTTPCredentialSharing? = nil,
        isRefusal: @escaping @Sendable (HTTPResponse.Head) -> Bool = { $0.status == .unauthorized },
        obtaining obtain:
            @escaping @Sendable (_ old: HTTPCredential?, _ session: any HTTPSession)
            async throws -> HTTPCredential
    ) {
        self.init(
            for: origin, credential: credential, leeway: leeway, window: window, timeout: timeout,
            sharing: sharing, isRefusal: isRefusal, provider: Closure(obtain: obtain))
    }
}
