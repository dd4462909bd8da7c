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
    case octets(Data)
    case file(HTTPBodyFile)
    case stream

    init(_ request: HTTPRequest) {
        // Trailers follow chunks, which a stream is sent in.
        guard request[RequestTrailers.self] == nil else {
            self = .stream
            return
        }
        // A stream declared empty was looked into before it was submitted.
        guard let octets = request.body.isEmpty ? Data() : request.body.octets else {
            self = if let file = request.body.file { .file(file) } else { .stream }
            return
        }
        switch (octets.count, request.method) {
        case (0, let method) where method.expectsContent: self = .fields(octets)
        case (0, _): self = .none
        // Where the server is asked first, it matters whether the body has left.
        case (...(64 << 10), _) where request[ExpectContinue.self] == nil: self = .fields(octets)
        default: self = .octets(octets)
        }
    }
}

extension UploadForm {
    /// Whether the body comes through the read callback.
    var isUpload: Bool {
        switch self {
        case .none, .fields: false
        case .octets, .file, .stream: true
        }
    }
}
