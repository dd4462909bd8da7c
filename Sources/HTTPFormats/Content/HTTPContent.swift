public import HTTPCore
public import PortableFoundation

/// A value that can become the body of a request, with `request.body(content)`: the body, and the
/// fields that describe it.
///
/// ```swift
/// struct Invoice: HTTPContent {
///     var fields: HTTPHeaders { ["Content-Type": "application/xml", "Content-Language": "de"] }
///     var body: HTTPBody { get throws { HTTPBody(try xml()) } }
/// }
/// ```
public protocol HTTPContent: Sendable {
    /// Representation metadata (RFC 9110 §8), such as `Content-Type`. A request takes those fields
    /// that the caller has not set.
    var fields: HTTPHeaders { get throws }
    /// The body. It is read once, when the content becomes a body, so that an error is thrown
    /// before anything is sent.
    var body: HTTPBody { get throws }
}

extension HTTPRequest {
    /// Returns this request with `content` as its body, and with those fields of `content` that it
    /// does not have.
    ///
    /// - Throws: The error that `content` throws.
    public func body(_ content: some HTTPContent) throws -> HTTPRequest {
        setting(try content.body, fields: try content.fields)
    }

    /// Returns this request with this body, and with `Content-Type` unless the caller set one.
    public func body(_ body: HTTPBody, contentType: MediaType? = nil) -> HTTPRequest {
        setting(body, fields: contentType.map { [.contentType: $0.description] } ?? [:])
    }

    /// Returns this request with these bytes as its body. Sets a `Content-Type` only if one is
    /// given.
    public func data(_ bytes: Data, contentType: MediaType? = nil) -> HTTPRequest {
        body(HTTPBody(bytes), contentType: contentType)
    }

    /// Returns this request with `text` in UTF-8 as its body, and with
    /// `Content-Type: text/plain; charset=utf-8` unless the request has one or another is given.
    public func text(_ text: String, contentType: MediaType? = nil) -> HTTPRequest {
        setting(
            HTTPBody(text),
            fields: [.contentType: contentType?.description ?? "text/plain; charset=utf-8"])
    }

    /// Returns this request with a file, or a part of it, as its body. The file is checked now and
    /// opened when the request is sent.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - range: The bytes of the file to send, counted from 0.
    ///   - contentType: The media type of the content; `nil` leaves out `Content-Type`, unless the
    ///     request has one.
    /// - Throws: `invalidRequest` if `path` is not a regular file that can be read, or the file
    ///   ends before `range` does.
    public func file(
        _ path: String, range: Range<Int64>? = nil, contentType: MediaType? = nil
    ) throws(HTTPError) -> HTTPRequest {
        body(try HTTPBody(file: path, range: range), contentType: contentType)
    }

    /// Returns this request with the file of a file URL, or a part of it, as its body. See
    /// ``file(_:range:contentType:)-(String,_,_)``.
    public func file(
        _ file: URL, range: Range<Int64>? = nil, contentType: MediaType? = nil
    ) throws(HTTPError) -> HTTPRequest {
        body(try HTTPBody(file: file, range: range), contentType: contentType)
    }

    /// Returns this request with a body that is created again each time the request is sent.
    ///
    /// - Parameters:
    ///   - length: The length in bytes, or `nil` if it is not known.
    ///   - contentType: The media type of the content; `nil` leaves out `Content-Type`, unless the
    ///     request has one.
    ///   - start: A closure that begins the bytes anew, for each time that the body is sent.
    public func stream<Bytes: AsyncSequence & Sendable>(
        length: Int64? = nil, contentType: MediaType? = nil,
        restarting start: @escaping @Sendable () async throws -> Bytes
    ) -> HTTPRequest where Bytes.Element == Data {
        body(HTTPBody(length: length, restarting: start), contentType: contentType)
    }

    /// Returns this request with a body that can be sent only once, and so not again on a redirect
    /// or a retry.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - length: The length in bytes, or `nil` if it is not known.
    ///   - contentType: The media type of the content; `nil` leaves out `Content-Type`, unless the
    ///     request has one.
    public func stream<Bytes: AsyncSequence & Sendable>(
        once bytes: Bytes, length: Int64? = nil, contentType: MediaType? = nil
    ) -> HTTPRequest where Bytes.Element == Data {
        body(HTTPBody(bytes, length: length), contentType: contentType)
    }
}
