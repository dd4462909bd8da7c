#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Why an exchange is given to libcurl once more, with the same handle and without its caller's
/// noticing. Each reason counts once per exchange, so that this ends.
///
/// Nothing of the request was sent, or no server has acted on it: any method may.
enum FreshStart: Hashable {
    /// The kept connection that libcurl chose had something to read before the request was written.
    case staleConnection
    /// No socket could be made for lack of descriptors; idle connections have made room.
    case noDescriptors
    /// The server refused the expectation (417), and all of the body can be sent (RFC 9110 §10.1.1).
    case expectationRefused
    /// A GOAWAY says that the stream was not processed (RFC 9113 §6.8), and all of the body can be
    /// sent.
    case goneAway
}

extension FreshStart {
    /// `nil` where another try would find the same.
    init?(socketError: Int32) {
        guard socketError == EMFILE || socketError == ENFILE else { return nil }
        self = .noDescriptors
    }
}
