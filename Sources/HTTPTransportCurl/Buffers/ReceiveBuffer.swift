import HTTPCore
import PortableFoundation
import PortableLibc

/// Bytes collected from libcurl's callbacks and delivered once per turn of the loop.
///
/// A block that is at least a quarter full is handed over without a copy. Otherwise the bytes are
/// copied and the block is kept.
@safe struct ReceiveBuffer: ~Copyable {
    private static let firstCapacity = 16 << 10
    /// A limit on the guessed capacity: more bytes rarely arrive in one turn, and a larger block
    /// might be less than a quarter full.
    private static let largestGuess = 256 << 10

    private let pool: BlockPool
    private var block: Block?
    private(set) var count = 0
    /// The number of bytes last taken, as a guess for the next time.
    private var lastCount = 0

    /// The limit on a body that the caller gets as a whole; `nil` if it gets it in pieces.
    let limit: Int?

    init(_ pool: BlockPool, limit: Int? = nil) {
        self.pool = pool
        self.limit = limit
    }

    deinit { if let block { pool.giveBack(block) } }

    private var capacity: Int { block?.capacity ?? 0 }

    /// - Parameter expected: The number of bytes still to come, including `bytes`, if it is known.
    mutating func append(_ bytes: UnsafeRawBufferPointer, expecting expected: Int64?) {
        reserve(count + bytes.count, expecting: expected)
        guard let block, let source = bytes.baseAddress else { return }
        unsafe (block.base + count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    private mutating func reserve(_ needed: Int, expecting expected: Int64?) {
        guard needed > capacity else { return }
        let guess =
            expected.map { count + Int(min($0, Int64(Self.largestGuess))) }
            ?? max(lastCount, Self.firstCapacity)
        let bytes = max(needed, min(guess, Self.largestGuess), capacity * 2)
        block = block.map { pool.grow($0, keeping: count, to: bytes) } ?? pool.take(bytes)
    }

    mutating func removeAll() { count = 0 }

    /// Writes all bytes, with several system calls if necessary. Returns the error, or `nil`.
    func write(toDescriptor descriptor: Int32, at offset: Int64) -> SystemError? {
        guard let block else { return nil }
        var done = 0
        while done < count {
            let written = unsafe pwrite(
                descriptor, block.base + done, count - done, off_t(offset) + off_t(done))
            if written > 0 {
                done += written
            } else if written == 0 || errno != EINTR {
                return SystemError(errno)
            }
        }
        return nil
    }

    /// Returns a copy of the first bytes.
    func beginning(upTo limit: Int) -> Data {
        guard let block else { return Data() }
        return unsafe Data(bytes: block.base, count: min(count, limit))
    }

    /// Returns the collected bytes and empties the buffer.
    mutating func take() -> Data {
        guard count > 0, let full = block else { return Data() }
        defer { count = 0 }
        lastCount = count
        if count < full.capacity / 4 { return unsafe Data(bytes: full.base, count: count) }
        block = nil
        // A block that the pool does not keep needs no closure that gives it back.
        if !full.isPooled {
            return unsafe Data(bytesNoCopy: full.base, count: count, deallocator: .free)
        }
        return unsafe Data(
            bytesNoCopy: full.base, count: count,
            deallocator: .custom { [pool] _, _ in pool.giveBack(full) })
    }
}
