public import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Credentials as a field of a request (RFC 9110 §11.4).
///
/// A secret: no description shows more than the field's name and the scheme.
public struct Authorization: Hashable, Sendable, CustomStringConvertible,
    CustomDebugStringConvertible,
    CustomReflectable
{
    /// `Authorization`, except for API keys.
    public let fieldName: HTTPHeaderName
    /// As written, or `nil` for an API key.
    public let scheme: String?
    /// The whole value to send.
    public let fieldValue: String

    private init(
        _ fieldName: HTTPHeaderName, scheme: String?, credentials: String
    ) throws(HTTPError) {
        guard fieldName.isToken else {
            throw HTTPError(
                .invalidRequest,
                "\(fieldName.spelling.logSafe) is not a header field name (RFC 9110 §5.1)")
        }
        guard !credentials.isEmpty, credentials.utf8.allSatisfy(\.isFieldValueCharacter),
            credentials.trimmingBlanks == credentials
        else {
            throw HTTPError(
                .invalidRequest,
                "the credentials for \(fieldName) are empty, start or end with a blank, "
                    + "or hold a control character (RFC 9110 §5.5)")
        }
        (self.fieldName, self.scheme) = (fieldName, scheme)
        fieldValue = scheme.map { "\($0) \(credentials)" } ?? credentials
    }

    /// The same credentials in `Proxy-Authorization`, for a proxy that asked for them (RFC 9110 §11.7.2).
    public var forProxy: Self { Self(.proxyAuthorization, self) }

    private init(_ fieldName: HTTPHeaderName, _ other: Self) {
        (self.fieldName, scheme, fieldValue) = (fieldName, other.scheme, other.fieldValue)
    }

    public var description: String {
        "\(fieldName): " + (scheme.map { $0 + " <redacted>" } ?? "<redacted>")
    }
    public var debugDescription: String { description }
    /// Without this, `dump` would print the secret.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension Authorization {
    /// User name and password in UTF-8 (RFC 7617 §2.1).
    ///
    /// - Throws: `invalidRequest` if the user name holds a colon, which ends it, or either a control
    ///   character (RFC 7617 §2).
    public static func basic(user: String, password: String) throws(HTTPError) -> Self {
        let bytes = Array("\(user):\(password)".utf8)
        guard !user.utf8.contains(UInt8(ascii: ":")),
            bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else {
            throw HTTPError(
                .invalidRequest,
                "a user name has no colon, and neither it nor a password a control character "
                    + "(RFC 7617 §2)")
        }
        return try Self(
            .authorization, scheme: "Basic", credentials: Data(bytes).base64EncodedString())
    }

    /// An access token (RFC 6750 §2.1). Any that fits a field without blanks, since servers hand out
    /// more than the grammar's letters.
    ///
    /// - Throws: `invalidRequest` if it is empty or holds a blank, a control character or one outside
    ///   ASCII.
    public static func bearer(_ token: String) throws(HTTPError) -> Self {
        guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw HTTPError(
                .invalidRequest, "a bearer token is visible ASCII without blanks (RFC 6750 §2.1)")
        }
        return try Self(.authorization, scheme: "Bearer", credentials: token)
    }

    /// A key in a field of its own, by default `X-API-Key`.
    ///
    /// - Throws: `invalidRequest` if the key is empty, starts or ends with a blank, or holds a control
    ///   character.
    public static func apiKey(
        _ key: String, in fieldName: HTTPHeaderName = "X-API-Key"
    ) throws(HTTPError) -> Self {
        try Self(fieldName, scheme: nil, credentials: key)
    }

    /// The parameters of Digest, written by whoever answered the challenge (RFC 7616 §3.4).
    ///
    /// - Throws: as ``scheme(_:_:)``.
    public static func digest(_ parameters: String) throws(HTTPError) -> Self {
        try scheme("Digest", parameters)
    }

    /// Any other scheme, with its credentials as they are sent.
    ///
    /// - Throws: `invalidRequest` if the scheme is no token, or the credentials are empty, start or end
    ///   with a blank, or hold a control character.
    public static func scheme(
        _ scheme: String, _ credentials: String
    ) throws(HTTPError) -> Self {
        guard scheme.isToken else {
            throw HTTPError(.invalidRequest, "an authentication scheme is a token (RFC 9110 §11.1)")
        }
        return try Self(.authorization, scheme: scheme, credentials: credentials)
    }
}

extension HTTPHeaders {
    /// Sets the field and marks it as sensitive, whatever its name.
    public mutating func set(_ authorization: Authorization) {
        // Never refused: credentials are proven when they are made.
        self[authorization.fieldName] = authorization.fieldValue
        setSensitive(authorization.fieldName)
    }
}
