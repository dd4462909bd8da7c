import HTTPCore
import HTTPFormats
public import PortableFoundation

/// A description of an unfinished download, to pass to a later call or another process.
///
/// The part and its record are files beside the path, and only they count: with this value or
/// without it, a download to the same path continues. The value contains no query and no
/// credentials, only a hash of the URL.
public struct HTTPResumeData: Codable, Hashable, Sendable {
    /// The path of the complete file; its part is beside it, as `name.part`.
    public let path: String
    /// The number of bytes of the file, before decoding, that were there when this value was made.
    public let bytes: Int64
    /// The length of the whole file, if the server sent it.
    public let length: Int64?
    /// The URL of the file, without user information, query and fragment.
    public let url: String
    /// A hash of the whole URL; `nil` in a value that is older than this property.
    private let fingerprint: String?

    /// Creates a description of the unfinished download to `path`, or `nil` if there is nothing to
    /// continue.
    public init?(downloadTo path: String) {
        let names = PartialFile.Names(path)
        guard !path.utf8.contains(0), let record = names.readRecord(), let size = names.partSize
        else { return nil }
        let bytes = record.trustedBytes(of: size)
        guard bytes > 0 else { return nil }
        (self.path, self.bytes) = (path, bytes)
        (self.length, self.url) = (record.length, record.url)
        fingerprint = record.fingerprint
    }

    /// Creates a description of the unfinished download to a file URL, or `nil` if there is nothing
    /// to continue.
    public init?(downloadTo file: URL) {
        guard let path = try? file.filePath else { return nil }
        self.init(downloadTo: path)
    }

    /// - Parameter session: The session of the download, to which the URL may be relative.
    /// - Throws: `invalidRequest` if `request` is for another file.
    func check(_ request: HTTPRequest, over session: any HTTPSession) throws(HTTPError) {
        if let begun = try? session.begun(request), (try? check(begun)) != nil { return }
        try check(request)
    }

    private func check(_ request: HTTPRequest) throws(HTTPError) {
        let asked = request.url.logSafe
        let isSame = fingerprint.map { $0 == PartRecord.fingerprint(request) } ?? (url == asked)
        guard request.method == .get, isSame else {
            let difference = url == asked ? " with another query or user" : ""
            throw HTTPError(
                .invalidRequest,
                "the resume data is of GET \(url), not of \(request.method) \(asked)\(difference): "
                    + "resume with the request that began the download, or download to a path")
        }
    }
}
