import HTTPCore
import HTTPFormats

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The action after a response to a request for a file, or for the rest of one.
///
/// It does no I/O. Only this type decides which responses may be joined to a part.
enum DownloadPlan: Hashable {
    /// Writes the content from `offset` on and removes the bytes beyond it. `end` is the end of the
    /// content if it is known, `length` that of the whole file.
    case write(offset: Int64, end: Int64?, length: Int64?)
    /// The file is complete, with this number of bytes.
    case finish(Int64)
    /// Requests the whole file again: the part belongs to another representation.
    case startOver
    /// The server contradicts itself, or sent something that was not requested. The part is given
    /// up.
    case refuse(String)
    /// The response is an error, or has another status without a file. The part is kept.
    case unexpected

    /// - Parameters:
    ///   - contentLength: The length of the body, if it is known.
    ///   - part: The part that the request continued; `nil` if it was for the whole file.
    init(_ head: HTTPResponse.Head, contentLength: Int64?, to part: StoredPart?) {
        switch (head.status, part) {
        case (.noContent, _), (.resetContent, _): self = .unexpected
        case (.partialContent, let part?):
            self = Self.continuing(part, head.headers, contentLength)
        case (.partialContent, nil): self = .refuse("a part, though the whole file was requested")
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
        // Whether it is the same file comes first: another file may well have another range. Bytes
        // in different codings belong to different representations, even if the server gives both
        // the same tag.
        guard part.condition.allows(headers), part.coding == headers.contentCoding else {
            return .startOver
        }
        if let known = part.length, let length, known != length { return .startOver }
        guard first == part.offset else {
            return .refuse(
                "the bytes from \(first) on, though those from \(part.offset) were requested")
        }
        if let contentLength, contentLength != end - first {
            return .refuse("\(contentLength) bytes for a range of \(end - first)")
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
    /// The content codings in the order in which they were applied (RFC 9110 §8.4), without
    /// `identity`; `nil` for none.
    var contentCoding: String? {
        let codings = contentEncoding.filter { $0 != "identity" }
        return codings.isEmpty ? nil : codings.joined(separator: ", ")
    }
}

extension IfRange {
    /// Returns `true` if a part with these fields belongs to the representation that this condition
    /// names. Servers repeat the entity tag (RFC 9110 §15.3.7), but need not repeat
    /// `Last-Modified`.
    fileprivate func allows(_ headers: HTTPHeaders) -> Bool {
        switch self {
        case .entityTag(let tag): headers.entityTag.map(tag.matchesStrongly) ?? false
        case .date(let date):
            headers.lastModified.map { $0 == date } ?? !headers.contains(.lastModified)
        }
    }
}
