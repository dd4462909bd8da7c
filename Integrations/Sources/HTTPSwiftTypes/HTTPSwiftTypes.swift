// A bridge between HTTPCore and swift-http-types. This file can be copied into another program.

public import HTTPClientKit
public import HTTPTypes

// Both packages have types `HTTPRequest` and `HTTPResponse`: they are written with their modules.

extension HTTPHeaders {
    /// Creates headers from fields, in the same order. A field that must not be indexed is
    /// sensitive (RFC 7541 §7.1.3).
    ///
    /// - Throws: `invalidRequest` for a name that is no token, or a value that cannot be sent.
    public init(_ fields: HTTPFields) throws(HTTPError) {
        self.init()
        for field in fields {
            let name = HTTPHeaderName(field.name.rawName)
            try append(name, field.value)
            if field.indexingStrategy == .disallow { setSensitive(name) }
        }
    }
}

extension HTTPFields {
    /// Creates fields from headers, in the same order. A sensitive field must not be indexed.
    ///
    /// - Throws: `invalidRequest` for a name or value that swift-http-types would refuse or change.
    public init(_ headers: HTTPHeaders) throws(HTTPError) {
        self.init()
        for field in headers {
            guard let name = HTTPField.Name(field.name.spelling),
                HTTPField.isValidValue(field.value)
            else {
                throw HTTPError(
                    .invalidRequest,
                    "the field \(field.name.spelling) has a name or value that HTTPTypes refuses")
            }
            var converted = HTTPField(name: name, value: field.value)
            if field.isSensitive { converted.indexingStrategy = .disallow }
            append(converted)
        }
    }
}

extension HTTPCore.HTTPRequest {
    /// Creates a request from one of swift-http-types.
    ///
    /// - Parameters:
    ///   - request: The request, with a scheme and an authority.
    ///   - body: The body, whose fields are those of `request`.
    /// - Throws: `invalidRequest` if the parts make no URL, for `CONNECT` with a protocol (RFC
    ///   8441), and for fields that cannot be sent.
    public init(_ request: HTTPTypes.HTTPRequest, body: HTTPBody = .empty) throws(HTTPError) {
        guard let scheme = request.scheme, let authority = request.authority,
            request.extendedConnectProtocol == nil
        else {
            throw HTTPError(
                .invalidRequest,
                "a request needs a scheme and an authority, and no protocol of CONNECT")
        }
        let path = request.path ?? "/"
        // Any other path would be read as a part of the authority.
        guard path.isEmpty || path.hasPrefix("/") || path.hasPrefix("?") else {
            throw HTTPError(.invalidRequest, "the path does not begin with a slash")
        }
        try self.init(
            HTTPMethod(request.method.rawValue),
            "\(unescaped: "\(scheme)://\(authority)\(path)")",
            headers: HTTPHeaders(request.headerFields), body: body)
    }
}

extension HTTPTypes.HTTPRequest {
    /// Creates a request of swift-http-types, which has no body.
    ///
    /// - Parameter request: The request, whose URL is absolute. A fragment is left out, as it is
    ///   never sent.
    /// - Throws: `invalidRequest` for a relative URL, a method that is no token, and for fields
    ///   that swift-http-types would refuse or change.
    public init(_ request: HTTPCore.HTTPRequest) throws(HTTPError) {
        let text = request.url.absoluteString.prefix { $0 != "#" }
        guard let method = Method(rawValue: request.method.rawValue),
            let separator = text.firstRange(of: "://")
        else {
            throw HTTPError(.invalidRequest, "the method is no token, or the URL is not absolute")
        }
        let rest = text[separator.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let path = rest[authority.endIndex...]
        self.init(
            method: method, scheme: String(text[..<separator.lowerBound]),
            authority: String(authority),
            path: path.hasPrefix("/") ? String(path) : "/" + path,
            headerFields: try HTTPFields(request.headers))
    }
}

extension HTTPCore.HTTPResponse {
    /// Creates a response from one of swift-http-types.
    ///
    /// - Parameters:
    ///   - response: The response. Its reason phrase is left out.
    ///   - body: The body.
    ///   - request: The request that it responds to.
    /// - Throws: `invalidRequest` for a status that is none, and for fields that are not valid.
    public init(
        _ response: HTTPTypes.HTTPResponse, body: HTTPBody = .empty,
        to request: HTTPCore.HTTPRequest
    ) throws(HTTPError) {
        guard let status = HTTPStatus(code: response.status.code) else {
            throw HTTPError(.invalidRequest, "\(response.status.code) is not a status")
        }
        self.init(
            status, headers: try HTTPHeaders(response.headerFields), body: body, to: request)
    }
}

extension HTTPTypes.HTTPResponse {
    /// Creates a response of swift-http-types, which has no body and no trailers.
    ///
    /// - Throws: `invalidRequest` for fields that swift-http-types would refuse or change.
    public init(_ response: HTTPCore.HTTPResponse) throws(HTTPError) {
        self.init(
            status: Status(code: response.status.code),
            headerFields: try HTTPFields(response.headers))
    }
}
