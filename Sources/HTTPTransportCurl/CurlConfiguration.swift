public import HTTPCore

/// How a ``CurlTransport`` works. Holds only settings that it honours; a bad one is refused when the
/// transport is made.
public struct CurlConfiguration: Sendable {
    /// What ``HTTPTimeouts/Limit/standard`` stands for in requests: 10 s to connect, 60 s idle, none
    /// in total. A ``HTTPTimeouts/Limit/standard`` here means these.
    public var timeouts = HTTPTimeouts()

    /// How many exchanges run at a time per origin, and so how many connections HTTP/1.1 opens;
    /// further ones wait their turn in order. At least 1. An origin that speaks HTTP/2 gets 100.
    public var maximumConnectionsPerOrigin = 128

    /// A PEM bundle to trust instead of the system's.
    public var certificateAuthorityFile: String?

    /// Whether to ask for content codings (those libcurl has of gzip, deflate, br, zstd) and to
    /// decode them; off for a request that sets `Accept-Encoding` or `Range` itself. A decoded
    /// response has lost its `Content-Encoding` and `Content-Length`.
    public var decodesContent = true

    /// Of a streamed body, in octets: receiving pauses above `highWater` and goes on below
    /// `lowWater`, so that a slow reader slows the server down.
    public var highWater = 256 << 10
    public var lowWater = 64 << 10

    public init() {}

    func check() throws(HTTPError) {
        func refuse(_ reason: String) -> HTTPError {
            HTTPError(
                .invalidRequest, "the transport's configuration: \(reason)", phase: .preparing)
        }
        guard maximumConnectionsPerOrigin >= 1 else {
            throw refuse(
                "maximumConnectionsPerOrigin is \(maximumConnectionsPerOrigin), not at least 1")
        }
        guard highWater >= 1, (0..<highWater).contains(lowWater) else {
            throw refuse("lowWater must not be negative and be less than highWater")
        }
        for limit in [timeouts.connect, timeouts.idle, timeouts.total] {
            if case .after(let duration) = limit, duration <= .zero {
                throw refuse("a time limit of \(duration) is not positive: use .never")
            }
        }
        if let path = certificateAuthorityFile, let error = ReadableFile.check(path) {
            throw refuse("the certificate authority file \(path.logSafe) cannot be read: \(error)")
        }
    }
}
