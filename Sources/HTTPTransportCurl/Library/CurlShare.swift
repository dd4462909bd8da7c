import CHTTPTransportCurl
import HTTPCore

/// TLS sessions shared by the handles of one thread. Before 8.12, libcurl keeps sessions in the
/// easy handle, so a pool of handles would never resume one.
@safe final class CurlShare {
    let raw: OpaquePointer

    init() throws(HTTPError) {
        guard let raw = unsafe chttp_share_make() else {
            throw HTTPError(.internalFailure, "libcurl has no memory for a share")
        }
        unsafe self.raw = raw
    }

    deinit { unsafe chttp_share_free(raw) }
}
