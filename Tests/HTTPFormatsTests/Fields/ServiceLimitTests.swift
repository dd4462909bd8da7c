import HTTPCore
import HTTPFormats
import Testing
import PortableFoundation

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

    private static let units: HTTPHeaders = [
        "x-ratelimit-limit-requests": "5000", "x-ratelimit-remaining-requests": "4999",
        "x-ratelimit-reset-requests": "12ms", "x-ratelimit-limit-tokens": "160000",
        "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0s",
    ]

    @Test func `limits of several units are read together`() {
        #expect(
            limits(Self.units) == [
                ServiceLimit(remaining: 4_999, reset: .milliseconds(12), quota: 5_000),
                ServiceLimit(
                    remaining: 0, reset: .seconds(360), quota: 160_000, unit: .other("tokens")),
            ])
        let other: HTTPHeaders = [
            "anthropic-ratelimit-requests-limit": "50",
            "anthropic-ratelimit-requests-remaining": "0",
            "anthropic-ratelimit-requests-reset": "2027-01-15T08:00:30Z",
            "anthropic-ratelimit-input-tokens-remaining": "7",
        ]
        #expect(
            limits(other) == [
                ServiceLimit(remaining: 0, reset: .seconds(30), quota: 50),
                ServiceLimit(remaining: 7, unit: .other("input-tokens")),
            ])
    }

    /// 1,800,000,000 is 2027-01-15T08:00:00Z.
    @Test(
        arguments: [
            ("6m0s", 360), ("1s", 1), ("0s", 0), ("12ms", 0.012), ("2m59.56s", 179.56),
            ("1h0m0.5s", 3_600.5), ("500µs", 0.0005), ("500us", 0.0005), ("3ns", 3e-9),
            ("1d2h", 93_600),
            ("99999999999999999999h", 1e9), ("2027-01-15T08:00:30Z", 30),
            ("2027-01-15t08:00:30z", 30),
            ("2027-01-15 08:00:30Z", 30), ("2027-01-15T08:00Z", 0), ("2027-01-15T08:01Z", 60),
            ("2027-01-15T08:01", 60), ("2027-01-15T08:00:29.25Z", 30),
            ("2027-01-15T09:00:30+01:00", 30),
            ("2027-01-15T09:00:30+0100", 30), ("2027-01-15T04:30:30-03:30", 30),
            ("2027-01-15T07:00:30-01", 30), ("2027-01-15T07:59:59Z", 0),
            ("9999-12-31T23:59:59Z", 1e9),
            ("Fri, 15 Jan 2027 08:00:30 GMT", 30), ("Friday, 15-Jan-27 08:00:30 GMT", 30),
            ("-1", nil), ("-30s", nil), ("6m0", nil), ("m", nil), ("1.2.3s", nil),
            ("2027-13-15T08:00:30Z", nil), ("2027-02-30T08:00:30Z", nil),
            ("2027-01-15T24:00:00Z", nil),
            ("2027-01-15T08:00:30.Z", nil), ("2027-01-15T08:00:30+1", nil), ("2027-01-15", nil),
            ("soon", nil), ("", nil), ("٣s", nil), ("1e3s", nil), ("infs", nil),
        ] as [(String, Double?)])
    func `a reset is a duration or a date in the forms that services write`(
        text: String, seconds: Double?
    ) {
        for prefix in [
            "X-RateLimit-", "RateLimit-", "X-Rate-Limit-", "Anthropic-RateLimit-Requests-",
        ] {
            var headers: HTTPHeaders = [:]
            headers[HTTPHeaderName(prefix + "Remaining")] = "0"
            headers[HTTPHeaderName(prefix + "Reset")] = text
            #expect(
                limits(headers) == [ServiceLimit(remaining: 0, reset: seconds.map { .seconds($0) })]
            )
        }
    }

    @Test(
        arguments: [
            ["X-RateLimit-Remaining": "-1"],
            ["X-RateLimit-Remaining": "-1", "X-RateLimit-Limit": "-1"],
            ["RateLimit-Remaining": "0", "RateLimit-Limit": "-1"],
            ["RateLimit": "limit=-1, remaining=-1, reset=0"],
            ["RateLimit": "limit=-1, remaining=0"],
            ["x-ratelimit-remaining-requests": "-1", "x-ratelimit-reset-requests": "0s"],
            // An older spelling does not speak against it.
            ["RateLimit-Remaining": "-1", "X-RateLimit-Remaining": "0"],
        ] as [HTTPHeaders])
    func `a quota of -1 is no limit`(headers: HTTPHeaders) { #expect(limits(headers).isEmpty) }

    @Test func `one unit without a limit leaves the others`() {
        var headers = Self.units
        headers["x-ratelimit-remaining-requests"] = "-1"
        #expect(limits(headers).map(\.unit) == [.other("tokens")])
    }

    @Test(
        arguments: [
            ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700000030"],
            ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700000030000"],
            ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "2023-11-14T22:13:50Z"],
            ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "Tue, 14 Nov 2023 22:13:50 GMT"],
            ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30"],
            ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30s"],
            ["RateLimit": "remaining=0, reset=1700000030"], ["RateLimit": "\"a\";r=0;t=1700000030"],
        ] as [HTTPHeaders])
    func `a date is compared with the date of the response`(fields: HTTPHeaders) {
        var headers = fields
        // Three years behind this machine's clock.
        headers[.date] = "Tue, 14 Nov 2023 22:13:20 GMT"
        #expect(limits(headers).map(\.reset) == [.seconds(30)])
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
            ["RateLimit-Remaining": "many"], ["RateLimit-Remaining": "-2"],
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
