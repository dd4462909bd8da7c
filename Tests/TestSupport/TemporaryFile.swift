import HTTPCore
import PortableFoundation
import PortableLibc

/// A file that exists as long as this object.
package final class TemporaryFile: Sendable {
    package let path: String

    package init(_ text: String, named suffix: String = "") throws {
        let folder = FileManager.default.temporaryDirectory.path
        path = "\(folder)/http-core-tests-\(UUID().uuidString)\(suffix)"
        try write(text)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Returns one file per text, which exists as long as the process. For tables, whose rows are
    /// created again each time.
    package static func shared(_ text: String) throws -> TemporaryFile {
        _ = removal
        return try files.withLock { files in
            if let file = files[text] { return file }
            let file = try TemporaryFile(text)
            files[text] = file
            return file
        }
    }

    private static let files = Locked([String: TemporaryFile]())
    private static let removal: Int32 = atexit { files.withLock { $0.removeAll() } }

    package func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }
    package func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    package func openForWriting() throws -> Int32 {
        let descriptor = unsafe open(path, O_RDWR)
        guard descriptor >= 0 else { throw SystemError(errno) }
        return descriptor
    }

    package func close(_ descriptor: Int32) { _ = closeDescriptor(descriptor) }
}

private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }
