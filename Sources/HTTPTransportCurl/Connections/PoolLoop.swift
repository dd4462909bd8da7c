import CHTTPTransportCurl

/// The loop as its pools see it.
protocol PoolLoop: AnyObject {
    var settings: LoopSettings { get }
    var library: CurlLibrary { get }
    var socketCloser: UnsafeMutablePointer<chttp_socket_closer> { get }

    /// The time of the turn, in monotonic nanoseconds.
    var now: Int64 { get }
    /// The number of times that a transfer or a socket has made progress.
    var progressCount: Int { get }
    /// `true` if transfers have had their share of the turn: what libcurl would do on waits for the
    /// next one, so that other sockets and tasks get their turn.
    var isTurnFull: Bool { get }

    /// libcurl waits for this on a socket, in the bits of `CHTTP_POLL_…`, for `transfer` if it uses
    /// the socket alone. Returns `false` if the socket cannot be watched, because its transfers
    /// would wait for ever.
    func want(
        _ descriptor: Int32, _ interest: Int32, in pool: Int, for transfer: (any CurlEasyEvents)?
    ) -> Bool
}
