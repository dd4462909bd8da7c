public import HTTPCore

/// A policy for redirects.
public enum RedirectMode: Sendable {
    /// Follows the redirect as browsers do. See ``Redirection/next(keepingMethod:)``.
    case follow
    /// Follows with the same method, body and fields, except for secrets if the origin changes.
    case followWithOriginalSettings
    /// Follows with the request that the closure returns, or returns the response if that is `nil`.
    ///
    /// A request for another origin contains no secrets unless the closure adds them. An error that
    /// the closure throws ends the call.
    case followCustom(@Sendable (Redirection) async throws -> HTTPRequest?)
    /// Returns the response as it is.
    case manual
    /// Fails with `redirectRefused`, for servers that must not redirect.
    case error
}

extension HTTPRequest {
    private enum Mode: HTTPRequestOption {
        static var defaultValue: RedirectMode? { nil }
    }

    /// The mode for this request; `nil` for the mode of the session's
    /// ``/HTTPMiddleware/Redirects``.
    public var redirectMode: RedirectMode? {
        get { self[Mode.self] }
        set { self[Mode.self] = newValue }
    }

    /// Returns this request with its own mode, which takes precedence over the session's.
    public func redirects(_ mode: RedirectMode) -> HTTPRequest { option(Mode.self, mode) }
}
