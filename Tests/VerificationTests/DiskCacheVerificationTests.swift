import HTTPCore
import TestSupport
import Testing
import PortableFoundation

/// Disk stores in processes of their own, which can be killed and whose memory can be counted.
@Suite struct DiskCacheVerificationTests {
    private static let isSanitized =
        ProcessInfo.processInfo.environment["HTTP_TEST_SANITIZER"] != nil

    @Test func `a process that is killed at any moment leaves whole responses`() async throws {
        let folder = try DownloadFolder()
        var random = SeededRandom(1)
        var stored = 0
        for round in 0..<(Self.isSanitized ? 2 : TestCounts.scaled(100)) {
            let children = try (0..<2).map { number in
                try ChildProcess(
                    "cache-probe", ["store", folder.file("cache"), "\(round * 2 + number)"])
            }
            for child in children { _ = try await child.value(of: "storing") }
            // The moment of the kill is the subject of the test, so it is random.
            try await Task.sleep(for: .microseconds(random.next() % 20_000))
            for child in children { #expect(try await child.cutDown()) }
            let results = try await ChildProcess("cache-probe", ["verify", folder.file("cache")])
                .results(within: .seconds(60))
            #expect(results["result"] == "whole")
            #expect(results["wrong"] == "0")
            #expect(results["incomplete"] == "0")
            stored += results["responses"].flatMap { Int($0) } ?? 0
        }
        #expect(stored > 0)
    }

    // A sanitizer has memory of its own, and makes checksums slow.
    @Test(.enabled(if: !isSanitized, "a sanitizer takes memory, too"))
    func `storing and reading a long body takes little memory`() async throws {
        let folder = try DownloadFolder()
        let pieces = TestCounts.isFull ? 1 << 14 : 1 << 10
        let results = try await ChildProcess(
            "cache-probe", ["large", folder.file("cache"), "\(pieces)"]
        )
        .results(within: .seconds(300))
        #expect(results["pieces"] == "\(pieces)")
        let peak = try #require(results["peak_resident_kib"].flatMap { Int($0) })
        #expect(peak < 40 << 10)
    }
}
