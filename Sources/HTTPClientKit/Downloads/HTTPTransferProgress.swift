import HTTPCore

/// How far a download or an upload has come.
public struct HTTPTransferProgress: Hashable, Sendable {
    public enum Kind: Hashable, Sendable { case download, upload }

    public var kind: Kind
    /// Of the whole file, those of an earlier run included.
    public var bytes: Int64
    /// Of the whole file; `nil` when only the end will tell.
    public var length: Int64?
    /// Of the file, how much an earlier run had left; `nil` when it began, or had to begin, anew.
    public var resumedOffset: Int64?

    public init(
        _ kind: Kind, bytes: Int64, length: Int64?, resumedOffset: Int64? = nil
    ) {
        self.kind = kind
        self.bytes = bytes
        self.length = length
        self.resumedOffset = resumedOffset
    }

    /// From 0 to 1, 1 at the end; `nil` when the length is unknown.
    public var fraction: Double? {
        HTTPBodyProgress(bytes: bytes, length: length).fraction
    }
}

/// Makes what is reported go forwards only, however often a transfer begins anew.
struct TransferMeter {
    private var last: HTTPTransferProgress?
    let kind: HTTPTransferProgress.Kind
    /// Set when a range is accepted, taken back when the whole comes instead.
    var resumedOffset: Int64?

    init(_ kind: HTTPTransferProgress.Kind) { self.kind = kind }

    /// What to report, or `nil` for nothing new.
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

    /// What to report at the end, unless it has been.
    mutating func finish(at bytes: Int64) -> HTTPTransferProgress? {
        let progress = HTTPTransferProgress(
            kind, bytes: bytes, length: bytes, resumedOffset: resumedOffset)
        defer { last = progress }
        return last == progress ? nil : progress
    }
}
