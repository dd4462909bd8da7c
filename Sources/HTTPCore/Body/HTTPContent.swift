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

    /// The same request with these bytes as its body. They have no type unless one is given.
    public func data(_ bytes: Data, contentType: MediaType? = nil) -> HTTPRequest {
        body(HTTPBody(bytes), contentType: contentType)
    }

    /// The same request with `text`, in UTF-8, as its body, and `Content-Type: text/plain;
    /// charset=utf-8` unless there is one or another is given.
    public func text(_ text: String, contentType: MediaType? = nil) -> HTTPRequest {
        setting(
            HTTPBody(text),
            fields: [.contentType: contentType?.description ?? "text/plain; charset=utf-8"])
    }

    /// The same request with a file, or bytes of it, as its body: looked at now, opened when sent.
    ///
    /// - Parameter range: bytes of the file, from 0.
    /// - Throws: `invalidRequest` when `path` is no regular file that can be read, or ends before
    ///   `range` does.
    public func file(
        _ path: String, range: Range<Int64>? = nil, contentType: MediaType? = nil
    ) throws(HTTPError) -> HTTPRequest {
        body(try HTTPBody(file: path, range: range), contentType: contentType)
    }

    /// The same request with a body that is made anew whenever the request is sent.
    ///
    /// - Parameter length: in bytes; `nil` when it is not known.
    public func stream<Bytes: AsyncSequence & Sendable>(
        length: Int64? = nil, contentType: MediaType? = nil,
        restarting start: @escaping @Sendable () async throws -> Bytes
    ) -> HTTPRequest where Bytes.Element == Data {
        body(HTTPBody(length: length, restarting: start), contentType: contentType)
    }

    /// The same request with a body that can be sent once: not again on a redirect or a retry.
    ///
    /// - Parameter length: in bytes; `nil` when it is not known.
    public func stream<Bytes: AsyncSequence & Sendable>(
        once bytes: Bytes, length: Int64? = nil, contentType: MediaType? = nil
    ) -> HTTPRequest where Bytes.Element == Data {
        body(HTTPBody(bytes, length: length), contentType: contentType)
    }
}

// MARK: - Fields that come and go with a body

/// The fields that a body has brought. They leave with it, unless the caller has set them since.
package final class ImpliedFields: Sendable {
    /// Returns the `Content-Type` that describes the body, given the one that the request has, or
    /// `nil` if that one describes another body: its boundary is not the body's.
    package typealias ContentTypeFitting = @Sendable (String?) -> String?

    let fields: HTTPHeaders
    /// The rule of a multipart body, which only its `Content-Type` makes readable; else `nil`.
    let fittingContentType: ContentTypeFitting?

    init(_ fields: HTTPHeaders, fittingContentType: ContentTypeFitting?) {
        self.fields = fields
        self.fittingContentType = fittingContentType
    }

    func without(_ name: HTTPHeaderName) -> ImpliedFields {
        guard fields.contains(name) else { return self }
        var rest = fields
        rest.remove(name)
        return ImpliedFields(rest, fittingContentType: fittingContentType)
    }

    var withoutFitting: ImpliedFields {
        fittingContentType == nil ? self : ImpliedFields(fields, fittingContentType: nil)
    }
}

extension HTTPRequest {
    /// This request without the fields that its body has brought, as far as they are still there.
    package var withoutImpliedFields: HTTPRequest {
        guard let implied else { return self }
        var request = self
        for name in Set(implied.fields.map(\.name))
        where headers[values: name] == implied.fields[values: name] {
            request.headers.remove(name)
        }
        request.implied = nil
        return request
    }

    package func setting(
        _ body: HTTPBody, fields: HTTPHeaders,
        fittingContentType: ImpliedFields.ContentTypeFitting? = nil
    ) -> HTTPRequest {
        var request = withoutImpliedFields
        var implied = fields
        for name in Set(fields.map(\.name)) where request.headers.contains(name) {
            implied.remove(name)
        }
        request.headers.append(contentsOf: implied)
        request.body = body
        request.implied =
            implied.isEmpty && fittingContentType == nil
            ? nil : ImpliedFields(implied, fittingContentType: fittingContentType)
        return request
    }
}
