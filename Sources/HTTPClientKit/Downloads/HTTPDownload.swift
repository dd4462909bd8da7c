public import HTTPCore
public import HTTPRetry

/// A complete downloaded file.
public struct HTTPDownload: Sendable {
    /// The path of a temporary file while a pipeline validates it, then the requested path.
    public internal(set) var path: String
    /// The length of the file in bytes, after decoding.
    public let length: Int64
    /// The content codings that the file is in, the outermost last, such as `gzip`; `nil` for none.
    ///
    /// A file is in a coding only if ``HTTPDownloadOptions/decoding`` is `never`, or if one of the
    /// codings cannot be decoded here.
    public let contentCoding: String?
    /// The last response's head, which may be that of a request for the rest. With several ranges
    /// at once, it is the head of the first response that brought bytes. If the file was decoded,
    /// it has neither `Content-Encoding` nor `Content-Length`, and a `Content-Range` counts coded
    /// bytes.
    public let response: HTTPResponse.Head
    /// The number of bytes that an earlier call had left; `nil` if all bytes came in this one.
    public let resumedOffset: Int64?
    /// The number of times that the call continued after the body broke.
    public let resumptions: Int
    /// The length of the file as it came, in bytes.
    let receivedLength: Int64
}

/// The options of ``/HTTPCore/HTTPSession/download(_:to:options:progress:)-(_,String,_,_)``.
public struct HTTPDownloadOptions: Sendable {
    /// A choice whether a file that comes in content codings is decoded.
    public enum Decoding: Hashable, Sendable {
        /// Decodes the file after all of it has arrived.
        ///
        /// It stays as it came if one of its codings is unknown, or has no library here. See
        /// ``HTTPDownload/contentCoding``.
        case automatic
        /// Keeps the file as it came.
        case never
    }

    /// The decoding of a file that comes in content codings.
    ///
    /// Servers of stored objects send these as they are stored, in gzip for example, whatever the
    /// request accepts. With `never`, a download over a transport that decodes by itself, as
    /// `URLSessionTransport` does, fails with `unsupportedOption` if the content was coded.
    ///
    /// A file that becomes more than 200 times as long by decoding fails with `bodyTooLarge` once
    /// it is longer than 16 MiB.
    public var decoding = Decoding.automatic
    /// The expected digest of the file, after decoding, in hexadecimal. A file with another digest
    /// is removed, and the download fails with `digestMismatch`.
    public var sha256: String?
    /// The number of times that a call continues by itself after the body breaks. Failures before
    /// the body are left to a retry layer.
    public var maxResumptions = 5
    /// The most ranges of the file that are loaded at once, from 1 to 16.
    ///
    /// With more than one, the file is split as soon as its first response shows that the server
    /// supports ranges: a 206, or a 200 with `Accept-Ranges: bytes`, of known length and with a
    /// strong entity tag or a date that can stand for one. The first response continues as the
    /// first range. A range has at least 1 MiB. A range that the server refuses is loaded by the
    /// others. Over HTTP/1.1, each range has its own connection; over HTTP/2, all share one.
    public var maxConcurrentRanges = 1
    /// The waits before resumptions.
    public var backoff = Backoff()
    /// The clock of a download through a session that begins no calls. A client has a clock.
    public var clock: any HTTPClock = .system
    /// A Boolean value that indicates whether the download begins at the first byte, even if an
    /// earlier download left a part.
    public var startsOver = false

    static let mostConcurrentRanges = 16
    /// The fewest bytes that a range is split into.
    var shortestRange: Int64 = 1 << 20
    /// The number of bytes that a crash of the system may lose.
    var checkpoint: Int64 = 64 << 20
    /// `true` if each request of the call may be sent again as often as the first.
    var renewsRetries = false

    /// Creates options with the defaults. If `sha256` is given, the file must have that digest, in
    /// hexadecimal digits.
    public init(sha256: String? = nil) { self.sha256 = sha256 }
}

extension HTTPDownloadOptions {
    /// - Throws: `invalidRequest` if a download cannot be made of these options and `request`.
    func check(_ request: HTTPRequest) throws(HTTPError) {
        guard request.method != .head else {
            throw HTTPError(.invalidRequest, "a response to HEAD contains no file: send a GET")
        }
        for name in HTTPHeaderName.rangesAndPreconditions where request.headers.contains(name) {
            throw HTTPError(
                .invalidRequest,
                "a download requests ranges itself: remove the field \(name) from the request")
        }
        guard (1...Self.mostConcurrentRanges).contains(maxConcurrentRanges) else {
            throw HTTPError(
                .invalidRequest,
                "a download loads 1 to \(Self.mostConcurrentRanges) ranges at once, "
                    + "not \(maxConcurrentRanges)")
        }
        if let digest = sha256 {
            guard digest.utf8.count == 64, digest.allSatisfy(\.isHexDigit) else {
                throw HTTPError(.invalidRequest, "a SHA-256 has 64 hexadecimal digits")
            }
        }
    }
}

extension HTTPHeaderName {
    fileprivate static let rangesAndPreconditions: [HTTPHeaderName] = [
        .range, .ifRange, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince,
    ]
}
