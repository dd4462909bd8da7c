import HTTPCore
import HTTPFormats
import HTTPHashing
import PortableFoundation

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
    /// A hash of the request's content negotiation; `nil` in a record that is older than this
    /// property.
    private(set) var negotiation: String?
    /// A hash of the URL that the part came from, after redirects and without its query; `nil` in a
    /// record that is older than this property.
    private(set) var source: String?
    /// The ranges of a part with gaps; `nil` for a part that is the beginning of the file.
    var ranges: StoredRanges?

    /// ``ranges`` has no key: a package that does not know gaps must not understand the record of a
    /// part with gaps. See ``encoded()``.
    private enum CodingKeys: CodingKey {
        case url, fingerprint, ifRange, coding, length, durable, boot, negotiation, source
    }

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
        negotiation = Self.negotiation(request)
        source = head.url.resourceHash
    }

    /// Records that the part is the beginning of the file, and is continued from `offset`.
    mutating func goOn(from offset: Int64, of length: Int64?) {
        if let ranges {
            durable = ranges.durable.first.map { $0.lowerBound == 0 ? $0.upperBound : 0 } ?? 0
        }
        ranges = nil
        durable = min(durable, offset)
        boot = Boot.current
        self.length = length
    }

    /// Records that ranges are written from now on, beside those that have arrived.
    mutating func goOn(beside arrived: [Range<Int64>], of length: Int64) {
        let isSynced = ranges?.durable ?? (durable > 0 ? [0..<durable] : [])
        ranges = StoredRanges(durable: isSynced.intersection(arrived), arrived: arrived)
        durable = 0
        boot = Boot.current
        self.length = length
    }

    /// Returns the condition of a request that may continue the part; `nil` if `request` may not.
    ///
    /// An entity tag distinguishes the representations that content negotiation chooses from. A
    /// date does not (RFC 9110 §8.8.3, §8.8.2).
    func condition(of request: HTTPRequest) -> IfRange? {
        guard isOf(request), let condition = IfRange(ifRange, now: Date()) else { return nil }
        if case .date = condition, let negotiation, negotiation != Self.negotiation(request) {
            return nil
        }
        return condition
    }

    func isOf(_ request: HTTPRequest) -> Bool {
        request.method == .get && fingerprint == Self.fingerprint(request)
    }

    /// Returns the number of bytes of the part, of this size, that a download may continue after.
    func trustedBytes(of size: Int64) -> Int64 {
        trustedRanges(of: size).reduce(0) { $0 + Int64($1.count) }
    }

    /// Returns the ranges of the part, of this size, that a download may continue.
    func trustedRanges(of size: Int64) -> [Range<Int64>] {
        if let length, size > length { return [] }
        let isSameBoot = boot != nil && boot == Boot.current
        if let ranges {
            return (isSameBoot ? ranges.arrived : ranges.durable).intersection([0..<size])
        }
        let bytes = isSameBoot ? size : min(size, durable)
        return bytes > 0 ? [0..<bytes] : []
    }

    static func fingerprint(_ request: HTTPRequest) -> String {
        SHA256.hash(String(request.url.absoluteString.prefix { $0 != "#" })).hexadecimal
    }

    private static func negotiation(_ request: HTTPRequest) -> String {
        let fields = [.accept, .acceptLanguage, .acceptEncoding] as [HTTPHeaderName]
        return SHA256.hash(
            fields.map { request.headers[$0] ?? "" }.joined(separator: "\n")
        ).hexadecimal
    }
}

extension URL {
    /// A hash of this URL without query and fragment, which signed URLs change all the time.
    var resourceHash: String {
        SHA256.hash(String(absoluteString.prefix { $0 != "?" && $0 != "#" })).hexadecimal
    }
}

// MARK: - The file

extension PartRecord {
    /// The first line of the record of a part with gaps. It has no key of a record without gaps.
    private struct SparseLine: Codable {
        static let version = 2

        var format = Self.version
        var part: PartRecord
        var durable: StoredRanges.Bounds
    }

    /// Returns the content of the record's file.
    ///
    /// The record of a part with gaps begins with a line of what is on the disk. Each further line
    /// holds the ranges that had arrived at a later time, which count until the system restarts.
    /// Versions of this package that do not know gaps find no record there, and start over.
    func encoded() throws -> Data {
        guard let ranges else { return try JSONEncoder().encode(self) }
        let line = SparseLine(part: self, durable: StoredRanges.Bounds(ranges.durable))
        return try JSONEncoder().encode(line) + Data("\n".utf8) + ranges.line()
    }

    /// Creates a record from the content of its file; `nil` if this package does not understand it.
    init?(encoded text: Data) {
        let decoder = JSONDecoder()
        let lines = text.split(separator: UInt8(ascii: "\n"))
        guard let first = lines.first,
            let sparse = try? decoder.decode(SparseLine.self, from: Data(first))
        else {
            guard let record = try? decoder.decode(Self.self, from: text) else { return nil }
            self = record
            return
        }
        guard sparse.format == SparseLine.version, let length = sparse.part.length,
            let durable = sparse.durable.ranges(upTo: length)
        else { return nil }
        self = sparse.part
        // The last line may be incomplete, or missing after a crash of the system.
        let arrived = lines.dropFirst().reversed().lazy.compactMap { line in
            (try? decoder.decode(StoredRanges.Bounds.self, from: Data(line)))?
                .ranges(upTo: length)
        }
        ranges = StoredRanges(durable: durable, arrived: arrived.first ?? durable)
    }
}
