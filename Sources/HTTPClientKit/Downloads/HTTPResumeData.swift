import HTTPCore
import HTTPFormats

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A description of an unfinished download, to pass to a later call or another process.
///
/// The part and its record are files beside the path, and only they count: with this value or
/// without it, a download to the same path continues. The value contains no query and no
/// credentials.
public struct HTTPResumeData: Codable, Hashable, Sendable {
    /// The path of the complete file; its part is beside it, as `name.part`.
    public let path: String
    /// The number of bytes of the file that were there when this value was made.
    public let bytes: Int64
    /// The length of the whole file, if the server sent it.
    public let length: Int64?
    /// The URL of the file, without user information, query and fragment.
    public let url: String

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
    }
}
