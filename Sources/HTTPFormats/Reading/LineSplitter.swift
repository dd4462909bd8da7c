package import HTTPCore
package import PortableFoundation

/// A value that cuts bytes into lines, in whatever pieces they arrive. ``HTTPBody/lines``, JSON
/// Lines and server-sent events share it.
///
/// Every byte is examined once, regardless of the pieces. A byte order mark at the very start is
/// not part of the first line.
package struct LineSplitter: Sendable {
    package enum LineEnds: Sendable {
        /// LF and CRLF; a CR alone is part of its line.
        case lineFeed
        /// LF, CRLF and CR (HTML Standard §9.2.5).
        case any
    }

    private let ends: LineEnds
    private let limit: Int
    /// The lines that were read, the current line, and the bytes after it.
    package private(set) var bytes: [UInt8] = []
    private var start = 0
    /// The end of the part that was searched: there is no line end in `start..<scanned`.
    private var scanned = 0
    /// The next CR, if any line end is allowed: there is no CR in `scanned..<carriageReturn`.
    private var carriageReturn = 0
    /// `true` if the last line ended in a CR, so that an LF that follows belongs to it.
    private var skipsLineFeed = false
    private var isAtStart = true

    /// - Parameter limit: The maximum length of a line in bytes, without its end.
    package init(ends: LineEnds, limit: Int) {
        self.ends = ends
        self.limit = limit
    }

    package mutating func append(_ piece: Data) {
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: true)
        } else if start > 0 {
            bytes.removeFirst(start)
        }
        scanned -= start
        start = 0
        carriageReturn = 0
        unsafe piece.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }

    /// Returns the range of the next whole line in ``bytes``, without its end, or `nil` if more
    /// bytes are needed. The range is valid until the next call.
    ///
    /// - Throws: `bodyTooLarge` if the line is longer than the limit.
    @inline(__always)
    package mutating func next() throws(HTTPError) -> Range<Int>? {
        if isAtStart || skipsLineFeed, !isAtLine() { return nil }
        let end = lineEnd()
        guard end < bytes.count else {
            scanned = end
            // One byte more is allowed for a CR whose LF is still to come.
            if end - start > limit, end - start > limit + 1 || bytes[end - 1] != 0x0D {
                throw tooLong()
            }
            return nil
        }
        var line = start..<end
        if ends == .any {
            skipsLineFeed = bytes[end] == UInt8(ascii: "\r")
        } else if end > start, bytes[end - 1] == UInt8(ascii: "\r") {
            line = start..<end - 1
        }
        guard line.count <= limit else { throw tooLong() }
        start = end + 1
        scanned = start
        return line
    }

    /// Returns the rest after the last bytes have arrived: a last line without an end, or `nil`.
    package mutating func last() throws(HTTPError) -> Range<Int>? {
        if isAtStart { _ = skipByteOrderMark(isComplete: true) }
        let line = start..<bytes.count
        start = bytes.count
        guard line.count <= limit else { throw tooLong() }
        return line.isEmpty ? nil : line
    }

    @inline(__always)
    private mutating func lineEnd() -> Int {
        guard ends == .any else { return bytes.span.firstIndex(of: 0x0A, from: scanned) }
        // Every event ends with a blank line.
        if scanned < bytes.count, bytes[scanned] == 0x0A { return scanned }
        // Searched once and not for each line, because most streams hold no CR.
        if carriageReturn <= scanned {
            carriageReturn = bytes.span.firstIndex(of: 0x0D, from: scanned)
        }
        return bytes.span.extracting(..<carriageReturn).firstIndex(of: 0x0A, from: scanned)
    }

    /// Skips bytes before a line that are not part of it. Returns `false` if more bytes are needed
    /// to recognise them.
    private mutating func isAtLine() -> Bool {
        if isAtStart, !skipByteOrderMark(isComplete: false) { return false }
        if skipsLineFeed, start < bytes.count {
            if bytes[start] == UInt8(ascii: "\n") { start += 1 }
            scanned = max(scanned, start)
            skipsLineFeed = false
        }
        return true
    }

    private mutating func skipByteOrderMark(isComplete: Bool) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if bytes.starts(with: mark) {
            start = mark.count
            scanned = mark.count
        } else if !isComplete, mark.starts(with: bytes) {
            return false
        }
        isAtStart = false
        return true
    }

    private func tooLong() -> HTTPError { HTTPError.elementTooLarge("a line", limit: limit) }
}

extension HTTPError {
    static func elementTooLarge(_ element: String, limit: Int) -> HTTPError {
        HTTPError(
            .bodyTooLarge, "\(element) of the body is longer than \(limit) bytes",
            phase: .receiving, mayHaveReachedServer: true)
    }
}
