import HTTPCore

/// The number of bytes that a server may send on an HTTP/2 stream before they are read (RFC 9113
/// §5.2). All of them may have to be kept when the reader stops.
///
/// A stream begins with a narrow window. It gets a wide one, for connections that are fast and
/// long, when its reader has kept up for a while.
struct StreamWindow {
    /// The size of a narrow window, in bytes.
    static let narrow = 1 << 20
    /// The size of a wide window.
    static let wide = 8 << 20
    /// The number of bytes that a reader takes without a pause before the window becomes wide.
    static let proof = 16 << 20

    /// The bytes that have come since the last pause.
    private var received = 0
    private var isWide = false

    /// Records bytes that have come. Returns the size of the window if it changes.
    mutating func receive(_ count: Int) -> Int? {
        guard !isWide else { return nil }
        received = received.adding(clamped: max(0, count))
        guard received >= Self.proof else { return nil }
        isWide = true
        return Self.wide
    }

    /// Records that the reader is behind. When it goes on, the window is narrow again.
    mutating func pause() {
        received = 0
        isWide = false
    }
}
