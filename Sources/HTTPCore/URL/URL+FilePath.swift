#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension URL {
    /// The path of a file URL, for the system. Every parameter that takes a file takes a path or
    /// such a URL.
    ///
    /// - Throws: `invalidRequest` for a URL with another scheme, and for a path that no file can
    ///   have.
    package var filePath: String {
        get throws(HTTPError) {
            let path = absoluteURL.path(percentEncoded: false)
            guard isFileURL, !path.isEmpty, !path.utf8.contains(0) else {
                throw HTTPError(
                    .invalidRequest, "a file needs a file: URL or a path", phase: .preparing)
            }
            return path
        }
    }
}
