import HTTPCore
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Third-party test vectors, which are not part of the project: in the folder that
/// `HTTP_CONFORMANCE_DATA` names, else in `../shared/conformance` beside the checkout.
///
/// A suite that needs them has `Conformance` in its name and the trait
/// `.enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped)`.
enum ConformanceData {
    static let whySkipped: Comment =
        "no conformance data: set HTTP_CONFORMANCE_DATA, or put it into ../shared/conformance"

    static var isAvailable: Bool { folder != nil }

    static let folder: String? = {
        let named = unsafe getenv("HTTP_CONFORMANCE_DATA").map { unsafe String(cString: $0) }
        // …/Tests/HTTPCoreTests/ConformanceData.swift
        let checkout = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        let beside = checkout.dropLast().joined(separator: "/") + "/shared/conformance"
        return [named, beside].compactMap(\.self).first {
            FileManager.default.fileExists(atPath: $0)
        }
    }()

    private struct File<Case: Decodable>: Decodable {
        var cases: [Case]
    }

    /// The cases of one file, such as `"sse/parse.json"`.
    static func cases<Case: Decodable>(_ file: String, as type: Case.Type) throws -> [Case] {
        let path = try #require(folder) + "/" + file
        let octets = try Data(contentsOf: URL(filePath: path))
        return try JSONDecoder().decode(File<Case>.self, from: octets).cases
    }
}

/// What became of the cases of one suite: passed, knowingly different, or failed.
struct ConformanceReport {
    private let suite: String
    private let differences: [String: String]
    private var passed = 0
    private var different: Set<String> = []
    private var failed: [String] = []

    /// - Parameter differences: the cases that we decide otherwise, by id, with the reason and the
    ///   section of the RFC.
    init(_ suite: String, differences: [String: String] = [:]) {
        self.suite = suite
        self.differences = differences
    }

    /// Counts a case. One that is listed as different and passes all the same is a failure, so that
    /// the list stays true.
    mutating func record(_ id: String, _ isRight: Bool, _ detail: @autoclosure () -> String = "") {
        switch (isRight, differences[id]) {
        case (true, nil): passed += 1
        case (false, _?): different.insert(id)
        case (true, _?): failed.append("\(id) is listed as different but passes")
        case (false, nil): failed.append("\(id): \(detail())")
        }
    }

    /// Prints the suite's line of the table and fails the test if a case failed.
    func finish(sourceLocation: SourceLocation = #_sourceLocation) {
        let count = passed + different.count + failed.count
        print("CONFORMANCE | \(suite) | \(count) | \(passed) | \(different.count)")
        #expect(count > 0, "\(suite) has no cases", sourceLocation: sourceLocation)
        #expect(
            failed.isEmpty, "\(failed.prefix(20).joined(separator: "\n"))",
            sourceLocation: sourceLocation)
        let unknown = differences.keys.filter { !different.contains($0) }
        #expect(
            failed.isEmpty ? unknown.isEmpty : true, "no such cases: \(unknown)",
            sourceLocation: sourceLocation)
    }
}
