public import HTTPCore
public import HTTPFormats

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a ``StubSession`` was asked, with the request's body read as a server would.
public struct StubbedRequest: Sendable {
    public let request: HTTPRequest
    /// The bytes of the request's body.
    public let body: Data
    /// What the stub's template found in the URL, decoded.
    public internal(set) var variables: [String: URITemplate.Value] = [:]

    init(_ request: HTTPRequest, body: Data) {
        self.request = request
        self.body = body
    }

    /// The same, asked by the request as its session sends it.
    func sent(as request: HTTPRequest) -> Self {
        var sent = Self(request, body: body)
        sent.variables = variables
        return sent
    }

    /// The variable as one text: `nil` when the template found none, or a list.
    public subscript(variable: String) -> String? {
        if case .string(let text)? = variables[variable] { text } else { nil }
    }

    /// The body as text; what is no UTF-8 becomes U+FFFD.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON, or `nil` when it is none.
    public var json: HTTPJSON? { try? HTTPJSON(parsing: body) }

    /// The value of the first pair of that name in the URL's query, decoded.
    public func query(_ name: String) -> String? {
        guard let reference = try? URIReference(request.url.absoluteString),
            let query = reference.query
        else { return nil }
        return FormURLEncoded(parsing: String(query))[name]
    }
}
