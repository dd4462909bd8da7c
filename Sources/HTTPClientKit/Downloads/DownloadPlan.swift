import HTTPCore
import HTTPFormats

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The beginning of a file, as an earlier exchange has left it.
struct StoredPart: Hashable {
    /// More than zero.
    let bytes: Int64
    let condition: IfRange
    /// Of the whole, if the server has said.
    let length: Int64?
    /// The content codings that the bytes are in, see ``HTTPCore/HTTPHeaders/contentCoding``.
    let coding: String?

    init?(bytes: Int64, condition: IfRange, length: Int64?, coding: String? = nil) {
        guard bytes > 0, bytes <= length ?? .max else { return nil }
        (self.bytes, self.condition, self.length) = (bytes, condition, length)
        self.coding = coding
    }

    /// Where to go on. A whole file asks for its last byte once more: the answer says whether it is
    /// still that file, where "no such range" would say little.
    var offset: Int64 { length.map { min(bytes, $0 - 1) } ?? bytes }

    func ask(_ request: inout HTTPRequest) {
        request.headers.range = .bytes(Int(offset)...)
        request.headers.ifRange = condition
    }
}

/// What to do with the answer to a request for a file, or for the rest of one.
///
/// Does no I/O: the one place that knows which answers may be joined to what is there.
enum DownloadPlan: Hashable {
    /// Write the content from `offset` on, and drop what is there beyond. `end` is where the content
    /// ends if that is known, `length` that of the whole file.
    case write(offset: Int64, end: Int64?, length: Int64?)
    /// All is there, so many bytes.
    case finish(Int64)
    /// Send again, for everything: what is there belongs to another representation.
    case startOver
    /// The server contradicts itself, or answers what was not asked. What is there is given up.
    case refuse(String)
    /// An error, or another status that brings no file. What is there is kept.
    case unexpected

    /// - Parameters:
    ///   - contentLength: of the body, if it is known.
    ///   - part: what was asked to be continued; `nil` if everything was asked for.
    init(_ head: HTTPResponse.Head, contentLength: Int64?, to part: StoredPart?) {
        switch (head.status, part) {
        case (.noContent, _), (.resetContent, _): self = .unexpected
        case (.partialContent, let part?):
            self = Self.continuing(part, head.headers, contentLength)
        case (.partialContent, nil): self = .refuse("a part, though everything was asked for")
        case (.rangeNotSatisfiable, let part?): self = Self.beyondEnd(part, head.headers)
        case (let status, _) where status.isSuccessful:
            self = .write(offset: 0, end: contentLength, length: contentLength)
        default: self = .unexpected
        }
    }

    private static func continuing(
        _ part: StoredPart, _ headers: HTTPHeaders, _ contentLength: Int64?
    ) -> Self {
        guard let content = headers.contentRange, content.unit == "bytes", let range = content.range
        else { return .refuse("a part without a Content-Range of bytes") }
        let (first, end) = (Int64(range.lowerBound), Int64(range.upperBound) + 1)
        let length = content.completeLength.map(Int64.init)
        // First whether it is of the same file: another one may well have another range.
        // Bytes in two codings are of two representations, though a server give both one tag.
        guard part.condition.allows(headers), part.coding == headers.contentCoding else {
            return .startOver
        }
        if let known = part.length, let length, known != length { return .startOver }
        guard first == part.offset else {
            return .refuse(
                "the bytes from \(first) on, though those from \(part.offset) were asked for")
        }
        if let contentLength, contentLength != end - first {
            return .refuse("\(contentLength) bytes as a range of \(end - first)")
        }
        if let known = part.length ?? length, end > known {
            return .refuse("a range that ends beyond the file")
        }
        return .write(offset: first, end: end, length: length ?? part.length)
    }

    private static func beyondEnd(_ part: StoredPart, _ headers: HTTPHeaders) -> Self {
        guard let content = headers.contentRange, content.unit == "bytes", content.range == nil,
            content.completeLength.map(Int64.init) == part.bytes,
            part.length ?? part.bytes == part.bytes,
            !headers.contains(.entityTag) || part.condition.allows(headers)
        else { return .startOver }
        return .finish(part.bytes)
    }
}

extension HTTPHeaders {
    /// The content codings in the order of their application (RFC 9110 §8.4), without `identity`;
    /// `nil` for none.
    var contentCoding: String? {
        let codings = contentEncoding.filter { $0 != "identity" }
        return codings.isEmpty ? nil : codings.joined(separator: ", ")
    }
}

extension IfRange {
    /// Whether a part with these fields is of the representation that this names. Servers repeat the
    /// entity tag (RFC 9110 §15.3.7), but need not repeat `Last-Modified`.
    fileprivate func allows(_ headers: HTTPHeaders) -> Bool {
        switch self {
        case .entityTag(let tag): headers.entityTag.map(tag.matchesStrongly) ?? false
        case .date(let date):
            headers.lastModified.map { $0 == date } ?? !headers.contains(.lastModified)
        }
    }
}
