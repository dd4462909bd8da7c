package import PortableFoundation

extension URL {
    /// The path of a file URL, for the system. Every parameter that takes a file takes a path or
    /// such a URL.
    ///
    /// - Throws: `invalidRequest` for a URL with another scheme, the host of another machine, a
    ///   query or a fragment, and for a path that no file can have.
    package var filePath: String {
        get throws(HTTPError) {
            let url = absoluteURL
            let (path, host) = (url.path(percentEncoded: false), url.host() ?? "")
            guard isFileURL, host.isEmpty || host == "localhost", url.query() == nil,
                url.fragment() == nil, !path.isEmpty, !path.utf8.contains(0)
            else {
                throw HTTPError(
                    .invalidRequest,
                    "a file needs a path, or a file: URL of this machine that is nothing more",
                    phase: .preparing)
            }
            return path
        }
    }
}
