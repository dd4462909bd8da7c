import CHTTPTransportCurl
import HTTPCore

/// The content of a request as its transfer sends it. A transfer without content has none.
// @exclusivity(unchecked): see ``Reactor``.
final class TransferUpload {
    let form: UploadForm
    let trailers: RequestTrailers?
    /// The number of bytes that libcurl has taken.
    @safe @exclusivity(unchecked) var position = 0
    /// The open file, as long as some of it is to be sent.
    @safe @exclusivity(unchecked) var file: UploadFile?
    /// The last interests that libcurl reported for the socket, in the bits of `CHTTP_POLL_…`.
    @safe @exclusivity(unchecked) var interest = CHTTP_POLL_IN | CHTTP_POLL_OUT
    /// The pool's number of timer runs when receiving was resumed.
    @safe @exclusivity(unchecked) var resumedInRun: Int?

    /// Creates the state of an upload that has not begun, or `nil` if the request has no content.
    init?(_ request: HTTPRequest) {
        form = UploadForm(request)
        trailers = request.hasOptions ? request[RequestTrailers.self] : nil
        if case .none = form { return nil }
    }

    var awaitsInput: Bool { interest & CHTTP_POLL_IN != 0 }
    var awaitsOutput: Bool { interest & CHTTP_POLL_OUT != 0 }

    /// The exchange waits for its turn again. Nothing of it is in libcurl any more.
    func waitAgain() {
        position = 0
        file = nil
        interest = CHTTP_POLL_IN | CHTTP_POLL_OUT
        resumedInRun = nil
    }

    /// Reads the next bytes of the file, or returns `nil` if none is open.
    func readFile(into space: UnsafeMutableRawBufferPointer) -> UploadFile.Reading? {
        unsafe file?.read(into: space, at: Int64(position))
    }
}
