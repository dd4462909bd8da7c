import PortableFoundation
import HTTPCore

/// The form in which libcurl gets a request's body.
enum UploadForm {
    case none
    /// Sent with the head, in one packet. libcurl keeps a copy.
    case fields(Data)
    case bytes(Data)
    case file(HTTPBodyFile)
    case stream

    init(_ request: HTTPRequest) {
        // Trailers follow chunks, and a stream is sent in chunks.
        guard request[RequestTrailers.self] == nil else {
            self = .stream
            return
        }
        // A stream that is declared empty was checked before it was submitted.
        guard let bytes = request.body.isEmpty ? Data() : request.body.bytes else {
            self = if let file = request.body.file { .file(file) } else { .stream }
            return
        }
        switch (bytes.count, request.method) {
        case (0, let method) where method.expectsContent: self = .fields(bytes)
        case (0, _): self = .none
        // If the server is asked first, it matters whether the body has been sent.
        case (...(64 << 10), _) where request[ExpectContinue.self] == nil: self = .fields(bytes)
        default: self = .bytes(bytes)
        }
    }
}

extension UploadForm {
    /// `true` if something follows the head.
    var hasContent: Bool {
        switch self {
        case .none: false
        case .fields(let bytes): !bytes.isEmpty
        case .bytes, .file, .stream: true
        }
    }

    /// `true` if libcurl takes the body from the read callback.
    var isUpload: Bool {
        switch self {
        case .none, .fields: false
        case .bytes, .file, .stream: true
        }
    }
}
