public import HTTPCore
public import HTTPFormats
public import PortableFoundation

/// The body of a request, in short form: `client.post("users", .form(["name": "Ada"]))`.
///
/// Each member does the same as the method of that name on `HTTPRequest`, when the request is made.
public struct HTTPRequestContent {
    /// Returns a request with this content, in the formats of the session that it is made for.
    let put: (HTTPRequest, ClientFormats) throws -> HTTPRequest

    init(_ put: @escaping (HTTPRequest, ClientFormats) throws -> HTTPRequest) { self.put = put }

    private init(_ put: @escaping (HTTPRequest) throws -> HTTPRequest) {
        self.put = { request, _ in try put(request) }
    }

    /// No content.
    public static var empty: Self { Self { $0 } }

    /// - Parameters:
    ///   - value: The value, encoded as JSON.
    ///   - encoder: The encoder, or `nil` for that of the client
    ///     (``HTTPClient/Configuration/encoder``); `JSONEncoder.sortedJSON` for any other session.
    public static func json(_ value: some Encodable, encoder: JSONEncoder? = nil) -> Self {
        Self { try $0.json(value, encoder: encoder ?? $1.encoder) }
    }

    /// Encodes a dictionary of mixed values as JSON.
    @_disfavoredOverload
    public static func json(_ object: [String: Any]) -> Self { Self { try $0.json(object) } }

    /// Encodes the parameters as `application/x-www-form-urlencoded`.
    ///
    /// - Parameters:
    ///   - parameters: The names and values.
    ///   - encoding: The encoding, or `nil` for that of the client
    ///     (``HTTPClient/Configuration/queryEncoding``).
    public static func form(
        _ parameters: [String: Any?], encoding: QueryEncoding? = nil
    ) -> Self {
        Self { $0.formURLEncoded(parameters, encoding: encoding ?? $1.queryEncoding) }
    }

    /// Encodes the properties of a value as `application/x-www-form-urlencoded`. See
    /// ``form(_:encoding:)``.
    public static func form(
        propertiesOf value: some Encodable, encoding: QueryEncoding? = nil
    ) -> Self {
        Self {
            try $0.formURLEncoded(propertiesOf: value, encoding: encoding ?? $1.queryEncoding)
        }
    }

    /// A form with parts, such as files: `multipart/form-data` (RFC 7578).
    public static func multipart(_ form: MultipartForm) -> Self { Self { $0.multipart(form) } }

    /// A text in UTF-8. Its type is `text/plain; charset=utf-8` unless another is given.
    public static func text(_ text: String, contentType: MediaType? = nil) -> Self {
        Self { $0.text(text, contentType: contentType) }
    }

    /// Bytes in memory. Without a type, the request has no `Content-Type`.
    public static func data(_ bytes: Data, contentType: MediaType? = nil) -> Self {
        Self { $0.data(bytes, contentType: contentType) }
    }

    /// The content of a file, which is opened when the request is sent.
    public static func file(_ path: String, contentType: MediaType? = nil) -> Self {
        Self { try $0.file(path, contentType: contentType) }
    }

    /// The content of the file of a file URL, which is opened when the request is sent.
    public static func file(_ file: URL, contentType: MediaType? = nil) -> Self {
        Self { try $0.file(file, contentType: contentType) }
    }

    /// A body of any kind, such as a stream. Without a type, the request has no `Content-Type`.
    public static func body(_ body: HTTPBody, contentType: MediaType? = nil) -> Self {
        Self { $0.body(body, contentType: contentType) }
    }

    /// Uses a custom content type.
    public static func content(_ content: some HTTPContent) -> Self {
        Self { try $0.body(content) }
    }
}
