import HTTPCore

extension HTTPCookieJar {
    /// A cookie of a response that was not stored. See ``HTTPCookieJar/refusals``.
    public struct Refusal: Hashable, Sendable, CustomStringConvertible {
        /// The reason why a cookie was not stored.
        public enum Reason: String, Error, Hashable, Sendable {
            case controlCharacter = "the field contains a control character"
            case empty = "the field has neither a name nor a value"
            case tooLong = "the name and the value have more than 4096 bytes"
            case domainElsewhere = "the Domain attribute is not the host or a domain above it"
            case publicSuffix = "the Domain attribute is a public suffix, or above one"
            case secureOverHTTP = "the attribute Secure does not count over plain http"
            case coversSecureCookie = "a cookie of plain http would cover a secure cookie"
            case sameSiteNone = "SameSite=None needs the attribute Secure"
            case prefix = "the name begins with a prefix whose attributes the cookie does not have"
            case noRoom = "the site has too many cookies, and all others have priority"
        }

        /// The host that sent the cookie.
        public let host: String
        /// The name of the cookie, cut after 128 characters; empty if it has none, or could not be
        /// read.
        public let name: String
        public let reason: Reason

        init(host: String, name: [UInt8], reason: Reason) {
            self.host = host
            self.name = String(name.cookieText.prefix(128))
            self.reason = reason
        }

        /// One line without the value.
        public var description: String { "\(name.logSafe) of \(host): \(reason.rawValue)" }
    }

    /// The number of refusals that a jar keeps.
    static let mostRefusals = 64
}
