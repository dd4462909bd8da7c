/// The ranges of a file that have not arrived, and the requests that load them.
///
/// It does no I/O. A byte is claimed before it is written, and no byte is claimed twice, unless the
/// write or the connection failed in between.
struct MissingRanges: Hashable, Sendable {
    /// The fewest bytes that a range must bring. A server may send less than was requested, but
    /// must not make the client load a file byte by byte.
    static let shortRange: Int64 = 64 << 10

    /// A range without bytes, or with bytes that are being written.
    struct Gap: Hashable, Identifiable, Sendable {
        enum Use: Hashable, Sendable {
            /// No request loads the gap.
            case free
            /// A request has been, or will be, sent for the gap.
            case requested
            /// The bytes of the gap are arriving.
            case flowing
        }

        let id: Int
        /// The offset of the first byte that has not been written.
        fileprivate(set) var start: Int64
        /// The offset of the first byte that has not been claimed.
        fileprivate(set) var claimed: Int64
        fileprivate(set) var end: Int64
        fileprivate(set) var use = Use.free
        /// `true` if bytes of the stream were not claimed, so that it cannot go on behind them.
        fileprivate var hasDropped = false

        /// The number of bytes that no request is about to write.
        fileprivate var rest: Int64 { end - claimed }
    }

    let length: Int64
    /// The fewest bytes that a gap is split into.
    let shortest: Int64
    /// The gaps in the order of the file: disjoint, none of them empty.
    private(set) var gaps: [Gap] = []
    private var lastID = 0

    /// - Parameter arrived: The ranges that are in the file: in order, disjoint, and not empty.
    init(of length: Int64, arrived: [Range<Int64>], shortest: Int64) {
        (self.length, self.shortest) = (length, max(1, shortest))
        var start: Int64 = 0
        for range in arrived {
            add(start..<range.lowerBound)
            start = range.upperBound
        }
        add(start..<length)
    }

    private mutating func add(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        lastID += 1
        gaps.append(
            Gap(
                id: lastID, start: range.lowerBound, claimed: range.lowerBound,
                end: range.upperBound)
        )
    }

    var isEmpty: Bool { gaps.isEmpty }
    var arrivedBytes: Int64 { gaps.reduce(length) { $0 - ($1.end - $1.start) } }

    /// The ranges that are in the file: in order, disjoint, none of them empty.
    var arrived: [Range<Int64>] {
        var ranges: [Range<Int64>] = []
        var start: Int64 = 0
        for gap in gaps {
            if start < gap.start { ranges.append(start..<gap.start) }
            start = gap.end
        }
        if start < length { ranges.append(start..<length) }
        return ranges
    }

    subscript(id: Gap.ID) -> Gap? { gaps.first { $0.id == id } }

    // MARK: Taking

    /// Returns a gap to request: a free one, or else the end of the longest one, which is split.
    /// Returns `nil` if each part would be shorter than ``shortest``.
    ///
    /// - Parameter idle: The number of requests that are about to take a gap, this one included.
    ///   The longest gap is split so that each of them can get an equal share.
    mutating func take(among idle: Int = 1) -> Gap? {
        if let index = gaps.firstIndex(where: { $0.use == .free }) {
            gaps[index].use = .requested
            return gaps[index]
        }
        guard let index = gaps.indices.max(by: { gaps[$0].rest < gaps[$1].rest }) else {
            return nil
        }
        let rest = gaps[index].rest
        let share = max(shortest, rest / Int64(max(1, idle) + 1))
        guard rest - share >= shortest else { return nil }
        lastID += 1
        let split = gaps[index].end - share
        let gap = Gap(
            id: lastID, start: split, claimed: split, end: gaps[index].end, use: .requested)
        gaps[index].end = split
        gaps.insert(gap, at: index + 1)
        return gap
    }

    /// Notes that bytes from the gap's start on are arriving.
    ///
    /// - Returns: `false` if another stream has taken the gap over.
    mutating func begin(_ id: Gap.ID) -> Bool {
        guard let index = index(of: id) else { return false }
        gaps[index].use = .flowing
        return true
    }

    /// Notes that the stream of a gap has broken. Its request will be sent again.
    mutating func interrupt(_ id: Gap.ID) { stop(id, .requested) }

    /// Notes that the request for a gap is given up.
    mutating func giveUp(_ id: Gap.ID) { stop(id, .free) }

    private mutating func stop(_ id: Gap.ID, _ use: Gap.Use) {
        guard let index = index(of: id) else { return }
        gaps[index].claimed = gaps[index].start
        gaps[index].use = use
        gaps[index].hasDropped = false
    }

    // MARK: Writing

    /// Claims the next bytes of a stream. A stream that reaches the end of its gap continues into
    /// the next one, unless bytes of that one are arriving already.
    ///
    /// - Parameter streamEnd: The offset at which the stream ends.
    /// - Returns: The number of bytes to write, which is less than `count` if the next ones belong
    ///   to another stream.
    mutating func claim(_ count: Int, of id: Gap.ID, until streamEnd: Int64) -> Int {
        guard let index = index(of: id) else { return 0 }
        let wanted = min(gaps[index].claimed + Int64(count), streamEnd)
        while gaps[index].end < wanted, extend(index, until: streamEnd) {}
        let claimed = min(wanted, gaps[index].end)
        gaps[index].hasDropped = claimed < wanted
        defer { gaps[index].claimed = claimed }
        return Int(claimed - gaps[index].claimed)
    }

    /// Notes that the claimed bytes are written. The stream of the next gap may have broken since
    /// they were claimed. A stream that has dropped bytes of that gap does not continue all the
    /// same.
    ///
    /// - Returns: `true` if the next bytes of the stream are missing.
    mutating func commit(_ id: Gap.ID, until streamEnd: Int64) -> Bool {
        guard let index = index(of: id) else { return false }
        gaps[index].start = gaps[index].claimed
        if gaps[index].rest > 0 || !gaps[index].hasDropped && extend(index, until: streamEnd) {
            return true
        }
        gaps.remove(at: index)
        return false
    }

    /// Joins the next gap to the one at `index`, if a stream of that one can continue into it.
    private mutating func extend(_ index: Int, until streamEnd: Int64) -> Bool {
        let next = index + 1
        guard next < gaps.count, gaps[next].use != .flowing, gaps[next].start == gaps[index].end,
            streamEnd > gaps[index].end
        else { return false }
        gaps[index].end = gaps[next].end
        gaps.remove(at: next)
        return true
    }

    private func index(of id: Gap.ID) -> Int? { gaps.firstIndex { $0.id == id } }
}
