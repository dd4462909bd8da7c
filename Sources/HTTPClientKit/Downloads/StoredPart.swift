import HTTPCore
import HTTPFormats
import HTTPValidation
import PortableFoundation

/// The part of a file that earlier exchanges left, as the request for the rest describes it.
struct StoredPart: Hashable {
    /// The number of bytes before the requested ones.
    let bytes: Int64
    let condition: IfRange
    /// The length of the whole file, if the server sent it.
    let length: Int64?
    /// The content codings of the bytes. See ``/HTTPCore/HTTPHeaders/contentCoding``.
    let coding: String?
    /// A hash of the URL that the bytes came from. See ``PartRecord/source``.
    let source: String?
    /// The end of the requested bytes; `nil` for the end of the file.
    private(set) var end: Int64?

    /// The beginning of a file.
    ///
    /// - Parameter bytes: `nil` is returned if there are none, or more than the whole file has.
    init?(
        bytes: Int64, condition: IfRange, length: Int64?, coding: String? = nil,
        source: String? = nil
    ) {
        guard bytes > 0, bytes <= length ?? .max else { return nil }
        (self.bytes, self.condition, self.length) = (bytes, condition, length)
        (self.coding, self.source) = (coding, source)
    }

    /// The part around a gap.
    init(around gap: MissingRanges.Gap, of record: PartRecord, condition: IfRange) {
        (bytes, end) = (gap.start, gap.end)
        (self.condition, length) = (condition, record.length)
        (coding, source) = (record.coding, record.source)
    }

    /// Returns `true` if a response has bytes of the representation that the part belongs to.
    ///
    /// Bytes in different codings belong to different representations, even if the server gives
    /// both the same tag.
    func isContinued(by head: HTTPResponse.Head) -> Bool {
        isConfirmed(by: head) && coding == head.headers.contentCoding
    }

    /// Returns `true` if a response meets the condition. Servers repeat the entity tag (RFC 9110
    /// §15.3.7), but need not repeat `Last-Modified`.
    ///
    /// A redirect to another place than before leads to another resource. Only an entity tag shows
    /// that its file is the same.
    func isConfirmed(by head: HTTPResponse.Head) -> Bool {
        switch condition {
        case .entityTag(let tag):
            return head.headers.entityTag.map(tag.matchesStrongly) ?? false
        case .date(let date):
            let here = head.url.resourceHash
            guard source ?? here == here else { return false }
            return head.headers.lastModified.map { $0 == date }
                ?? !head.headers.contains(.lastModified)
        }
    }

    /// The offset to continue from. A part that is the whole file requests its last byte again: the
    /// response shows if it is still the same file, whereas a 416 would not.
    var offset: Int64 { length.map { min(bytes, $0 - 1) } ?? bytes }

    func ask(_ request: inout HTTPRequest) {
        if let end {
            request.headers.range = .bytes(Int(offset)...Int(end - 1))
        } else {
            request.headers.range = .bytes(Int(offset)...)
        }
        request.headers.ifRange = condition
    }
}

extension HTTPRequest {
    /// Waits before the download is resumed.
    func wait(_ duration: Duration, over session: any HTTPSession) async throws {
        let call = currentCall
        try await call.wait(
            until: call.clock.now + duration, over: session, hasReachedServer: true)
    }
}

extension HTTPSession {
    /// Sends the request for a file, or for the bytes that `part` lacks.
    func response(
        for request: HTTPRequest, continuing part: StoredPart?
    ) async throws -> HTTPResponse {
        var request = request
        request.delivery = .streamed
        request.isValidatedByHead = true
        if !request.headers.contains(.acceptEncoding) {
            request.headers[.acceptEncoding] = "identity"
        }
        part?.ask(&request)
        do {
            return try await response(for: request)
        } catch let error as HTTPError {
            // A status that a validator below refuses may be the reply to the range request.
            guard part != nil, error.code == .unexpectedStatus, let head = error.response,
                head.status == .rangeNotSatisfiable
            else { throw error }
            return HTTPResponse(head, to: request)
        }
    }
}
