public import HTTPCore
import HTTPCredentials

/// A middleware that adds fields that a request lacks.
///
/// A field of the request takes precedence over a default of the same name, also if the request's
/// body added it (`ImpliedFields` in HTTPCore has the whole order). Sensitive defaults go to one
/// origin only: the one they were given for, or else the call's first.
///
/// Runs per attempt (row 4).
public struct DefaultHeaders: HTTPRequestInterceptor {
    private let origin: HTTPOrigin?
    /// Further origins that may receive the sensitive fields.
    private let trusted: Set<HTTPOrigin>
    private let read: @Sendable () async throws -> HTTPHeaders

    /// - Parameters:
    ///   - headers: The fields to add where a request has none of that name.
    ///   - origin: the origin that may receive the sensitive fields; `nil` for the call's first.
    public init(_ headers: HTTPHeaders, for origin: HTTPOrigin? = nil) {
        self.init(headers, for: origin, and: [])
    }

    package init(_ headers: HTTPHeaders, for origin: HTTPOrigin?, and trusted: Set<HTTPOrigin>) {
        self.origin = origin
        self.trusted = trusted
        read = { headers }
    }

    /// - Parameters:
    ///   - origin: The origin that gets secret fields; other fields go to all.
    ///   - read: called for each request, so the defaults may change between two requests.
    public init(
        for origin: HTTPOrigin? = nil,
        reading read: @escaping @Sendable () async throws -> HTTPHeaders
    ) {
        self.origin = origin
        trusted = []
        self.read = read
    }

    public func process(request: inout HTTPRequest) async throws {
        var missing = try await read()
        let (target, home) = (try request.origin(), origin ?? request.homeOrigin)
        let isHome = home == nil || home == target || trusted.contains(target)
        for field in missing
        where request.headers.contains(field.name) || (field.isSensitive && !isHome) {
            missing.remove(field.name)
        }
        request.headers.append(contentsOf: missing)
        for field in missing where field.isSensitive {
            request.markIssued(field.name, by: target)
            try request[ClientCredentials.self].append(field.name, field.value)
        }
    }
}
