public import HTTPCore
public import HTTPFormats
public import PortableFoundation

/// The credentials that requests are signed with, and the time when they expire.
///
/// A secret: no description shows more than the scheme and the expiry.
public struct HTTPCredential: Hashable, Sendable {
    /// The value that is sent.
    public var authorization: Authorization
    /// The date when the credential expires; `nil` if it is not known.
    public var expiry: Date?
    /// The token for obtaining the next credential. It is for the provider that does so; no layer
    /// sends it.
    public var refreshToken: String?

    /// Creates a credential. Without an expiry, it is used until a server refuses it.
    public init(_ authorization: Authorization, expiry: Date? = nil, refreshToken: String? = nil) {
        self.authorization = authorization
        self.expiry = expiry
        self.refreshToken = refreshToken
    }

    /// - Throws: the same errors as `Authorization.bearer`.
    public static func bearer(
        _ token: String, expiry: Date? = nil, refreshToken: String? = nil
    ) throws(HTTPError) -> Self {
        Self(try .bearer(token), expiry: expiry, refreshToken: refreshToken)
    }
}

extension HTTPCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        "\(authorization)" + (expiry.map { ", until \(HTTPDate($0))" } ?? "")
    }
    public var debugDescription: String { description }
    /// A mirror for `dump` that does not contain the refresh token.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
