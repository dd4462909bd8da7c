import PortableLibc

/// The log of a target that has no other: what the program's owner must know, but no caller can
/// act on.
enum StandardError {
    /// Writes a line at once, so that lines of several threads do not mix.
    static func write(_ sentence: String) {
        var text = sentence + "\n"
        text.withUTF8 { bytes in _ = unsafe systemWrite(2, bytes.baseAddress, bytes.count) }
    }
}

private func systemWrite(_ file: Int32, _ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int {
    unsafe write(file, bytes, count)
}
