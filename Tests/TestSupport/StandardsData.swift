package import Testing
package import PortableFoundation
import PortableLibc

/// The files of standards from which scripts generate tables. They are not part of the project:
/// they are in the folder that `HTTP_STANDARDS_DATA` names, else in `../shared/data` beside the
/// checkout.
package enum StandardsData {
    package static let whySkipped: Comment =
        "no data of standards: set HTTP_STANDARDS_DATA, or put it into ../shared/data"

    package static var isAvailable: Bool { folder != nil }

    package static let folder: String? = {
        let named = unsafe getenv("HTTP_STANDARDS_DATA").map { unsafe String(cString: $0) }
        // …/Tests/HTTPCoreTests/StandardsData.swift
        let checkout = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        let beside = checkout.dropLast().joined(separator: "/") + "/shared/data"
        return [named, beside].compactMap(\.self).first {
            FileManager.default.fileExists(atPath: $0)
        }
    }()

    /// Returns one file, such as `"charset/indexes.json"`.
    package static func file(_ path: String) throws -> Data {
        try Data(contentsOf: URL(filePath: #require(folder) + "/" + path))
    }
}
