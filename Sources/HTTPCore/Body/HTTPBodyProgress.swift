/// The number of bytes of a body that have been read or sent.
package struct HTTPBodyProgress: Sendable, Hashable {
    package var bytes: Int64
    /// The length of the whole body, or `nil` if it is not known before the end.
    package var length: Int64?

    package init(bytes: Int64, length: Int64?) {
        self.bytes = bytes
        self.length = length
    }

    /// The fraction from 0 to 1, or `nil` if the length is unknown.
    package var fraction: Double? {
        length.map { $0 <= 0 ? 1 : max(0, min(1, Double(bytes) / Double($0))) }
    }

    /// The final progress of a body whose length was unknown; `nil` if it was known.
    func ended() -> Self? { length == nil ? Self(bytes: bytes, length: bytes) : nil }
}

/// The option for a handler of receiving progress, when the body is read into memory. The layer
/// that reads the body calls the handler. An attempt that is sent again counts from zero again.
package enum ReceivingProgress: HTTPRequestOption {
    package static var defaultValue: (@Sendable (HTTPBodyProgress) -> Void)? { nil }
}
