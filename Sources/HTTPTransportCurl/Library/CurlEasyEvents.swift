import CHTTPTransportCurl

/// The events of one easy handle. libcurl calls them on the loop's thread, for a handle that is in
/// a multi handle.
///
/// An event may be recorded, its bytes copied, a value asked for a decision, the handle paused, the
/// options set that libcurl documents for that, and a socket shut down that must not be used. The
/// task that produces an upload may be started or woken, since that only puts it into the queue of
/// its executor. No event may remove or free a handle, report to an observer, or call code of the
/// user; the loop does that after libcurl has returned, and only then wakes readers. The one
/// exception is the progress of a body, whose closure is documented to run on the transport's
/// thread.
protocol CurlEasyEvents: AnyObject {
    /// The first line of a head has come. It is kept until the head is complete, or until
    /// ``CurlEasyHandle/releaseHead()`` is called.
    func beganHead()

    /// A head has come, without the empty line at its end, all at once. Returns `false` to end the
    /// transfer.
    func received(head: Span<UInt8>) -> Bool

    /// A line of a head or of trailers has come that was not kept, with its line end. Returns
    /// `false` to end the transfer.
    func received(line: Span<UInt8>) -> Bool

    /// Bytes of a body have come. Returns `false` to end the transfer.
    func received(body: UnsafeRawBufferPointer) -> Bool

    /// Reads the request's body. Returns the number of bytes, 0 at its end, or a value that ends or
    /// pauses the transfer (`CHTTP_READ_…`).
    func readBody(into space: UnsafeMutableRawBufferPointer) -> Int

    /// libcurl wants to send the body again. Returns `false` if that is not possible.
    func rewindBody(to offset: Int64) -> Bool

    /// The lines of the request's trailers, once its body has ended.
    var trailerLines: [String] { get }

    /// The request is about to be written, for the first time or again. Returns `false` to end the
    /// transfer.
    func mayWrite(to address: String?, port: Int32, from localPort: Int32) -> Bool

    /// The library has stated a fact in its messages. See `CHTTP_REMARK_…`.
    func noticed(_ remark: chttp_remark)

    /// A piece of the body has come over HTTP/2. Returns the new size of the stream's window, or
    /// `nil`.
    func receivedFrame(of count: Int) -> Int?

    /// The server has ended the HTTP/2 stream of the request. Reported, like the next two, where
    /// streams are seen.
    func endedStream(withData: Bool)

    /// The HTTP/2 stream of the request is closed, with an error code (RFC 9113 §7).
    func closedStream(error: UInt32)

    /// The server's settings of the HTTP/2 connection have come, whose first stream this is.
    func receivedSettings()

    /// Returns `true` if a connection may be made to `address`.
    func permits(_ address: chttp_address) -> Bool

    /// A socket was made, to be connected to `address`.
    func opened(_ descriptor: Int32, to address: chttp_address)

    /// A name is about to be looked up. Reported if the handle was set up for it, also for an
    /// address, which needs no look-up.
    func beganLookup()

    /// A TLS handshake is about to begin, with the server or with a proxy. Reported if the handle
    /// was set up for it.
    func beganHandshake()

    /// No socket could be made, with this error of the system.
    func failedToOpen(_ error: Int32)

    /// libcurl waits for this on the socket in use, in the bits of `CHTTP_POLL_…`.
    func wants(_ interest: Int32)
}
