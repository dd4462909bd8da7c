public import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Where a ``Recording`` lies on disk, one file per test.
public struct RecordingFile: Hashable, Sendable {
    public let path: String

    public init(_ path: String) { self.path = path }

    /// The file of the test that calls this: `Recordings/LoginTests/signs-in.json` beside
    /// `LoginTests.swift`.
    public init(test: String = #function, source: String = #filePath) {
        let parts = source.split(separator: "/", omittingEmptySubsequences: false)
        let suite = parts.last.map { $0.prefix { $0 != "." } } ?? ""
        let name = test.prefix { $0 != "(" }.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        path =
            parts.dropLast().joined(separator: "/")
            + "/Recordings/\(suite)/\(name.joined(separator: "-")).json"
    }

    /// - Throws: `recordingUnreadable` when there is no such file, or it holds no recording.
    public func read() throws(HTTPError) -> Recording {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw HTTPError(
                .recordingUnreadable,
                "there is no recording to read at \(path.pathForMessage): record it first",
                underlyingError: error)
        }
        return try Recording(parsing: bytes)
    }

    /// Whether there is a file to read.
    public var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// Puts the recording in place of what the file held, all of it at once: whoever reads meanwhile
    /// gets the one or the other. Makes the folders that are missing. A file that holds the same
    /// already is not touched.
    ///
    /// - Throws: `recordingNotWritten` with the system's error inside.
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
                .recordingNotWritten,
                "the recording could not be written to \(path.pathForMessage)",
                underlyingError: error)
        }
    }
}

extension String {
    /// A path is the test's own; its end says more than its beginning.
    fileprivate var pathForMessage: String { String(suffix(80)).logSafe }
}
