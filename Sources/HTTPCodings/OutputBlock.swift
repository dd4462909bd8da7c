package import PortableFoundation
import PortableLibc

/// Memory that grows while bytes are put out, and becomes a `Data` without a copy.
@safe package struct OutputBlock: ~Copyable {
    private var base: UnsafeMutableRawPointer?
    package private(set) var capacity = 0
    /// The number of bytes that were put out. Set it after writing to ``space``.
    package var count = 0

    package init() {}

    deinit { unsafe free(base) }

    /// Makes the memory at least this large.
    package mutating func reserve(_ size: Int) {
        guard size > capacity else { return }
        if let larger = unsafe realloc(base, size) {
            unsafe base = larger
        } else {
            // Without memory, the program ends here, as it does if an object cannot be made.
            let larger = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 1)
            if let base = unsafe base { unsafe larger.copyMemory(from: base, byteCount: count) }
            unsafe free(base)
            unsafe base = larger
        }
        capacity = size
    }

    /// The memory after the bytes so far.
    package var space: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(
            start: base.map { unsafe $0 + count }, count: capacity - count)
    }

    /// Returns a copy of the first bytes.
    func beginning(upTo limit: Int) -> Data {
        guard let base = unsafe base else { return Data() }
        return unsafe Data(bytes: base, count: min(count, limit))
    }

    /// Returns the bytes and empties the block. Few bytes in much memory are copied, and the memory
    /// is kept.
    mutating func take() -> Data {
        guard let full = unsafe base, count > 0, count < capacity / 4 else { return takeAll() }
        defer { count = 0 }
        return unsafe Data(bytes: full, count: count)
    }

    /// Returns the bytes with their memory, of which the system gets back what is empty.
    package mutating func takeAll() -> Data {
        guard let full = unsafe base, count > 0 else { return Data() }
        let fitting = count < capacity / 4 * 3 ? unsafe realloc(full, count) : nil
        let bytes = unsafe Data(bytesNoCopy: fitting ?? full, count: count, deallocator: .free)
        unsafe base = nil
        (capacity, count) = (0, 0)
        return bytes
    }
}
