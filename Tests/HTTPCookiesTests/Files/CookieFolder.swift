import HTTPCore
import Testing
@testable import HTTPCookies
import PortableFoundation
import PortableLibc

/// A folder with a cookie file, which exists as long as this object.
final class CookieFolder: Sendable {
    let folder: String
    var path: String { folder + "/cookies.txt" }

    init(_ text: String? = nil) throws {
        let parent = FileManager.default.temporaryDirectory.path
        folder = "\(parent)/http-cookies-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        if let text { try write(text) }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

    /// The text of the file, or `nil` if there is none.
    var text: String? { Self.text(of: path) }

    /// Returns the text of a file, or `nil` if there is none.
    static func text(of path: String) -> String? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
            return nil
        }
        // FoundationEssentials leaks the buffer of an empty file.
        if attributes[.size] as? Int == 0 { return "" }
        return try? String(contentsOfFile: path, encoding: .utf8)
    }

    /// The lines of the file that are cookies.
    var lines: [String] {
        (text ?? "").split(separator: "\n").map(String.init).filter {
            !$0.hasPrefix("#") || $0.hasPrefix("#HttpOnly_")
        }
    }

    func mode(of name: String = "cookies.txt") -> Int {
        var status = stat()
        guard unsafe stat("\(folder)/\(name)", &status) == 0 else { return -1 }
        return Int(status.st_mode & 0o7777)
    }

    func change(mode: Int, of name: String = "cookies.txt") throws {
        try #require(unsafe chmod("\(folder)/\(name)", mode_t(mode)) == 0)
    }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }
}
