import PortableFoundation

/// A folder for the files of one test.
package final class DownloadFolder: Sendable {
    package let path: String

    package init() throws {
        path = FileManager.default.temporaryDirectory.path + "/downloads-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func file(_ name: String = "file") -> String { "\(path)/\(name)" }

    /// The names in the folder, sorted.
    package var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    package func bytes(of name: String = "file") throws -> [UInt8] {
        // FoundationEssentials leaks the buffer of an empty file.
        let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
        if attributes[.size] as? Int == 0 { return [] }
        return Array(try Data(contentsOf: URL(filePath: file(name))))
    }

    /// Writes a file that only this user may use, whatever the umask is.
    package func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
        try Data(bytes).write(to: URL(filePath: file(name)))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: file(name))
    }
}
