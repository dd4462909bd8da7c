import HTTPCore
import HTTPFormats
import PortableFoundation

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
    ///   - isDecoded: `true` if the transport has decoded the content by itself, so that its bytes
    ///     are not those that the head is about.
    init(
        _ head: HTTPResponse.Head, contentLength: Int64?, to part: StoredPart?,
        isDecoded: Bool = false
    ) {
        switch (head.status, part) {
        case (.noContent, _), (.resetContent, _): self = .unexpected
        // A range of coded content cannot be decoded, nor joined to anything.
        case (.partialContent, _?) where isDecoded: self = .startOver
        case (.partialContent, let part?):
            self = Self.continuing(part, head, contentLength)
        case (.partialContent, nil):
            self = Self.whole(head, contentLength)
            if isDecoded, case .write = self { self = .write(offset: 0, end: nil, length: nil) }
        case (.rangeNotSatisfiable, let part?): self = Self.beyondEnd(part, head)
        case (let status, _) where status.isSuccessful:
            self = .write(offset: 0, end: contentLength, length: contentLength)
        default: self = .unexpected
        }
    }

    /// A part that was not requested. It is the file only if it says that it is all of it, as some
    /// servers send it.
    private static func whole(_ head: HTTPResponse.Head, _ contentLength: Int64?) -> Self {
        guard let content = head.headers.contentRange, content.unit == "bytes",
            let range = content.range, let length = content.completeLength.map(Int64.init),
            range.lowerBound == 0, Int64(range.upperBound) + 1 == length
        else { return .refuse("a part, though the whole file was requested") }
        if let contentLength, contentLength != length {
            return .refuse("\(contentLength) bytes for a range of \(length)")
        }
        return .write(offset: 0, end: length, length: length)
    }

    private static func continuing(
        _ part: StoredPart, _ head: HTTPResponse.Head, _ contentLength: Int64?
    ) -> Self {
        guard let content = head.headers.contentRange, content.unit == "bytes",
            let range = content.range
        else { return .refuse("a part without a Content-Range of bytes") }
        let (first, end) = (Int64(range.lowerBound), Int64(range.upperBound) + 1)
        let length = content.completeLength.map(Int64.init)
        // First, whether it is the same file: another file may well have another range.
        guard part.isContinued(by: head) else { return .startOver }
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

    private static func beyondEnd(_ part: StoredPart, _ head: HTTPResponse.Head) -> Self {
        guard let content = head.headers.contentRange, content.unit == "bytes",
            content.range == nil,
            content.completeLength.map(Int64.init) == part.bytes,
            part.length ?? part.bytes == part.bytes,
            !head.headers.contains(.eTag) || part.isConfirmed(by: head)
        else { return .startOver }
        return .finish(part.bytes)
    }
}

extension HTTPHeaders {
    /// The content codings in the order in which they were applied (RFC 9110 §8.4), without
    /// `identity`; `nil` for none.
    var contentCoding: String? {
        let codings = ContentCodings(self).names
        return codings.isEmpty ? nil : codings.joined(separator: ", ")
    }
}
