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

// MARK: - What may be sent

extension HTTPRequest {
    /// Checks that the request can be sent, and returns its target. Every transport calls this
    /// first.
    ///
    /// - Parameter hasForwardingProxy: `true` if a proxy reads the fields, or may read them;
    ///   `Proxy-Authorization` is then allowed. Without a proxy, and through a tunnel, the server
    ///   would receive that field.
    /// - Throws: `invalidRequest` naming the part that is invalid, never a field's value;
    ///   `bodyAlreadyRead` if the body cannot be sent again.
    public func checkedTarget(
        hasForwardingProxy: Bool = false
    ) throws(HTTPError) -> HTTPTarget {
        let target = if let knownTarget { knownTarget } else { try HTTPTarget(url) }
        try checkParts(hasForwardingProxy: hasForwardingProxy)
        return target
    }

    /// Checks everything but the URL. See ``checkedTarget(hasForwardingProxy:)``.
    package func checkParts(hasForwardingProxy: Bool) throws(HTTPError) {
        if method != .get { try checkMethod() }
        if hasFields { try checkFields(hasForwardingProxy: hasForwardingProxy) }
        try timeouts.check()
        if let length = body.length, length < 0 {
            throw HTTPError(
                .invalidRequest, "the body's length is negative: use nil for an unknown length",
                phase: .preparing)
        }
        guard body.canBeSent else {
            throw HTTPError(
                .bodyAlreadyRead,
                "the request's body can be read only once, and has been read: make it restartable, "
                    + "or send it anew",
                phase: .preparing)
        }
    }

    private func checkMethod() throws(HTTPError) {
        guard method.rawValue.isToken else {
            throw HTTPError(
                .invalidRequest,
                "\(method.rawValue.logSafe) is not a method (RFC 9110 §9.1): a method is a token",
                phase: .preparing)
        }
        switch method {
        case .connect:
            throw HTTPError(
                .invalidRequest, "CONNECT is for proxies, which are configured on the transport",
                phase: .preparing)
        case .trace where !body.isEmpty:
            throw HTTPError(
                .invalidRequest, "TRACE must not have a body (RFC 9110 §9.3.8)", phase: .preparing)
        default: break
        }
    }

    private func checkFields(hasForwardingProxy: Bool) throws(HTTPError) {
        let headers = headers
        if let name = headers.refusedName {
            throw HTTPError(
                .invalidRequest,
                "the field \(name.spelling.logSafe) was refused when it was set: "
                    + "its name is not a token, or its value holds a control character "
                    + "or begins or ends with a blank",
                phase: .preparing)
        }
        if let name = Self.framingFields.first(where: headers.contains) {
            throw HTTPError(
                .invalidRequest,
                "the field \(name) belongs to the transport, which derives it from the request",
                phase: .preparing)
        }
        if !hasForwardingProxy { try refuseProxyAuthorization() }
        for (name, flaw) in Self.routingFields where headers.contains(name) {
            let values = headers[values: name]
            if values.count > 1 { throw Self.refusal("the field \(name) occurs twice") }
            if let value = values.first, let flaw = flaw(value) {
                throw Self.refusal("the field \(name) \(flaw)")
            }
        }
    }

    private static func refusal(_ message: String) -> HTTPError {
        HTTPError(.invalidRequest, message, phase: .preparing)
    }

    /// The fields that name where a message goes, each with a function that says why a value is
    /// refused. The value itself may hold a password.
    private static let routingFields:
        [(name: HTTPHeaderName, flaw: @Sendable (String) -> String?)] = [
            (.host, flawOfPlace), ("Alt-Used", flawOfPlace),
            (
                "Max-Forwards",
                { value in
                    let isNumber = !value.isEmpty && value.utf8.allSatisfy(\.isASCIIDigit)
                    return isNumber ? nil : "is not a number (RFC 9110 §7.6.2)"
                }
            ),
        ]

    /// Returns why `value` does not name a host, with or without a port, as a URL does; `nil` if it
    /// does (RFC 9110 §7.2).
    @Sendable private static func flawOfPlace(_ value: String) -> String? {
        if let uri = try? URIReference("http://" + value), uri.path.isEmpty, uri.query == nil,
            uri.fragment == nil, uri.authority?.userInfo == nil, (try? HTTPOrigin(uri)) != nil
        {
            return nil
        }
        return "does not name a host, with or without a port (RFC 9110 §7.2); a name beyond ASCII "
            + "is written with xn--"
    }

    /// Throws an error if a proxy's credentials would reach the server, because no proxy would read
    /// them.
    package func refuseProxyAuthorization() throws(HTTPError) {
        guard headers.contains(.proxyAuthorization) else { return }
        throw HTTPError(
            .invalidRequest,
            "the field Proxy-Authorization would reach the server: give the proxy its credentials "
                + "in the transport's settings", phase: .preparing)
    }

    /// The fields that frame a message or manage its connection (RFC 9110 §7.6.1, RFC 9112 §6).
    package static let framingFields: [HTTPHeaderName] = [
        .contentLength, .transferEncoding, .connection, "Keep-Alive", .upgrade, .te, .trailer,
        .expect, "Proxy-Connection", "HTTP2-Settings",
    ]
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
