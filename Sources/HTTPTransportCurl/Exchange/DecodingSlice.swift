/// A limit on the time and the memory that decoding one body takes within one call into libcurl.
///
/// libcurl reads several times before it returns, and decodes all that each read has brought, while
/// the loop serves no other exchange. So it is told to read no more once the slice is used up; what
/// the last read has brought it decodes all the same, and a few bytes of Brotli or Zstandard stand
/// for megabytes: a body of which one read takes too long, or becomes too much, is ended. Time is
/// that of the loop's thread, so that a busy machine does not end a body that does no harm.
struct DecodingSlice {
    enum Excess: Equatable {
        case time, length
    }

    /// In nanoseconds.
    static let limit: Int64 = 100_000_000
    /// No body is ended, and no reading, that has become no longer than this within the call.
    static let floor = 1 << 20
    /// Nothing can be held back within the call, and taking it takes time, too. No body reaches it that
    /// expands as much as is allowed unless told otherwise.
    static let ceiling = 26 << 20

    private var call: Int?
    private var spent: Int64 = 0
    private var returned: Int64 = 0
    private var count = 0

    /// The call has brought enough.
    var isUsedUp: Bool { count > Self.floor }

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
