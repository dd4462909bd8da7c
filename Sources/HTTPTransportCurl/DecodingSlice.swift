/// A limit on the time and the memory that decoding one body takes within one call into libcurl.
///
/// libcurl decodes all that one read has brought before it returns, and the loop serves no other
/// exchange in the meantime: a few bytes of Brotli or Zstandard stand for megabytes. Time is that of
/// the loop's thread, so that a busy machine does not end a body that does no harm.
struct DecodingSlice {
    enum Excess: Equatable {
        case time, length
    }

    /// In nanoseconds.
    static let limit: Int64 = 50_000_000
    /// A body that has become no longer than this within the call is not what takes the time.
    static let floor = 1 << 20
    /// Nothing can be held back within the call, and taking it takes time, too. As much as gzip
    /// makes of one read at most: 1032 bytes of each.
    static let ceiling = 128 << 20

    private var call: Int?
    private var spent: Int64 = 0
    private var returned: Int64 = 0
    private var count = 0

    /// Records a decoded piece of `count` bytes in a call into libcurl, and returns what decoding
    /// has taken too much of in that call. The first piece of a call starts the clock.
    mutating func excess(after count: Int, in call: Int, at time: Int64) -> Excess? {
        if self.call == call {
            spent += time - returned
        } else {
            self.call = call
            spent = 0
            self.count = 0
        }
        returned = time
        self.count += count
        if self.count > Self.ceiling { return .length }
        return self.count > Self.floor && spent > Self.limit ? .time : nil
    }

    /// The piece is taken: the time until now was not libcurl's.
    mutating func takeUp(at time: Int64) { returned = time }
}
