public import HTTPCore
public import HTTPFormats

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What requests are signed with, and how long that is good for.
///
/// A secret: no description shows more than the scheme and the expiry.
public struct HTTPCredential: Hashable, Sendable {
    /// What is sent.
    public var authorization: Authorization
    /// On the calendar; `nil` where nobody has said.
    public var expiry: Date?
    /// For whoever gets the next credential; sent by nobody else.
    public var refreshToken: String?

    public init(_ authorization: Authorization, expiry: Date? = nil, refreshToken: String? = nil) {
        self.authorization = authorization
        self.expiry = expiry
        self.refreshToken = refreshToken
    }

    /// - Throws: as `Authorization.bearer`.
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
    /// Without this, `dump` would print the refresh token.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
