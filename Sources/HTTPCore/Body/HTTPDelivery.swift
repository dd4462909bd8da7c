/// The way in which the caller will read a response's body. It is part of the request because it
/// decides what belongs to an attempt.
public enum HTTPDelivery: Hashable, Sendable {
    /// The session returns the response once its head has arrived, and the caller reads the body as
    /// it arrives. A failure in the body is reported to the caller; the request is not sent again.
    case streamed
    /// The body is read to its end before the session returns the response, and can then be read
    /// any number of times. A body that ends early is a failed attempt like any other. A body of
    /// more than `upTo` bytes, after decoding, fails with `bodyTooLarge`.
    case buffered(upTo: Int)
}
