extension Span<UInt8> {
    /// The text in UTF-8; malformed bytes become U+FFFD.
    @inlinable package var text: String {
        unsafe withUnsafeBufferPointer { bytes in
            // The usual way is slow for a text that needs no memory of its own.
            guard bytes.count < 16 else { return unsafe String(decoding: bytes, as: UTF8.self) }
            return unsafe String(unsafeUninitializedCapacity: bytes.count) {
                unsafe $0.initialize(fromContentsOf: bytes)
            }
        }
    }
}
