/// A failure of HTTP/2 as libcurl's text describes it.
enum HTTP2Failure {
    /// Returns `true` if the frames of a head, or of trailers, are too many or too large.
    ///
    /// nghttp2 ends the connection after some `CONTINUATION` frames: 8 by default, which are 144
    /// KB. libcurl 7.88 ends it itself, in a callback, at a head of 128 KiB.
    static func isOfFrames(_ text: String) -> Bool {
        text.contains("Too many CONTINUATION frames")
            || text.contains("nghttp2_session_mem_recv() returned -902")
    }

    /// Returns `true` if HTTP/2 has failed on the whole connection, as nghttp2 has told libcurl.
    static func isOfConnection(_ text: String) -> Bool {
        text.contains("nghttp2 recv error") || text.contains("nghttp2 shuts down connection")
            || text.contains("nghttp2_session_mem_recv() returned")
    }
}
