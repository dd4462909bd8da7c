import HTTPCore

/// The progress of a download or an upload.
public struct HTTPTransferProgress: Hashable, Sendable {
    /// The direction of a transfer.
    public enum Kind: Hashable, Sendable {
        /// The response's body is received.
        case download
        /// The request's body is sent.
        case upload
    }

    /// The direction that is measured. A task whose request has a body may report both.
    public var kind: Kind
    /// The number of bytes of the whole file, including those of an earlier run. A download counts
    /// them before it decodes the file.
    public var bytes: Int64
    /// The length of the whole file; `nil` if it is unknown until the end.
    public var length: Int64?
    /// The number of bytes that an earlier run had left; `nil` if the transfer began, or had to
    /// begin, at the first byte.
    public var resumedOffset: Int64?

    package init(
        _ kind: Kind, bytes: Int64, length: Int64?, resumedOffset: Int64? = nil
    ) {
        self.kind = kind
        self.bytes = bytes
        self.length = length
        self.resumedOffset = resumedOffset
    }

    /// The transferred fraction from 0 to 1, with 1 at the end; `nil` if the length is unknown.
    public var fraction: Double? {
        HTTPBodyProgress(bytes: bytes, length: length).fraction
    }
}

/// A filter that keeps reported values from decreasing, however often a transfer begins again.
struct TransferMeter {
    private var last: HTTPTransferProgress?
    let kind: HTTPTransferProgress.Kind
    /// The number of bytes left by an earlier run; set when a range is accepted, and removed when
    /// the whole file comes instead.
    var resumedOffset: Int64?

    init(_ kind: HTTPTransferProgress.Kind) { self.kind = kind }

    /// Returns the progress to report; `nil` if nothing is new.
    mutating func advance(to bytes: Int64, of length: Int64?) -> HTTPTransferProgress? {
        let progress = HTTPTransferProgress(
            kind, bytes: bytes, length: length, resumedOffset: resumedOffset)
        if let last {
            guard progress.bytes > last.bytes,
                progress.fraction ?? 1 >= last.fraction ?? 0
            else { return nil }
        }
        last = progress
        return progress
    }

    /// Returns the progress to report at the end; `nil` if it has been reported.
    mutating func finish(at bytes: Int64) -> HTTPTransferProgress? {
        let progress = HTTPTransferProgress(
            kind, bytes: bytes, length: bytes, resumedOffset: resumedOffset)
        defer { last = progress }
        return last == progress ? nil : progress
    }
}
