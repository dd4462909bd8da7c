#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import HTTPCore

/// How libcurl is given a request's body.
enum UploadForm {
    case none
    /// With the head, in one packet; libcurl keeps a copy.
    case fields(Data)
    case bytes(Data)
    case file(HTTPBodyFile)
    case stream

    init(_ request: HTTPRequest) {
        // Trailers follow chunks, which a stream is sent in.
        guard request[RequestTrailers.self] == nil else {
            self = .stream
            return
        }
        // A stream declared empty was looked into before it was submitted.
        guard let bytes = request.body.isEmpty ? Data() : request.body.bytes else {
            self = if let file = request.body.file { .file(file) } else { .stream }
            return
        }
        switch (bytes.count, request.method) {
        case (0, let method) where method.expectsContent: self = .fields(bytes)
        case (0, _): self = .none
        // Where the server is asked first, it matters whether the body has left.
        case (...(64 << 10), _) where request[ExpectContinue.self] == nil: self = .fields(bytes)
        default: self = .bytes(bytes)
        }
    }
}

extension UploadForm {
    /// Whether the body comes through the read callback.
    var isUpload: Bool {
        switch self {
        case .none, .fields: false
        case .bytes, .file, .stream: true
        }
    }
}
