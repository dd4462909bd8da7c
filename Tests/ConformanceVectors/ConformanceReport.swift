import Testing

/// The verdict on one suite: its cases that passed, differ on purpose, or failed.
///
/// The list of differences belongs to the tests. The cases come from a folder that may hold more or
/// fewer of them, so a listed case that the folder lacks neither passes nor fails.
package struct ConformanceReport {
    private let suite: String
    private let differences: [String: String]
    package private(set) var passed = 0
    package private(set) var different = 0
    package private(set) var failures: [String] = []

    /// - Parameter differences: the cases that differ on purpose, by id, with the reason and the
    ///   section of the RFC.
    package init(_ suite: String, differences: [String: String] = [:]) {
        self.suite = suite
        self.differences = differences
    }

    /// Counts a case. A case that is listed as different but passes is a failure, so that the list
    /// stays true.
    package mutating func record(
        _ id: String, _ isRight: Bool, _ detail: @autoclosure () -> String = ""
    ) {
        record(id, isRight, reasonToDiffer: differences[id], detail())
    }

    /// Counts a case whose difference follows from a rule, not from its id.
    package mutating func record(
        _ id: String, _ isRight: Bool, reasonToDiffer: String?,
        _ detail: @autoclosure () -> String = ""
    ) {
        switch (isRight, reasonToDiffer) {
        case (true, nil): passed += 1
        case (false, _?): different += 1
        case (true, let reason?):
            failures.append("\(id) is listed as different (\(reason)) but passes")
        case (false, nil): failures.append("\(id): \(detail())")
        }
    }

    /// Counts a case by a closure. If the closure throws, the case is not right, and other cases
    /// are still counted.
    package mutating func record(_ id: String, _ isRight: () async throws -> Bool) async {
        do {
            record(id, try await isRight())
        } catch {
            record(id, false, "\(error)")
        }
    }

    /// The suite's line of the table, with the numbers of all, passed and different cases.
    package var line: String {
        "CONFORMANCE | \(suite) | \(passed + different + failures.count) | \(passed) | \(different)"
    }

    /// Prints the suite's line and fails the test if a case failed.
    package func finish(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) {
        print(self.line)
        guard !failures.isEmpty else { return }
        Issue.record(
            "\(suite): \(failures.prefix(20).joined(separator: "\n"))",
            sourceLocation: SourceLocation(
                fileID: fileID, filePath: filePath, line: line, column: column))
    }
}
