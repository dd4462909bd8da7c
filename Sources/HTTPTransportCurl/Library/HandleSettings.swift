import HTTPCore

/// The settings of an easy handle that may differ between the transfers of one lane.
///
/// A handle keeps them after a transfer, so that the next transfer of the lane sets only what
/// differs. What a transfer sets beyond them makes the handle cold: it is reset before it is used
/// again.
struct HandleSettings {
    /// The use for which a handle is kept. A handle is reset before another use: libcurl derives
    /// several settings from a method.
    struct Purpose: Equatable {
        var method: HTTPMethod
        /// `true` if bytes are sent with the head.
        var hasFields: Bool
        /// `true` if addresses are examined before a connection is made.
        var isRestricted: Bool
        /// `true` if the TLS library asks for the machine's authorities, and does not read all.
        var asksForAuthorities: Bool
        /// The series of connections. See ``Lane/series``.
        var series: Int
        /// `true` if look-ups and TLS handshakes are reported.
        var observesSteps = false
    }

    /// The maximum length of what is kept of a request, in bytes. A handle that has more is reset.
    static let lengthLimit = 8 << 10

    /// `nil` if more is set than these settings say.
    var purpose: Purpose?
    /// The request target that is sent.
    var target: String
    /// The idle time after which a connection is not used again, in seconds.
    var maximumAge: Int
    /// The time limit of a connection, in milliseconds.
    var connectLimit: Int
    var headers: HeaderList
}
