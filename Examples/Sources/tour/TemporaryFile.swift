#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A file that is removed with this object.
final class TemporaryFile {
    let path: String

    init(_ content: Data) throws {
        let file = FileManager.default.temporaryDirectory.appending(
            path: "tour-\(UUID().uuidString)", directoryHint: .notDirectory)
        self.path = file.path
        try content.write(to: file)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
