import HTTPCore
import HTTPFormats

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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

    /// Returns the number of bytes of the part, of this size, that a download may continue after.
    func trustedBytes(of size: Int64) -> Int64 {
        if let length, size > length { return 0 }
        return boot != nil && boot == Boot.current ? size : min(size, durable)
    }

    private static func fingerprint(_ request: HTTPRequest) -> String {
        SHA256.hash(String(request.url.absoluteString.prefix { $0 != "#" })).hexadecimal
    }
}
