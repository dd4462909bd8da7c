public import HTTPCore
import HTTPFormats

/// A middleware that sends a user name and password with every request to their origin, without
/// waiting for a challenge (RFC 7617).
///
/// It saves the round trip that ``ChallengeAuthentication`` takes for the first request. A request
/// that has credentials of its own keeps them. Runs per attempt (row 9).
public struct BasicAuthentication: HTTPRequestInterceptor {
    private let authorization: Authorization
    private let origin: HTTPOrigin
    private let scope: PathScope

    /// - Parameters:
    ///   - credentials: The user and the password.
    ///   - path: the path to which the password is sent, with all paths below it (RFC 7617 §2.2).
    ///   - sendsPasswordUnencrypted: whether the origin may use http, where the password can be
    ///     read on the way.
    /// - Throws: `passwordWithheld` for an http origin without that; `invalidRequest` for a user
    ///   name with a colon, and for control characters.
    public init(
        _ credentials: PasswordCredentials, under path: String = "/",
        sendsPasswordUnencrypted: Bool = false
    ) throws(HTTPError) {
        guard credentials.origin.scheme == .https || sendsPasswordUnencrypted else {
            throw .passwordWithheld(from: credentials.origin)
        }
        authorization = try .basic(user: credentials.user, password: credentials.password)
        origin = credentials.origin
        scope = PathScope(path)
    }

    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        var signed = request
        try await process(request: &signed)
        try Task.checkCancellation()
        var response = try await next.response(for: signed)
        if response.status == .unauthorized {
            response.noteUnsigned(signed, byCredentialsFor: origin)
        }
        return response
    }

    public func process(request: inout HTTPRequest) async throws {
        guard !request.headers.contains(.authorization),
            scope.contains(try HTTPTarget(request.url).originForm)
        else { return }
        try request.authorize(authorization, issuedBy: origin)
    }
}

extension HTTPError {
    static func passwordWithheld(
        from origin: HTTPOrigin, response: HTTPResponse.Head? = nil
    ) -> HTTPError {
        HTTPError(
            .passwordWithheld,
            "\(origin) would get the password unencrypted, by Basic over http: use https, or allow "
                + "it with sendsPasswordUnencrypted",
            phase: response == nil ? .preparing : nil, mayHaveReachedServer: response != nil,
            response: response)
    }
}
