#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Where a request goes, read once from its URL and proven: what a transport needs to send it.
public struct HTTPTarget: Hashable, Sendable {
    public let origin: HTTPOrigin
    /// Path and query as they go on the wire, byte for byte as in the URL: never empty, no fragment.
    public let originForm: String

    /// Origin and ``originForm``: the URL to send to, without user information and fragment. Not for
    /// logs, since a query may be secret: they take ``description``.
    public var url: String { origin.description + originForm }

    /// - Throws: `invalidRequest` naming the part of `url` that cannot be used.
    public init(_ url: URL) throws(HTTPError) {
        let uri = try Self.reference(url.absoluteString)
        self.origin = try HTTPOrigin(uri)
        guard uri.authority?.userInfo == nil else {
            throw HTTPError(
                .invalidRequest,
                "the URL carries user information: put credentials into an Authorization field")
        }
        self.originForm =
            (uri.path.isEmpty ? "/" : String(uri.path)) + (uri.query.map { "?\($0)" } ?? "")
    }

    static func reference(_ text: String) throws(HTTPError) -> URIReference {
        do throws(URIReference.SyntaxError) {
            return try URIReference(text)
        } catch {
            throw HTTPError(
                .invalidRequest,
                "the URL is not one (RFC 3986), at octet \(error.offset): \(error.reason)")
        }
    }
}

extension HTTPTarget: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Origin and path, without the query.
    public var description: String {
        guard let mark = originForm.utf8.firstIndex(of: UInt8(ascii: "?")) else { return url }
        return origin.description + originForm[..<mark] + "?…"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension URL {
    /// The URL that `text` is, to the letter of RFC 3986; `URL(string:)` would repair it in silence.
    ///
    /// - Throws: `invalidRequest` saying at which octet `text` stops being a URL, and why.
    public init(strictly text: String) throws(HTTPError) {
        _ = try HTTPTarget.reference(text)
        guard let url = URL(string: text, encodingInvalidCharacters: false),
            url.absoluteString == text
        else {
            throw HTTPError(.invalidRequest, "the URL is not one that Foundation keeps unchanged")
        }
        self = url
    }
}
