import HTTPCore

extension HTTPCookieJar {
    /// A cookie of a response that was not stored. See ``HTTPCookieJar/refusals``.
    public struct Refusal: Hashable, Sendable, CustomStringConvertible {
        /// The reason why a cookie was not stored.
        public enum Reason: String, Error, Hashable, Sendable {
            /// The field contains a control character (RFC 6265bis §5.6).
            case controlCharacter = "the field contains a control character"
            /// The field has neither a name nor a value.
            case empty = "the field has neither a name nor a value"
            /// The name and the value together have more than 4096 bytes.
            case tooLong = "the name and the value have more than 4096 bytes"
            /// The `Domain` attribute is not the host that sent the cookie, nor a domain above it.
            case domainElsewhere = "the Domain attribute is not the host or a domain above it"
            /// The `Domain` attribute is a public suffix, such as `co.uk`, or above one: unrelated
            /// sites would receive the cookie.
            case publicSuffix = "the Domain attribute is a public suffix, or above one"
            /// The attribute `Secure` was sent over plain http.
            case secureOverHTTP = "the attribute Secure does not count over plain http"
            /// A cookie that came over plain http would replace or hide a secure one.
            case coversSecureCookie = "a cookie of plain http would cover a secure cookie"
            /// `SameSite=None` was sent without `Secure`.
            case sameSiteNone = "SameSite=None needs the attribute Secure"
            /// The name begins with a prefix such as `__Secure-` or `__Host-`, and the cookie lacks
            /// an attribute that the prefix demands.
            case prefix = "the name begins with a prefix whose attributes the cookie does not have"
            /// The site has as many cookies as it may have, and none of them has to make room.
            case noRoom = "the site has too many cookies, and all others have priority"
        }

        /// The host that sent the cookie.
        public let host: String
        /// The name of the cookie, cut after 128 characters; empty if it has none, or could not be
        /// read.
        public let name: String
        /// The reason, as a value to act on.
        public let reason: Reason

        init(host: String, name: [UInt8], reason: Reason) {
            self.host = host
            self.name = String(name.cookieText.prefix(128))
            self.reason = reason
        }

        /// One line without the value.
        public var description: String {
            "\(name.logSafe) of \(host.escapingControls()): \(reason.rawValue)"
        }
    }
}
