public import HTTPCore

/// What to do where a response sends its client elsewhere.
public enum RedirectMode: Sendable {
    /// Follow as browsers do, see ``Redirection/next(keepingMethod:)``.
    case follow
    /// Follow with the same method, body and fields, but for secrets when the origin changes.
    case followWithOriginalSettings
    /// Follow with what the closure makes of the redirection, or hand back the response for `nil`.
    ///
    /// A request for another origin has no secrets in it unless the closure puts them there. What the
    /// closure throws ends the call.
    case followCustom(@Sendable (Redirection) async throws -> HTTPRequest?)
    /// Hand back the response as it is.
    case manual
    /// Fail with `redirectRefused`, for servers that are not to send anybody anywhere.
    case error
}

extension HTTPRequest {
    private enum Mode: HTTPRequestOption {
        static var defaultValue: RedirectMode? { nil }
    }

    /// For this request; `nil` for what the session's ``Redirects`` do.
    public var redirectMode: RedirectMode? {
        get { self[Mode.self] }
        set { self[Mode.self] = newValue }
    }

    public func redirects(_ mode: RedirectMode) -> HTTPRequest { option(Mode.self, mode) }
}
