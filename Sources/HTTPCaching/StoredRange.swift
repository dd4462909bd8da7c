import HTTPCore
import HTTPFormats
import PortableFoundation

/// A range of a response that is stored as a whole (RFC 9110 §14, RFC 9111 §3.3).
///
/// Parts are never stored and never combined. A range is taken only from bytes that are those of
/// the representation: a body whose content coding a transport has decoded is another sequence of
/// bytes than the one that the server counts in.
struct StoredRange: Hashable, Sendable {
    let stored: HTTPStoredResponse
    let range: Range<Int>

    /// - Parameter fields: The header section of the request.
    init?(_ part: HTTPRange.Part, of stored: HTTPStoredResponse, for fields: HTTPHeaders) {
        let length = Int(stored.bodyLength)
        guard stored.status == .ok, !stored.headers.contains(.contentEncoding),
            stored.headers[values: .contentLength] == [String(length)],
            Self.isCurrent(stored, fields), let range = part.resolved(inLength: length)
        else { return nil }
        self.stored = stored
        self.range = range
    }

    /// Returns `true` if `If-Range` names the stored response, by strong comparison, or is missing
    /// (RFC 9110 §13.1.5).
    private static func isCurrent(_ stored: HTTPStoredResponse, _ fields: HTTPHeaders) -> Bool {
        guard let text = fields[.ifRange] else { return true }
        guard case .entityTag(let tag) = IfRange(text, now: stored.responseDate) else {
            return false
        }
        return stored.headers.entityTag?.matchesStrongly(tag) == true
    }

    /// The fields of the response with the range.
    var headers: HTTPHeaders {
        var headers = stored.headers
        let (first, last) = (range.lowerBound, range.upperBound - 1)
        headers[.contentRange] = "bytes \(first)-\(last)/\(stored.bodyLength)"
        headers[.contentLength] = String(range.count)
        return headers
    }

    /// Returns the range of the body.
    func body(of whole: HTTPBody) -> HTTPBody {
        guard let bytes = whole.bytes else {
            return HTTPBody(
                source: WrappingBodySource(whole, Self.hooks(for: range)),
                length: Int64(range.count))
        }
        let start = bytes.startIndex + range.lowerBound
        return HTTPBody(Data(bytes[start..<start + range.count]))
    }

    /// The hooks that pass a range on of a body that is read from its beginning.
    private static func hooks(for range: Range<Int>) -> HTTPBodyHooks {
        let left = Locked((before: range.lowerBound, inside: range.count))
        return HTTPBodyHooks(
            piece: { piece in
                left.withLock { left in
                    let skipped = min(left.before, piece.count)
                    left.before -= skipped
                    let part = Data(piece.dropFirst(skipped).prefix(left.inside))
                    left.inside -= part.count
                    return left.inside == 0 ? .last(part) : .bytes(part)
                }
            },
            finishing: { _ in
                throw HTTPError(
                    .bodyIncomplete, "the stored body is shorter than its length",
                    phase: .receiving)
            })
    }
}
