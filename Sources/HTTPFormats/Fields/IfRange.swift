package import HTTPCore
package import PortableFoundation

/// A condition on a range request: the representation is still the one that the client has a part
/// of (RFC 9110 §13.1.5).
package enum IfRange: Hashable, Sendable, CustomStringConvertible {
    /// A tag, compared strongly. A weak tag never matches and must not be sent.
    case entityTag(EntityTag)
    case date(HTTPDate)

    /// Creates a condition from an entity tag or a date, or `nil`.
    ///
    /// - Parameter now: The current time, used only for a two-digit year.
    package init?(_ text: String, now: Date) {
        let text = text.trimmingBlanks
        if let tag = EntityTag(text) {
            self = .entityTag(tag)
        } else if let date = HTTPDate(text, now: now) {
            self = .date(date)
        } else {
            return nil
        }
    }

    /// Creates the condition for resuming a response that had these fields: its strong entity tag
    /// or, without any tag, its `Last-Modified` if `Date` is at least a second later
    /// (RFC 9110 §8.8.2.2). `nil` if neither can distinguish two representations.
    package init?(resuming headers: HTTPHeaders) {
        if let tag = headers.entityTag {
            guard !tag.isWeak else { return nil }
            self = .entityTag(tag)
        } else if let modified = headers.lastModified, let date = headers.date, modified < date {
            self = .date(modified)
        } else {
            return nil
        }
    }

    package var description: String {
        switch self {
        case .entityTag(let tag): tag.description
        case .date(let date): date.description
        }
    }
}
