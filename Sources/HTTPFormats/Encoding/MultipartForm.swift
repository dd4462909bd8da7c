public import HTTPCore
public import PortableFoundation

/// A `multipart/form-data` body (RFC 7578), as browsers write it (HTML Standard §4.10.21.8).
///
/// The body is streamed: files and bodies are opened when their turn comes, and never held in
/// memory. The length is exact, or unknown if that of any part is unknown. The body can be replayed
/// unless a part can be read only once.
///
/// ```swift
/// let request = try HTTPRequest(.post, "https://example.com/photos").multipart {
///     $0.add("At the sea", name: "title")
///     try $0.add(file: "/tmp/sea.jpg", name: "photo")
/// }
/// ```
public struct MultipartForm: Sendable {
    private struct Part: Sendable {
        var head: Data
        var body: HTTPBody
    }

    private var parts: [Part] = []

    /// The text that separates the parts. It must not occur in them; a random boundary does not.
    public private(set) var boundary: String

    /// Creates a form with a random boundary, which cannot be predicted.
    public init() {
        var generator = SystemRandomNumberGenerator()
        let digits = (0..<2).map { _ in String(generator.next(), radix: 36) }.joined()
        boundary = "form-" + digits
    }

    /// Creates a form with a boundary.
    ///
    /// - Throws: `invalidRequest` if the boundary is empty, longer than 70 characters, ends with a
    ///   space, or holds anything but printable ASCII without `"` and `\` (RFC 2046 §5.1.1).
    public init(boundary: String) throws(HTTPError) {
        guard Self.isBoundary(boundary) else {
            throw HTTPError(
                .invalidRequest, "\(boundary.logSafe) is not a valid multipart boundary")
        }
        self.boundary = boundary
    }

    private static func isBoundary(_ text: String) -> Bool {
        (1...70).contains(text.utf8.count) && text.utf8.last != 0x20
            && text.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }

    // MARK: Parts

    /// Adds a text field. Its line ends become CRLF, as in a browser's form. To send text as it is,
    /// use ``add(_:name:filename:contentType:)-(Data,_,_,_)``.
    public mutating func add(_ text: String, name: String) {
        parts.append(
            Part(head: Self.head(name: name), body: HTTPBody(text.withNormalizedLineEnds)))
    }

    /// Adds bytes; with a file name, they are sent as a file.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - name: The name of the field.
    ///   - filename: The file name that the part has, for the server.
    ///   - contentType: The content type; by default `application/octet-stream` if there is a file
    ///     name.
    /// - Throws: `invalidRequest` if `contentType` is not a field value.
    public mutating func add(
        _ bytes: Data, name: String, filename: String? = nil, contentType: String? = nil
    ) throws(HTTPError) {
        try add(HTTPBody(bytes), name: name, filename: filename, contentType: contentType)
    }

    /// Adds a file, which is checked now and opened for each send.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - name: The name of the field.
    ///   - filename: The file name; by default the last component of the path.
    ///   - contentType: The content type; by default that of the file name's extension, or
    ///     `application/octet-stream`.
    /// - Throws: `invalidRequest` if the file does not exist, cannot be read, or is not a regular
    ///   file.
    public mutating func add(
        file path: String, name: String, filename: String? = nil, contentType: String? = nil
    ) throws(HTTPError) {
        let body = try HTTPBody(file: path)
        let filename =
            filename ?? path.unicodeScalars.split(separator: "/").last.map { String($0) } ?? path
        try add(
            body, name: name, filename: filename,
            contentType: contentType ?? Self.contentType(ofFile: filename))
    }

    /// Adds the file of a file URL. See
    /// ``add(file:name:filename:contentType:)-(String,_,_,_)``.
    public mutating func add(
        file: URL, name: String, filename: String? = nil, contentType: String? = nil
    ) throws(HTTPError) {
        try add(file: file.filePath, name: name, filename: filename, contentType: contentType)
    }

    /// Adds any body, such as a stream of known or unknown length, or a range of a file.
    ///
    /// - Parameters:
    ///   - body: The content of the part.
    ///   - name: The name of the field.
    ///   - filename: The file name that the part has, for the server.
    ///   - contentType: The media type of the part. If `nil`, it is that of `headers`, or
    ///     `application/octet-stream` if there is a file name.
    ///   - headers: Further fields of the part's head, which may include `Content-Type`.
    /// - Throws: `invalidRequest` if a field is invalid, or is `Content-Disposition`, which is
    ///   derived.
    public mutating func add(
        _ body: HTTPBody, name: String, filename: String? = nil, contentType: String? = nil,
        headers: HTTPHeaders = [:]
    ) throws(HTTPError) {
        var headers = headers
        if headers.contains(.contentDisposition) {
            throw HTTPError(
                .invalidRequest,
                "the Content-Disposition of a part is derived from its name and file name")
        }
        if let name = headers.refusedName {
            throw HTTPError(
                .invalidRequest, "the field \(name.spelling.logSafe) of a part is not valid")
        }
        if let contentType {
            try headers.set(.contentType, contentType)
        } else if filename != nil, !headers.contains(.contentType) {
            try headers.set(.contentType, "application/octet-stream")
        }
        let head = Self.head(name: name, filename: filename, headers: headers)
        parts.append(Part(head: head, body: body))
    }

    private static func head(
        name: String, filename: String? = nil, headers: HTTPHeaders = [:]
    ) -> Data {
        var head = Data("Content-Disposition: form-data; name=\"".utf8)
        head += name.withNormalizedLineEnds.formEscaped
        if let filename {
            head += "\"; filename=\"".utf8
            head += filename.formEscaped
        }
        head += "\"\r\n".utf8
        for position in headers.indices {
            headers.withBytes(at: position) { name, value in
                head += name
                head += ": ".utf8
                head += value
                head += "\r\n".utf8
            }
        }
        head += "\r\n".utf8
        return head
    }

    private static func contentType(ofFile name: String) -> String? {
        let ending = name.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false)
            .dropFirst().last
        return ending.flatMap { contentTypes[String($0).lowercased()] }
    }

    private static let contentTypes = [
        "csv": "text/csv", "gif": "image/gif", "gz": "application/gzip", "htm": "text/html",
        "html": "text/html", "jpeg": "image/jpeg", "jpg": "image/jpeg", "json": "application/json",
        "md": "text/markdown", "mp3": "audio/mpeg", "mp4": "video/mp4", "pdf": "application/pdf",
        "png": "image/png", "svg": "image/svg+xml", "txt": "text/plain", "wav": "audio/wav",
        "webp": "image/webp", "xml": "application/xml", "zip": "application/zip",
    ]

    // MARK: Body

    /// The content type `multipart/form-data` with the boundary.
    public var contentType: String { "multipart/form-data; boundary=\(quotedBoundary)" }

    private var quotedBoundary: String { boundary.isToken ? boundary : "\"\(boundary)\"" }

    /// The length in bytes, or `nil` if that of a part is unknown.
    public var length: Int64? { body.length }

    /// The form as a request's body. It can be sent again if all its parts can.
    public var body: HTTPBody {
        var pieces: [HTTPBody] = []
        var framing = Data()
        func flush() {
            if !framing.isEmpty { pieces.append(HTTPBody(framing)) }
            framing = Data()
        }
        for part in parts {
            framing += "--\(boundary)\r\n".utf8
            framing += part.head
            if let bytes = part.body.bytes, bytes.count <= 16 << 10 {
                framing += bytes  // not worth a piece of its own
            } else {
                flush()
                pieces.append(part.body)
            }
            framing += "\r\n".utf8
        }
        framing += "--\(boundary)--\r\n".utf8
        flush()
        if pieces.count == 1, let bytes = pieces[0].bytes { return HTTPBody(bytes) }

        let lengths = pieces.compactMap(\.length)
        let length = lengths.count == pieces.count ? Self.sum(lengths) : nil
        let chain = BodyChain(bodies: pieces)
        if pieces.contains(where: { $0.replay == .once }) { return HTTPBody(chain, length: length) }
        return HTTPBody(length: length, restarting: { chain })
    }

    /// Returns `contentType` with the boundary, for a type that was set after the form; `nil` if it
    /// names another boundary, which would make the form unreadable.
    static func contentType(_ contentType: String?, fitting boundary: String) -> String? {
        guard let form = try? MultipartForm(boundary: boundary) else { return nil }
        let (fitted, contentType) = form.fitted(to: contentType)
        return fitted.boundary == boundary ? contentType : nil
    }

    /// Returns the sum, or `nil` if it overflows. If a length is negative, returns that; sending
    /// refuses it.
    private static func sum(_ lengths: [Int64]) -> Int64? {
        if let negative = lengths.first(where: { $0 < 0 }) { return negative }
        return lengths.reduce(0 as Int64?) { sum, length in
            guard let (sum, overflow) = sum?.addingReportingOverflow(length), !overflow else {
                return nil
            }
            return sum
        }
    }

    /// Returns the `Content-Type` to send this form with, and the form adapted to it. A type that
    /// the caller set is kept, except a multipart type with an invalid boundary. A multipart type
    /// without a boundary gets that of the form; from one with a boundary, the form takes it.
    fileprivate func fitted(to contentType: String?) -> (MultipartForm, contentType: String) {
        guard let contentType else { return (self, self.contentType) }
        let parameters = MessageParameters(contentType)
        guard parameters.essence.hasPrefix("multipart/") else { return (self, contentType) }
        var form = self
        switch parameters["boundary"] {
        case let boundary? where Self.isBoundary(boundary):
            form.boundary = boundary
            return (form, contentType)
        case .some: return (self, self.contentType)
        case nil:
            let separator = contentType.utf8.last == UInt8(ascii: ";") ? " " : "; "
            return (self, contentType + separator + "boundary=\(quotedBoundary)")
        }
    }
}

extension HTTPRequest {
    /// Returns this request with the form as its body. `Content-Type` becomes `multipart/form-data`
    /// with the boundary. A type that the caller set, before or after, is kept; a multipart type
    /// without a boundary gets that of the form.
    public func multipart(_ form: MultipartForm) -> HTTPRequest {
        var request = withoutImpliedFields
        let (form, contentType) = form.fitted(to: request.headers[.contentType])
        request = request.setting(
            form.body, fields: [.contentType: contentType],
            fittingContentType: { [boundary = form.boundary] contentType in
                MultipartForm.contentType(contentType, fitting: boundary)
            })
        request.headers[.contentType] = contentType
        return request
    }

    /// Returns this request with the form that `build` fills as its body. See ``multipart(_:)``.
    ///
    /// - Throws: The errors of `build`, and `invalidRequest` if the boundary is invalid.
    public func multipart(
        boundary: String? = nil, _ build: (inout MultipartForm) throws -> Void
    ) throws -> HTTPRequest {
        var form =
            try boundary.map { text throws(HTTPError) in try MultipartForm(boundary: text) }
            ?? MultipartForm()
        try build(&form)
        return multipart(form)
    }
}

extension String {
    /// The text with each LF and CR that stands alone replaced by CRLF.
    fileprivate var withNormalizedLineEnds: String {
        guard utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return self }
        var bytes: [UInt8] = []
        var previous: UInt8 = 0
        for byte in utf8 {
            if byte == 0x0A {
                if previous != 0x0D { bytes += [0x0D, 0x0A] }
            } else if byte == 0x0D {
                bytes += [0x0D, 0x0A]
            } else {
                bytes.append(byte)
            }
            previous = byte
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes for a quoted name. Only characters that would end the name or its line are
    /// escaped.
    fileprivate var formEscaped: [UInt8] {
        var bytes: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case 0x0A: bytes += "%0A".utf8
            case 0x0D: bytes += "%0D".utf8
            case 0x22: bytes += "%22".utf8
            default: bytes.append(byte)
            }
        }
        return bytes
    }
}

/// A sequence of bodies, one after the other, each opened when its turn comes.
private struct BodyChain: AsyncSequence, Sendable {
    let bodies: [HTTPBody]

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: bodies[...]) }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var rest: ArraySlice<HTTPBody>
        private var current: HTTPBody.AsyncIterator?
        private var count: Int64 = 0

        fileprivate init(rest: ArraySlice<HTTPBody>) { self.rest = rest }

        mutating func next() async throws -> Data? {
            while let body = rest.first {
                var iterator = current.take() ?? body.makeAsyncIterator()
                let piece = try await iterator.next()
                count += Int64(piece?.count ?? 0)
                // Checked here and not only in the sum, where a part's surplus would make up for
                // another's lack.
                if let length = body.length, piece == nil ? count != length : count > length {
                    throw HTTPError(
                        .requestBodyFailed,
                        "a part of a form should have \(length) bytes but has "
                            + (piece == nil ? "\(count)" : "more"))
                }
                if let piece {
                    current = iterator
                    return piece
                }
                rest.removeFirst()
                count = 0
            }
            return nil
        }
    }
}
