/// The HTTP/2 stream of a transfer, as far as it is known. libcurl does not report it.
///
/// Its end (RFC 9113 §5.1) is known where the library's HTTP/2 is that of nghttp2, as a shared
/// library.
struct TransferStream {
    var window = StreamWindow()
    /// `true` if the server has ended its side (END_STREAM), so that the response is complete.
    var hasEnded = false
    /// `true` if its last frame was a piece of the body, so that no trailers can follow.
    var lacksTrailers = false
    /// The error code with which either side has closed the stream (RFC 9113 §7), 0 for none; `nil`
    /// as long as it is open.
    var error: UInt32?

    /// `true` if the server has not processed the request (REFUSED_STREAM, RFC 9113 §8.7). A GOAWAY
    /// closes the streams above its number with the same code.
    var isRefused: Bool { error == 7 && !hasEnded }
}
