public import HTTPCore
public import HTTPFormats
public import PortableFoundation

/// A request that a ``StubSession`` received, with its body read to the end.
public struct StubbedRequest: Sendable {
    /// The request, as the layers above have left it.
    public let request: HTTPRequest
    /// The bytes of the request's body.
    public let body: Data
    /// The decoded values that the stub's template found in the URL.
    package internal(set) var variables: [String: URITemplate.Value] = [:]

    init(_ request: HTTPRequest, body: Data) {
        self.request = request
        self.body = body
    }

    /// Returns a copy with the request as the session sends it.
    func sent(as request: HTTPRequest) -> Self {
        var sent = Self(request, body: body)
        sent.variables = variables
        return sent
    }

    /// The request's method.
    public var method: HTTPMethod { request.method }
    /// The request's URL.
    public var url: URL { request.url }
    /// The request's headers.
    public var headers: HTTPHeaders { request.headers }

    /// The value of a variable as text, or `nil` if the template found none, or a list.
    public subscript(variable: String) -> String? {
        if case .string(let text)? = variables[variable] { text } else { nil }
    }

    /// The body as text; bytes that are not UTF-8 become U+FFFD.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON, or `nil` if it is not JSON.
    public var json: HTTPJSON? { try? HTTPJSON(parsing: body) }

    /// Returns the decoded value of the first pair called `name` in the URL's query.
    public func query(_ name: String) -> String? {
        guard let reference = try? URIReference(request.url.absoluteString),
            let query = reference.query
        else { return nil }
        return FormURLEncoded(parsing: String(query))[name]
    }
}
