import HTTPCore
import HTTPFormats
import PortableFoundation

extension URL {
    /// Returns the URL that a reference means at this URL (RFC 3986 §5), without any repair.
    func resolving(_ reference: String) throws(HTTPError) -> URL {
        let base = try HTTPTarget.reference(absoluteString)
        guard base.scheme != nil else {
            throw HTTPError(.invalidRequest, "only an absolute URL can resolve a reference")
        }
        let text = reference.utf8.first == UInt8(ascii: ":") ? "./" + reference : reference
        return try URL(strictly: HTTPTarget.reference(text).resolved(against: base).text)
    }
}
