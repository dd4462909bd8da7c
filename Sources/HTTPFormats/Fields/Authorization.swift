public import HTTPCore
import PortableFoundation

/// Credentials as a header field of a request (RFC 9110 §11.4).
///
/// The value is secret: descriptions show only the field's name and the scheme.
public struct Authorization: Hashable, Sendable, CustomStringConvertible,
    CustomDebugStringConvertible,
    CustomReflectable
{
    /// The name of the field; `Authorization` unless the value is an API key or ``forProxy``.
    public let fieldName: HTTPHeaderName
    /// The authentication scheme as written, or `nil` for an API key.
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

    /// The same credentials in `Proxy-Authorization`, for a proxy that sent a challenge
    /// (RFC 9110 §11.7.2).
    public var forProxy: Self { Self(.proxyAuthorization, self) }

    private init(_ fieldName: HTTPHeaderName, _ other: Self) {
        (self.fieldName, scheme, fieldValue) = (fieldName, other.scheme, other.fieldValue)
    }

    public var description: String {
        "\(fieldName): " + (scheme.map { $0.escapingControls() + " <redacted>" } ?? "<redacted>")
    }
    public var debugDescription: String { description }
    /// The mirror for `dump`, which would otherwise print the secret.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension Authorization {
    /// Returns credentials for Basic: the user name and the password in UTF-8 (RFC 7617 §2.1).
    ///
    /// - Throws: `invalidRequest` if the user name holds a colon, or if either holds a control
    ///   character (RFC 7617 §2).
    public static func basic(user: String, password: String) throws(HTTPError) -> Self {
        let bytes = Array("\(user):\(password)".utf8)
        guard !user.utf8.contains(UInt8(ascii: ":")),
            bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else {
            throw HTTPError(
                .invalidRequest,
                "the user name holds a colon, or the user name or password holds a control "
                    + "character (RFC 7617 §2)")
        }
        return try Self(
            .authorization, scheme: "Basic", credentials: Data(bytes).base64EncodedString())
    }

    /// Returns credentials for an access token (RFC 6750 §2.1). Any visible ASCII is accepted,
    /// because servers issue tokens with more characters than the grammar has.
    ///
    /// - Throws: `invalidRequest` if the token is empty, or holds a blank, a control character or a
    ///   character outside ASCII.
    public static func bearer(_ token: String) throws(HTTPError) -> Self {
        guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw HTTPError(
                .invalidRequest,
                "a bearer token must be visible ASCII without blanks (RFC 6750 §2.1)")
        }
        return try Self(.authorization, scheme: "Bearer", credentials: token)
    }

    /// Returns a key in a field of its own, by default `X-API-Key`.
    ///
    /// - Throws: `invalidRequest` if the key is empty, starts or ends with a blank, or holds a
    ///   control character.
    public static func apiKey(
        _ key: String, in fieldName: HTTPHeaderName = "X-API-Key"
    ) throws(HTTPError) -> Self {
        try Self(fieldName, scheme: nil, credentials: key)
    }

    /// Returns credentials for Digest with parameters that were computed for a challenge
    /// (RFC 7616 §3.4).
    ///
    /// - Throws: The errors of ``scheme(_:_:)``.
    public static func digest(_ parameters: String) throws(HTTPError) -> Self {
        try scheme("Digest", parameters)
    }

    /// Returns credentials for any other scheme. They are sent as given.
    ///
    /// - Throws: `invalidRequest` if the scheme is not a token, or if the credentials are empty,
    ///   start or end with a blank, or hold a control character.
    public static func scheme(
        _ scheme: String, _ credentials: String
    ) throws(HTTPError) -> Self {
        guard scheme.isToken else {
            throw HTTPError(
                .invalidRequest, "an authentication scheme must be a token (RFC 9110 §11.1)")
        }
        return try Self(.authorization, scheme: scheme, credentials: credentials)
    }
}

extension HTTPHeaders {
    /// Sets the field and marks it as sensitive, regardless of its name.
    public mutating func set(_ authorization: Authorization) {
        // Never refused: credentials are checked when they are created.
        self[authorization.fieldName] = authorization.fieldValue
        setSensitive(authorization.fieldName)
    }
}
