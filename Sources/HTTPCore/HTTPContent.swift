#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a body is made of and what it says of itself: how a type of one's own becomes a request's
/// body, with `request.body(content)`.
///
/// ```swift
/// struct Invoice: HTTPContent {
///     var fields: HTTPHeaders { ["Content-Type": "application/xml", "Content-Language": "de"] }
///     var body: HTTPBody { get throws { HTTPBody(try xml()) } }
/// }
/// ```
public protocol HTTPContent: Sendable {
    /// Representation metadata (RFC 9110 §8), such as `Content-Type`. A request takes those that its
    /// caller has not set.
    var fields: HTTPHeaders { get throws }
    /// Read once, when the content becomes a body, so that an error comes before anything is sent.
    var body: HTTPBody { get throws }
}

extension HTTPRequest {
    /// The same request with `content` as its body, and with the fields of `content` that it lacks.
    ///
    /// - Throws: what `content` throws.
    public func body(_ content: some HTTPContent) throws -> HTTPRequest {
        setting(try content.body, fields: try content.fields)
    }

    /// The same request with this body, and with `Content-Type` unless the caller set one.
    public func body(_ body: HTTPBody, contentType: MediaType? = nil) -> HTTPRequest {
        setting(body, fields: contentType.map { [.contentType: $0.description] } ?? [:])
    }

    /// The same request with these octets as its body. They have no type unless one is given.
    public func data(_ octets: Data, contentType: MediaType? = nil) -> HTTPRequest {
        body(HTTPBody(octets), contentType: contentType)
    }

    /// The same request with `text`, in UTF-8, as its body, and `Content-Type: text/plain;
    /// charset=utf-8` unless there is one or another is given.
    public func text(_ text: String, contentType: MediaType? = nil) -> HTTPRequest {
        setting(
            HTTPBody(text),
            fields: [.contentType: contentType?.description ?? "text/plain; charset=utf-8"])
    }

    /// The same request with a file, or octets of it, as its body: looked at now, opened when sent.
    ///
    /// - Parameter range: octets of the file, from 0.
    /// - Throws: `invalidRequest` when `path` is no regular file that can be read, or ends before
    ///   `range` does.
    public func file(
        _ path: String, range: Range<Int64>? = nil, contentType: MediaType? = nil
    ) throws(HTTPError) -> HTTPRequest {
        body(try HTTPBody(file: path, range: range), contentType: contentType)
    }

    /// The same request with a body that is made anew whenever the request is sent.
    ///
    /// - Parameter length: in octets; `nil` when it is not known.
    public func stream<Octets: AsyncSequence & Sendable>(
        length: Int64? = nil, contentType: MediaType? = nil,
        restarting start: @escaping @Sendable () async throws -> Octets
    ) -> HTTPRequest where Octets.Element == Data {
        body(HTTPBody(length: length, restarting: start), contentType: contentType)
    }

    /// The same request with a body that can be sent once: not again on a redirect or a retry.
    ///
    /// - Parameter length: in octets; `nil` when it is not known.
    public func stream<Octets: AsyncSequence & Sendable>(
        once octets: Octets, length: Int64? = nil, contentType: MediaType? = nil
    ) -> HTTPRequest where Octets.Element == Data {
        body(HTTPBody(octets, length: length), contentType: contentType)
    }
}

// MARK: - Fields that come and go with a body

/// The fields that a body has brought. They leave with it, unless the caller has set them since.
final class ImpliedFields: Sendable {
    let fields: HTTPHeaders
    /// Of a multipart body: without it in `Content-Type`, nobody can read the body.
    let boundary: String?

    init(_ fields: HTTPHeaders, boundary: String?) {
        self.fields = fields
        self.boundary = boundary
    }

    func without(_ name: HTTPHeaderName) -> ImpliedFields {
        guard fields.contains(name) else { return self }
        var rest = fields
        rest.remove(name)
        return ImpliedFields(rest, boundary: boundary)
    }

    var withoutBoundary: ImpliedFields {
        boundary == nil ? self : ImpliedFields(fields, boundary: nil)
    }
}

extension HTTPRequest {
    /// This request without the fields that its body has brought, as far as they are still there.
    var withoutImpliedFields: HTTPRequest {
        guard let implied else { return self }
        var request = self
        for name in Set(implied.fields.map(\.name))
        where headers[values: name] == implied.fields[values: name] {
            request.headers.remove(name)
        }
        request.implied = nil
        return request
    }

    func setting(
        _ body: HTTPBody, fields: HTTPHeaders, boundary: String? = nil
    ) -> HTTPRequest {
        var request = withoutImpliedFields
        var implied = fields
        for name in Set(fields.map(\.name)) where request.headers.contains(name) {
            implied.remove(name)
        }
        request.headers.append(contentsOf: implied)
        request.body = body
        request.implied =
            implied.isEmpty && boundary == nil ? nil : ImpliedFields(implied, boundary: boundary)
        return request
    }
}
