package import Testing
package import PortableFoundation
import PortableLibc

/// Third-party test vectors, which are not part of the project. They are in the folder that
/// `HTTP_CONFORMANCE_DATA` names, else in `../shared/conformance` beside the checkout.
///
/// A suite that needs them has `Conformance` in its name and the trait
/// `.enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped)`. Any folder of the same
/// format gives a verdict, even with fewer cases, other cases or another order.
package enum ConformanceData {
    package static let whySkipped: Comment =
        "no conformance data: set HTTP_CONFORMANCE_DATA, or put it into ../shared/conformance"

    package static var isAvailable: Bool { folder != nil }

    package static let folder: String? = {
        let named = unsafe getenv("HTTP_CONFORMANCE_DATA").map { unsafe String(cString: $0) }
        // …/Tests/ConformanceVectors/ConformanceData.swift
        let checkout = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        let beside = checkout.dropLast().joined(separator: "/") + "/shared/conformance"
        return [named, beside].compactMap(\.self).first {
            FileManager.default.fileExists(atPath: $0)
        }
    }()

    /// Returns the names of a suite's files without their extension, in order.
    package static func files(of suite: String) -> [String] {
        let names = folder.flatMap {
            try? FileManager.default.contentsOfDirectory(atPath: "\($0)/\(suite)")
        }
        return (names ?? []).filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
            .sorted()
    }

    private struct File<Case: Decodable>: Decodable {
        var cases: [Case]
    }

    /// Returns the bytes of one file, such as `"sse/parse.json"`.
    package static func bytes(_ file: String) throws -> Data {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        return try Data(contentsOf: URL(filePath: "\(folder)/\(file)"))
    }

    /// Returns the cases of one file, such as `"sse/parse.json"`.
    package static func cases<Case: Decodable>(
        _ file: String, as type: Case.Type
    ) throws -> [Case] {
        try JSONDecoder().decode(File<Case>.self, from: bytes(file)).cases
    }
}
