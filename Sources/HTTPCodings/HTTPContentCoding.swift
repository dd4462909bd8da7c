import CHTTPCodings
package import HTTPCore
import PortableFoundation

/// A content coding (RFC 9110 §8.4.1): a way to write the content of a message in fewer bytes.
///
/// A coding is available if the library that knows it is in the process or can be loaded: zlib for
/// ``gzip`` and ``deflate``, brotli for ``br``, and zstd for ``zstd``. A libcurl of a distribution
/// brings all of them, except for brotli's encoder. Nothing has to be installed to build.
public enum HTTPContentCoding: String, CaseIterable, Sendable {
    /// The zlib format (RFC 1950). When it decodes, bare DEFLATE data (RFC 1951) is taken, too,
    /// which some servers send under this name.
    case deflate
    /// The gzip format (RFC 1952), and its old name `x-gzip`.
    case gzip
    /// Brotli (RFC 7932).
    case br
    /// Zstandard (RFC 8878). A window may be of 16 MiB; RFC 9659 lets servers use 8 MiB.
    case zstd

    /// `true` if content in this coding can be decoded here.
    public var canDecode: Bool { chttp_can_decode(format) != 0 }
    /// `true` if content can be encoded in this coding here.
    public var canEncode: Bool { chttp_can_encode(format) != 0 }

    /// The format that is written, and that is read unless the content says otherwise.
    var format: chttp_format {
        switch self {
        case .deflate: CHTTP_FORMAT_ZLIB
        case .gzip: CHTTP_FORMAT_GZIP
        case .br: CHTTP_FORMAT_BROTLI
        case .zstd: CHTTP_FORMAT_ZSTD
        }
    }

    /// The longest length that is believed, in bytes.
    private static let longestAnnouncement = 8 << 20

    /// Returns the length of the content that a whole coded content announces; `nil` if it does
    /// not, or too much. It may be wrong, and serves to make room: content that fits is not moved,
    /// and zstd needs no window beside it.
    func announcedLength(in bytes: Data) -> Int? {
        func number(at start: Int, size: Int) -> Int {
            (0..<size).reduce(0) { $0 | Int(bytes[bytes.startIndex + start + $1]) << (8 * $1) }
        }
        guard bytes.count >= 18 else { return nil }
        let length: Int
        switch self {
        case .gzip: length = number(at: bytes.count - 4, size: 4)
        case .zstd:
            let descriptor = number(at: 4, size: 1)
            let isSingle = descriptor & 0x20 != 0
            // The sizes in bytes of the length, of the window and of the dictionary's number.
            let size = descriptor >= 0x40 ? 1 << (descriptor >> 6) : isSingle ? 1 : 0
            let start = 5 + (isSingle ? 0 : 1) + (1 << (descriptor & 3)) / 2
            guard size > 0, size < 8 else { return nil }
            length = number(at: start, size: size) + (size == 2 ? 256 : 0)
        case .deflate, .br: return nil
        }
        return length <= Self.longestAnnouncement ? length : nil
    }

    /// The coding with this registered name in lower case.
    init?(name: String) { self.init(rawValue: name == "x-gzip" ? "gzip" : name) }
}

extension HTTPContentCoding {
    /// The codings that can be decoded here, in the order of `Accept-Encoding`.
    package static let decodable = allCases.filter(\.canDecode)

    /// Returns the codings of a head whose content can be decoded here, in the order in which they
    /// were applied; none if there is no coding, or one that cannot be decoded.
    ///
    /// - Throws: `contentDecodingFailed` if there are more than three. Each coding may multiply
    ///   the size of the content.
    package static func codings(of headers: HTTPHeaders) throws(HTTPError) -> [HTTPContentCoding] {
        let names = ContentCodings(headers).names
        let codings = names.compactMap { Self(name: $0) }.filter(\.canDecode)
        guard codings.count == names.count else { return [] }
        guard codings.count <= ContentDecoder.maximumStages else {
            throw HTTPError(
                .contentDecodingFailed,
                "the content has \(codings.count) codings, and no more than "
                    + "\(ContentDecoder.maximumStages) are decoded",
                phase: .receiving, mayHaveReachedServer: true)
        }
        return codings
    }
}
