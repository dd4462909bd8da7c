/// What the caller will do with a response's body, which is part of the request: it decides what
/// belongs to an attempt.
public enum HTTPDelivery: Hashable, Sendable {
    /// The chain answers at the head and the caller reads the body as it arrives. A failure in the
    /// body is the caller's, nobody sends again for it.
    case streamed
    /// The body is read to its end before the chain answers, and may then be read any number of
    /// times. A body cut short is a failed attempt like any other; one longer than `upTo` bytes
    /// (decoded) is `bodyTooLarge`.
    case buffered(upTo: Int)
}
