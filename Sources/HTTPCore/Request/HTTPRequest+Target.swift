package import PortableFoundation

extension HTTPRequest {
    /// Returns the origin of the URL. Costs nothing for the first request of a call, or while the
    /// URL is the text that the request was created from.
    ///
    /// - Throws: `invalidRequest` if the URL has no origin.
    package func origin() throws(HTTPError) -> HTTPOrigin {
        if let knownTarget { return knownTarget.origin }
        return try HTTPOrigin(url)
    }

    /// Returns the target of the URL. Costs as little as ``origin()``.
    ///
    /// - Throws: `invalidRequest` naming the part of the URL that cannot be used.
    package func target() throws(HTTPError) -> HTTPTarget {
        if let knownTarget { return knownTarget }
        return try HTTPTarget(url)
    }

    /// The target, if the URL was parsed before and is the same since.
    var knownTarget: HTTPTarget? { parts[0].target?.target }
}

extension HTTPRequest {
    /// Returns this request with an absolute URL: its own, or its own appended to the path of
    /// `base` by exactly one slash. Both `https://h/api` and `https://h/api/` with `x` or `/x` give
    /// `https://h/api/x`.
    ///
    /// This is not the resolution of RFC 3986: the result is always below the base, with its
    /// scheme, host, port and path. See ``resolving(_:)``. An empty URL gives the base itself.
    /// Query and fragment come from the request only; an empty fragment is left out.
    ///
    /// - Parameter base: The base URL, or `nil` for none.
    /// - Throws: `invalidRequest` if the URL is relative and there is no base, if `base` is
    ///   relative or has user information, if the request's URL begins with `//` or leads above
    ///   the base with `..` segments, or if the result is not a valid URL (RFC 3986).
    package func joined(to base: URL?) throws(HTTPError) -> HTTPRequest {
        var request = self
        request.url = try Route(url.absoluteString).joined(to: base)
        return request
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
        let target = try target()
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
