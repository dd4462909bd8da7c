public import PortableFoundation

/// The target of a request, parsed from its URL and checked: what a transport needs to send it.
public struct HTTPTarget: Hashable, Sendable {
    /// The scheme, host and port.
    public let origin: HTTPOrigin
    /// The path and query as they are sent, byte for byte as in the URL; never empty, and without
    /// the fragment.
    public let originForm: String

    /// The origin and ``originForm``: the URL to send to, without user information and fragment.
    /// Its query may be secret: use ``description`` for logs.
    public let url: String

    /// Creates the target of a URL.
    ///
    /// - Throws: `invalidRequest` naming the part of `url` that cannot be used.
    package init(_ url: URL) throws(HTTPError) {
        try self.init(Self.reference(url.absoluteString))
    }

    init(_ uri: borrowing URIReference) throws(HTTPError) {
        self.origin = try HTTPOrigin(uri)
        guard uri.authority?.userInfo == nil else {
            throw HTTPError(
                .invalidRequest,
                "the URL carries user information: put credentials into an Authorization field")
        }
        let path = uri.path.isEmpty ? "/" : String(uri.path)
        self.originForm = uri.query.map { "\(path)?\($0)" } ?? path
        self.url = origin.isWritten(in: uri) ? uri.text : origin.text(before: originForm)
    }

    package static func reference(_ text: String) throws(HTTPError) -> URIReference {
        do throws(URIReference.SyntaxError) {
            return try URIReference(text)
        } catch {
            throw HTTPError(
                .invalidRequest,
                "the URL is invalid (RFC 3986) at byte \(error.offset): \(error.reason)")
        }
    }
}

extension HTTPOrigin {
    /// Returns `true` if the text of `uri`, whose origin this is, is the URL of its target already.
    /// Most are.
    fileprivate func isWritten(in uri: borrowing URIReference) -> Bool {
        guard uri.fragment == nil, !uri.path.isEmpty, let authority = uri.authority,
            authority.userInfo == nil, authority.host == host,
            uri.scheme.map({ $0 == scheme.rawValue }) == true
        else { return false }
        guard let digits = authority.port else { return true }
        return port != scheme.defaultPort && digits.utf8.first != UInt8(ascii: "0")
    }
}

extension HTTPTarget: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The origin and the path, without the query.
    public var description: String {
        guard let mark = originForm.utf8.firstIndex(of: UInt8(ascii: "?")) else { return url }
        return origin.description + originForm[..<mark] + "?…"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension URL {
    /// Creates a URL from text that is a valid URL (RFC 3986). `URL(string:)` would repair other
    /// text silently.
    ///
    /// - Throws: `invalidRequest` saying at which byte `text` is not a URL, and why.
    public init(strictly text: String) throws(HTTPError) {
        try self.init(HTTPTarget.reference(text))
    }

    package init(_ uri: borrowing URIReference) throws(HTTPError) {
        guard let url = URL(string: uri.text, encodingInvalidCharacters: false),
            url.absoluteString == uri.text
        else {
            throw HTTPError(.invalidRequest, "Foundation cannot represent the URL unchanged")
        }
        self = url
    }
}
