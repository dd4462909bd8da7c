import HTTPCore

/// The content of a request as its transfer sends it.
struct TransferUpload {
    let form: UploadForm
    /// The number of bytes that libcurl has taken.
    var position = 0
    /// The open file, as long as some of it is to be sent.
    var file: UploadFile?
    let trailers: RequestTrailers?

    /// Creates the state of an upload that has not begun, or `nil` if the request has no content.
    init?(_ request: HTTPRequest) {
        form = UploadForm(request)
        if case .none = form { return nil }
        trailers = request.hasOptions ? request[RequestTrailers.self] : nil
    }

    /// Reads the next bytes of the file, or returns `nil` if none is open.
    mutating func readFile(into space: UnsafeMutableRawBufferPointer) -> UploadFile.Reading? {
        unsafe file?.read(into: space, at: Int64(position))
    }
}
