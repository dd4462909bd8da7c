import HTTPCore
import HTTPFormats

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A description of an unfinished download, to pass to a later call or another process.
///
/// The part and its record are files beside the path, and only they count: with this value or
/// without it, a download to the same path continues. The value contains no query and no
/// credentials.
public struct HTTPResumeData: Codable, Hashable, Sendable {
    /// The path of the complete file; its part is beside it, as `name.part`.
    public let path: String
    /// The number of bytes of the file that were there when this value was made.
    public let bytes: Int64
    /// The length of the whole file, if the server sent it.
    public let length: Int64?
    /// The URL of the file, without user information, query and fragment.
    public let url: String

    /// Creates a description of the unfinished download to `path`, or `nil` if there is nothing to
    /// continue.
    public init?(downloadTo path: String) {
        let names = PartialFile.Names(path)
        guard !path.utf8.contains(0), let record = names.readRecord(), let size = names.partSize
        else { return nil }
        let bytes = record.trustedBytes(of: size)
        guard bytes > 0 else { return nil }
        (self.path, self.bytes) = (path, bytes)
        (self.length, self.url) = (record.length, record.url)
    }
}

/// A record beside the part of a file, which identifies the representation that the part belongs
/// to.
struct PartRecord: Codable, Hashable, Sendable {
    /// The URL for people: without user information, query and fragment.
    let url: String
    /// A hash of the whole URL, which may contain a secret.
    let fingerprint: String
    /// The value of an `If-Range` field: a strong entity tag, or a date.
    let ifRange: String
    /// The content codings that the bytes are in; `nil` for none.
    private(set) var coding: String?
    var length: Int64?
    /// The number of bytes that were synced to the disk when this record was written.
    var durable: Int64 = 0
    /// The boot of the system in which the part was written. After a crash of the system, bytes
    /// that were not synced may be missing in the middle of a file of full size.
    var boot: String?

    /// - Returns: `nil` if the download cannot be resumed: the response has neither a strong entity
    ///   tag nor a date that can stand for one (RFC 9110 §13.1.5), or the server does not support
    ///   ranges.
    init?(_ head: HTTPResponse.Head, to request: HTTPRequest, length: Int64?) {
        guard request.method == .get, head.status == .ok,
            !head.headers.acceptRanges.contains("none"),
            let condition = IfRange(resuming: head.headers)
        else { return nil }
        url = request.url.logSafe
        fingerprint = Self.fingerprint(request)
        ifRange = condition.description
        coding = head.headers.contentCoding
        self.length = length
        boot = Boot.current
    }

    /// Records that the part is continued from `offset`.
    mutating func goOn(from offset: Int64, of length: Int64?) {
        durable = min(durable, offset)
        boot = Boot.current
        self.length = length
    }

    func isOf(_ request: HTTPRequest) -> Bool {
        request.method == .get && fingerprint == Self.fingerprint(request)
    }

    func trustedBytes(of size: Int64) -> Int64 {
        if let length, size > length { return 0 }
        return boot != nil && boot == Boot.current ? size : min(size, durable)
    }

    private static func fingerprint(_ request: HTTPRequest) -> String {
        SHA256.hash(String(request.url.absoluteString.prefix { $0 != "#" })).hexadecimal
    }
}
