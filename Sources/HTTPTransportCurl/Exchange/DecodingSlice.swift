/// A limit on the time and the memory that decoding one body takes within one call into libcurl.
///
/// libcurl reads several times before it returns, and decodes everything that each read has
/// brought. Meanwhile the loop serves no other exchange. Once the slice is used up, libcurl is
/// therefore told to read no more. It still decodes the last read, and a few bytes of Brotli or
/// Zstandard can stand for megabytes. A body is therefore ended if one read takes too long to
/// decode or becomes too long. The time is the processor time of the loop's thread, so that a busy
/// machine does not end a harmless body. The limits of a whole body, on its length and its
/// expansion, are in `Transfer+Decoding`.
struct DecodingSlice {
    enum Excess: Equatable {
        case time, length
    }

    /// A limit on the processor time within the call, in nanoseconds.
    static let limit: Int64 = 100_000_000
    /// The length up to which a body is neither ended nor held within the call, in bytes.
    static let floor = 1 << 20
    /// A limit on the decoded length of one read, in bytes. Nothing of it can be held back, and
    /// accepting it takes time, too. A body within the default limit of expansion does not reach
    /// it.
    static let ceiling = 26 << 20

    private var call: Int?
    private var spent: Int64 = 0
    private var returned: Int64 = 0
    private var count = 0
    /// The number of bytes that libcurl had read before the present read, and what that read has
    /// been decoded to.
    private var coded: Int64 = 0
    private var readCount = 0

    /// `true` if the call has decoded enough.
    var isUsedUp: Bool { count > Self.floor }

    /// Records a decoded piece of `count` bytes in a call into libcurl, and returns the limit that
    /// decoding has exceeded in that call, if any. The first piece of a call starts the clock.
    ///
    /// - Parameter coded: libcurl's count of the bytes read so far. It changes after a read. 8.14.1
    ///   may read once more in a call in which it was paused by the read that brought the head.
    mutating func excess(
        after count: Int, in call: Int, coded: Int64, at time: Int64
    ) -> Excess? {
        if self.call == call {
            spent += time - returned
        } else {
            self.call = call
            spent = 0
            self.count = 0
            readCount = 0
        }
        if self.coded != coded {
            self.coded = coded
            readCount = 0
        }
        returned = time
        self.count += count
        readCount += count
        if readCount > Self.ceiling { return .length }
        return self.count > Self.floor && spent > Self.limit ? .time : nil
    }

    /// Records that the piece was accepted: the time until now was not libcurl's.
    mutating func takeUp(at time: Int64) { returned = time }
}
