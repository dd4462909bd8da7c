import HTTPCore
import HTTPFormats

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Where an unfinished download can be gone on with: what to hand on, to a later call or another process.
///
/// The part and its record are files beside the path, and they decide: with this value or without, a
/// download to the same path goes on. Holds no query and no credentials.
public struct HTTPResumeData: Codable, Hashable, Sendable {
    /// Where the file is to be; its part is beside it, as `name.part`.
    public let path: String
    /// How much of the file was there when this value was made.
    public let bytes: Int64
    /// Of the whole file, if the server has said.
    public let length: Int64?
    /// Where it comes from, without user information, query and fragment.
    public let url: String

    /// What an unfinished download to `path` has left; `nil` where there is nothing to go on with.
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

/// What is kept beside the part of a file, and says of which representation it is.
struct PartRecord: Codable, Hashable, Sendable {
    /// For people: without user information, query and fragment.
    let url: String
    /// Of the whole URL, which may hold a secret.
    let fingerprint: String
    /// As a field's value: a strong entity tag, or a date.
    let ifRange: String
    /// The content codings that the bytes are in; `nil` for none.
    private(set) var coding: String?
    var length: Int64?
    /// How much was on the disk itself when this was written.
    var durable: Int64 = 0
    /// Which run of the system wrote the part: after a crash of the system, what had not been
    /// synced may be missing in the midst of a file of full size.
    var boot: String?

    /// - Returns: `nil` for a response that cannot be gone on with: neither a strong entity tag nor a
    ///   date that can stand for one (RFC 9110 §13.1.5), or a server that has no ranges.
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

    /// The part is written on, from `offset`.
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
