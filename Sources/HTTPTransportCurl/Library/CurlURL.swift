import CHTTPTransportCurl
import HTTPCore

/// An origin's URL, which libcurl has taken apart once: with the text alone it would do so for each
/// transfer, and put it together again, byte by byte.
///
/// The path is `/` in all of them: what is asked for is the request's target.
@safe final class CurlURL {
    let text: String
    /// `nil` where libcurl finds the text wrong, which it then tells each transfer.
    let parts: OpaquePointer?

    init(_ origin: HTTPOrigin) {
        text = origin.description + "/"
        unsafe parts = text.withCString { unsafe chttp_url_make($0) }
    }

    deinit {
        if let parts = unsafe parts { unsafe chttp_url_free(parts) }
    }
}
