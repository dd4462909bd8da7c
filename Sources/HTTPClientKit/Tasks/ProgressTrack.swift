/// What has been said of a task's progress: the newest of each kind, numbered as they came.
///
/// Holds back what would go backwards, such as the bytes of an attempt that was sent again, and until
/// ``end(_:at:)`` the last byte: a download's may be that of a response nobody will see, an upload's
/// has been handed over, and may not be sent.
struct ProgressTrack: Sendable {
    struct Entry: Hashable, Sendable {
        var number: Int
        var progress: HTTPTransferProgress
    }

    /// At most one of each kind, in the order they came.
    private var entries: [Entry] = []
    private var lastNumber = 0
    private var held: [HTTPTransferProgress.Kind: HTTPTransferProgress] = [:]

    var newest: Entry? { entries.last }

    /// Answers whether it is news.
    mutating func record(_ progress: HTTPTransferProgress) -> Bool {
        if progress.bytes == progress.length {
            held[progress.kind] = progress
            return false
        }
        if let last = entries.first(where: { $0.progress.kind == progress.kind })?.progress {
            guard progress != last, progress.bytes >= last.bytes,
                progress.fraction ?? 1 >= last.fraction ?? 0
            else { return false }
        }
        append(progress)
        return true
    }

    /// Of an upload that was handed over to its end.
    var heldUpload: Int64? { held[.upload]?.bytes }

    /// All of that kind is there: its total is known now, and its fraction 1.
    mutating func end(_ kind: HTTPTransferProgress.Kind, at total: Int64) {
        var progress =
            entries.first { $0.progress.kind == kind }?.progress
            ?? HTTPTransferProgress(kind, bytes: 0, length: nil)
        if let held = held[kind], held.bytes == total { progress = held }
        progress.bytes = total
        progress.length = total
        guard entries.allSatisfy({ $0.progress != progress }) else { return }
        append(progress)
    }

    /// The next one for somebody who has seen all up to `number`; for a newcomer the newest.
    func next(after number: Int?) -> Entry? {
        guard let number else { return newest }
        return entries.first { $0.number > number }
    }

    private mutating func append(_ progress: HTTPTransferProgress) {
        lastNumber += 1
        entries.removeAll { $0.progress.kind == progress.kind }
        entries.append(Entry(number: lastNumber, progress: progress))
    }
}
