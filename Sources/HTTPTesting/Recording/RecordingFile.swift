public import HTTPCore
public import PortableFoundation

/// The file of a ``Recording``, one per test.
public struct RecordingFile: Hashable, Sendable {
    /// The path of the file.
    public let path: String

    /// Names a file, which need not exist yet. Nothing is read.
    public init(_ path: String) { self.path = path }

    /// Names the file of a file URL. Nothing is read.
    public init(_ url: URL) throws(HTTPError) { path = try url.filePath }

    /// Creates a value for the file of the calling test: `Recordings/LoginTests/signs-in.json`
    /// beside `LoginTests.swift`.
    public init(test: String = #function, source: String = #filePath) {
        let parts = source.split(separator: "/", omittingEmptySubsequences: false)
        let suite = parts.last.map { $0.prefix { $0 != "." } } ?? ""
        let name = test.prefix { $0 != "(" }.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        path =
            parts.dropLast().joined(separator: "/")
            + "/Recordings/\(suite)/\(name.joined(separator: "-")).\(Recording.fileExtension)"
    }

    /// - Throws: `decodingFailed` if the file does not exist or does not hold a recording.
    public func read() throws(HTTPError) -> Recording {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw HTTPError(
                .decodingFailed,
                "there is no recording to read at \(path.pathForMessage): record it first",
                underlyingError: error)
        }
        return try Recording(parsing: bytes)
    }

    /// `true` if the file exists.
    package var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// Replaces the content of the file with the recording.
    ///
    /// The write is atomic: a concurrent reader gets the old content or the new one. Creates
    /// missing folders. Does not touch a file that already has the same content.
    ///
    /// - Throws: `fileNotWritten` with the system's error as the underlying error.
    public func write(_ recording: Recording) throws(HTTPError) {
        let bytes = recording.serialized()
        let url = URL(filePath: path)
        if (try? Data(contentsOf: url)) == bytes { return }
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try bytes.write(to: url, options: .atomic)
        } catch {
            throw HTTPError(
                .fileNotWritten,
                "the recording could not be written to \(path.pathForMessage)",
                underlyingError: error)
        }
    }
}

extension String {
    /// The end of the path, which says more than its beginning.
    fileprivate var pathForMessage: String { String(suffix(80)).logSafe }
}
