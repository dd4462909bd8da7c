import CHTTPTransportCurl
import HTTPCore

/// An origin's URL, which libcurl has parsed once. Given only the text, libcurl would parse it for
/// each transfer and put it together again, byte by byte.
///
/// The path is always `/`. The request's target decides what is requested.
@safe final class CurlURL {
    let text: String
    /// The parsed URL, or `nil` if libcurl finds the text invalid. Each transfer then fails with
    /// that error.
    let parts: OpaquePointer?

    init(_ origin: HTTPOrigin) {
        text = origin.description + "/"
        unsafe parts = text.withCString { unsafe chttp_url_make($0) }
    }

    deinit {
        if let parts = unsafe parts { unsafe chttp_url_free(parts) }
    }
}
