import HTTPCore
import HTTPFormats

/// The beginning of a file, left by an earlier exchange.
struct StoredPart: Hashable {
    /// The number of bytes; more than zero.
    let bytes: Int64
    let condition: IfRange
    /// The length of the whole file, if the server sent it.
    let length: Int64?
    /// The content codings of the bytes. See ``HTTPCore/HTTPHeaders/contentCoding``.
    let coding: String?

    init?(bytes: Int64, condition: IfRange, length: Int64?, coding: String? = nil) {
        guard bytes > 0, bytes <= length ?? .max else { return nil }
        (self.bytes, self.condition, self.length) = (bytes, condition, length)
        self.coding = coding
    }

    /// The offset to continue from. A part that is the whole file requests its last byte again: the
    /// response shows if it is still the same file, whereas a 416 would not.
    var offset: Int64 { length.map { min(bytes, $0 - 1) } ?? bytes }

    func ask(_ request: inout HTTPRequest) {
        request.headers.range = .bytes(Int(offset)...)
        request.headers.ifRange = condition
    }
}
