import HTTPCore
import HTTPFormats
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct ServiceLimitTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func limits(_ headers: HTTPHeaders) -> [ServiceLimit] {
        headers.serviceLimits(now: now)
    }

    @Test func `the list of the draft is joined with its policies`() {
        let limits = limits([
            "RateLimit-Policy": #""burst";q=100;w=60,"daily";q=1000;w=86400;qu="content-bytes""#,
            "RateLimit": #""burst";r=50;t=30, "daily";r=0"#,
        ])
        #expect(
            limits == [
                ServiceLimit(
                    policy: "burst", remaining: 50, reset: .seconds(30), quota: 100,
                    window: .seconds(60)),
                ServiceLimit(
                    policy: "daily", remaining: 0, quota: 1000, window: .seconds(86_400),
                    unit: .contentBytes),
            ])
    }

    @Test func `a list needs no policies, and members without a remainder are left out`() {
        let limits = limits(["RateLimit": #""a";r=1;t=2;pk=:cHJpdmF0ZQ==:, "b";t=3, c;r=4, 5;r=6"#])
        #expect(
            limits == [
                ServiceLimit(policy: "a", remaining: 1, reset: .seconds(2)),
                ServiceLimit(policy: "c", remaining: 4),
            ])
    }

    @Test(
        arguments: [
            (["RateLimit": "limit=100, remaining=50, reset=5"], 50, 5, 100),
            (
                [
                    "RateLimit-Limit": "10, 10;w=1", "RateLimit-Remaining": "9",
                    "RateLimit-Reset": "4",
                ],
                9, 4, 10
            ),
            (
                [
                    "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "3",
                    "X-RateLimit-Reset": "1800000030",
                ], 3, 30, 60
            ),
            (
                [
                    "x-rate-limit-limit": "60", "x-rate-limit-remaining": "0",
                    "x-rate-limit-reset": "1800000030500",
                ], 0, 30.5, 60
            ),
            (
                [
                    "X-RateLimit-Limit": "5", "X-RateLimit-Remaining": "0",
                    "X-RateLimit-Reset": "1800000001",
                    "X-RateLimit-Reset-After": "0.25",
                ], 0, 0.25, 5
            ),
            (
                [
                    "X-RateLimit-Limit": "5", "X-RateLimit-Remaining": "0",
                    "X-RateLimit-Reset": "1700000000",
                ],
                0, 0, 5
            ),
        ] as [(HTTPHeaders, Int, Double, Int)])
    func `earlier spellings are read`(
        headers: HTTPHeaders, remaining: Int, reset: Double, quota: Int
    ) {
        #expect(
            limits(headers) == [
                ServiceLimit(remaining: remaining, reset: .seconds(reset), quota: quota)
            ])
    }

    @Test(
        arguments: [
            ("30", 30), ("999999999", 999_999_999), ("1800000030", 30), ("1800000030.5", 30.5),
            ("1800000030500", 30.5), ("1800000030500000", 30.5), ("1800000030500000000", 30.5),
            ("1799999999", 0), ("1799999999999", 0), ("99999999999", 1e9), ("100000000000", 0),
        ] as [(String, Double)])
    func `a reset is a time or a date in any unit`(text: String, seconds: Double) {
        for headers in [
            ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": text],
            ["RateLimit-Remaining": "0", "RateLimit-Reset": text],
            ["RateLimit": "remaining=0, reset=\(text)"], ["RateLimit": "\"a\";r=0;t=\(text)"],
        ] as [HTTPHeaders] {
            // A structured field has at most fifteen digits, and twelve before a point.
            guard
                headers.contains("RateLimit-Remaining") || headers.contains("X-RateLimit-Remaining")
                    || text.count <= 15
            else { continue }
            #expect(limits(headers).first?.reset == .seconds(seconds), "\(headers)")
        }
    }

    @Test func `the newest spelling counts`() {
        let limits = limits([
            "X-RateLimit-Remaining": "1", "RateLimit-Remaining": "2", "RateLimit": #""a";r=3"#,
        ])
        #expect(limits.map(\.remaining) == [3])
    }

    @Test(
        arguments: [
            ["RateLimit": #""a";r=-1"#], ["RateLimit": "a;;"], ["RateLimit": #""a";r="5""#],
            ["RateLimit-Remaining": "many"], ["RateLimit-Remaining": "-1"],
            ["RateLimit-Remaining": ""],
            ["X-RateLimit-Remaining": "nan"], ["X-RateLimit-Reset": "5"],
            ["X-RateLimit-Remaining": "."],
            [:],
        ] as [HTTPHeaders])
    func `fields that are malformed or say nothing are left out`(headers: HTTPHeaders) {
        #expect(limits(headers).isEmpty)
    }

    @Test func `numbers of any size are kept within bounds`() {
        let huge = String(repeating: "9", count: 400)
        let limits = limits([
            "X-RateLimit-Remaining": huge, "X-RateLimit-Limit": huge,
            "X-RateLimit-Reset": huge,
        ])
        #expect(limits.first?.remaining == 1_000_000_000_000_000)
        #expect(limits.first?.reset == .seconds(1e9))
    }
}
