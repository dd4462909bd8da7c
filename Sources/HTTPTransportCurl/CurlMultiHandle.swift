import CHTTPTransportCurl
import HTTPCore

/// The only owner of one libcurl multi handle: a connection cache and the transfers over it.
///
/// Freeing it calls the socket callbacks a last time.
@safe struct CurlMultiHandle: ~Copyable {
    fileprivate(set) var raw: OpaquePointer

    /// - Parameter context: what the callbacks are given; must outlive the handle.
    init(
        context: UnsafeMutableRawPointer, socket: chttp_socket_callback, timer: chttp_timer_callback
    ) throws(HTTPError) {
        guard let raw = unsafe chttp_multi_make() else {
            throw HTTPError(.internalFailure, "libcurl has no memory for a multi handle")
        }
        unsafe self.raw = raw
        _ = unsafe chttp_multi_set_callbacks(raw, socket, timer, context)
        _ = unsafe chttp_multi_set_limits(raw, 256, 100)
    }

    deinit { _ = unsafe chttp_multi_free(raw) }

    borrowing func add(_ easy: CurlEasyHandle) -> Int32 { unsafe chttp_multi_add(raw, easy.raw) }

    borrowing func remove(_ easy: CurlEasyHandle) -> Int32 {
        unsafe chttp_multi_remove(raw, easy.raw)
    }

    borrowing func act(on descriptor: Int32, _ events: Int32) -> Int32 {
        unsafe chttp_multi_socket_action(raw, descriptor, events)
    }

    borrowing func actOnTimeout() -> Int32 { unsafe chttp_multi_timeout_action(raw) }

    /// Milliseconds until the library wants to act, or `nil`.
    borrowing func timeout() -> Int? {
        let timeout = unsafe chttp_multi_timeout(raw)
        return timeout < 0 ? nil : timeout
    }

    /// The next finished transfer with its result.
    borrowing func nextDone() -> (transfer: Transfer, result: Int32)? {
        var result: Int32 = 0
        guard let easy = unsafe chttp_multi_next_done(raw, &result),
            let transfer = unsafe CurlEasyHandle.transfer(of: easy)
        else { return nil }
        return (transfer, result)
    }

    static func errorText(_ code: Int32) -> String {
        unsafe String(cString: chttp_multi_error_text(code))
    }
}

/// TLS sessions shared by the handles of one thread: before 8.12 libcurl keeps them in the easy
/// handle, so that a pool of handles would never resume one.
@safe struct CurlShare: ~Copyable {
    fileprivate(set) var raw: OpaquePointer

    init() throws(HTTPError) {
        guard let raw = unsafe chttp_share_make() else {
            throw HTTPError(.internalFailure, "libcurl has no memory for a share")
        }
        unsafe self.raw = raw
    }

    deinit { unsafe chttp_share_free(raw) }
}
