import ConformanceVectors
import Testing

/// Tests of the verdict on a suite, for complete and incomplete folders.
@Suite struct ConformanceReportTests {
    @Test(arguments: [
        (false, true, "x | 1 | 1 | 0", []), (true, false, "x | 1 | 0 | 1", []),
        (false, false, "x | 1 | 0 | 0", ["1: detail"]),
        (true, true, "x | 1 | 0 | 0", ["1 is listed as different (reason) but passes"]),
    ])
    func `a case passes, differs, fails, or is listed and passes all the same`(
        isListed: Bool, isRight: Bool, line: String, failures: [String]
    ) {
        var report = ConformanceReport("x", differences: isListed ? ["1": "reason"] : [:])
        report.record("1", isRight, "detail")
        #expect(report.line == "CONFORMANCE | \(line)")
        #expect(report.failures == failures)
    }

    @Test func `a listed case that the folder lacks is neither passed nor failed`() {
        var report = ConformanceReport("x", differences: ["1": "reason", "2": "reason"])
        #expect(report.line == "CONFORMANCE | x | 0 | 0 | 0" && report.failures.isEmpty)
        report.record("2", false)
        report.record("3", true)
        #expect(report.line == "CONFORMANCE | x | 2 | 1 | 1" && report.failures.isEmpty)
    }

    @Test func `a case that cannot be judged fails, and the others are counted`() async {
        struct Odd: Error {}
        var report = ConformanceReport("x")
        await report.record("1") { throw Odd() }
        await report.record("2") { true }
        #expect(report.line == "CONFORMANCE | x | 2 | 1 | 0")
        #expect(report.failures == ["1: Odd()"])
    }
}
