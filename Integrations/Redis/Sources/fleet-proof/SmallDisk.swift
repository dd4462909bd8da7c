import Foundation

/// A file system of one megabyte, in memory.
final class SmallDisk {
    let path: String

    /// Mounts the file system; `nil` if this process may not.
    init?() {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("disk-\(UUID().uuidString.prefix(8))").path
        let hasFolder: Void? = try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        guard hasFolder != nil, Self.run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", path)
        else {
            try? FileManager.default.removeItem(atPath: path)
            return nil
        }
    }

    deinit {
        _ = Self.run("umount", "-l", path)
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Fills what is free.
    func fill() throws {
        _ = FileManager.default.createFile(atPath: "\(path)/ballast", contents: nil)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(path)/ballast"))
        while (try? file.write(contentsOf: Data(count: 1024))) != nil {}
        try file.close()
    }

    /// Makes room again.
    func clear() { try? FileManager.default.removeItem(atPath: "\(path)/ballast") }

    private static func run(_ words: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
