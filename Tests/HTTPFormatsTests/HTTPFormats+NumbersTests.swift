import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// Reads fields with numbers at the edges of their types. A trap would end the tests.
@Suite(.timeLimit(.minutes(5))) struct HTTPFormatsNumbersTests {
    private static let numbers = [
        "-9223372036854775809", "-9223372036854775808", "-1", "-0", "0", "1", "0.001", "2147483648",
        "9223372036854775807", "9223372036854775808", "18446744073709551616", "999999999999999",
        "1000000000000000", "999999999999.999", "1e400", "nan", "inf", "", ".",
        String(repeating: "9", count: 400),
    ]

    /// Ways in which a field holds numbers, with `#` for one.
    private static let fields: [(String, String)] = [
        ("Age", "#"), ("Retry-After", "#"), ("Content-Length", "#"),
        ("Cache-Control", "max-age=#, s-maxage=#, max-stale=#, min-fresh=#"),
        ("Cache-Control", "stale-while-revalidate=#, stale-if-error=\"#\""),
        ("Content-Range", "bytes #-#/#"), ("Content-Range", "bytes 0-#/*"),
        ("Content-Range", "bytes */#"), ("Range", "bytes=#-#"), ("Range", "bytes=#-, -#"),
        ("Accept", "a/b;q=#"), ("Accept-Encoding", "gzip;q=#"), ("Priority", "u=#, i"),
        ("Server-Timing", "a;dur=#"), ("Strict-Transport-Security", "max-age=#"),
        ("RateLimit", "\"a\";r=#;t=#"), ("RateLimit", "remaining=#, reset=#, limit=#"),
        ("RateLimit-Policy", "\"a\";q=#;w=#"), ("X-RateLimit-Remaining", "#"),
        ("X-RateLimit-Reset", "#"), ("RateLimit-Reset-After", "#"), ("Last-Modified", "#"),
        ("Expires", "Thu, 01 Jan # 00:00:00 GMT"), ("Date", "Thursday, 01-Jan-# 00:00:00 GMT"),
        ("Alt-Svc", "h3=\":#\"; ma=#"), ("Content-Digest", "sha-256=#"),
        ("Want-Content-Digest", "sha-256=#, sha-512=#"), ("Deprecation", "@#"),
        ("Link", "</>; rel=next; count=#"), ("Content-Disposition", "attachment; size=#"),
    ]

    private static func read(_ headers: HTTPHeaders) {
        let now = HTTPTestClock.standardDate
        _ = headers[.age]?.deltaSeconds
        _ = headers.retryAfter(now: now)?.delay(from: now)
        _ = headers.serviceLimits(now: now)
        _ = headers.contentRange
        _ = headers.range
        _ = headers.accept
        _ = headers[combined: .acceptEncoding].map { AcceptEncoding($0) }
        _ = headers.contentLength
        _ = headers.links
        _ = headers.wantContentDigest
        _ = headers.contentDigest
        _ = headers.contentDisposition
        _ = headers.date(of: .expires, now: now)
        _ = headers.date(of: .date, now: now)
        _ = headers.date(of: .lastModified, now: now)
        _ = headers[.altSvc].map { AlternativeServices($0) }
        if let text = headers[.cacheControl] {
            let control = CacheControl(text)
            _ = [
                control.maxAge, control.maxStale, control.minFresh,
                control.staleIfError, control.staleWhileRevalidate,
            ]
        }
        if let text = headers[.range], let range = HTTPRange(text) {
            for length in [-1, 0, 1, Int.max] {
                for part in range.parts { _ = part.resolved(inLength: length) }
            }
        }
        for field in headers {
            _ = try? StructuredField.Dictionary(parsing: field.value)
            _ = try? StructuredField.List(parsing: field.value)
            _ = try? StructuredField.Item(parsing: field.value)
        }
    }

    @Test(arguments: fields)
    func `a number in a field is read, limited, or ignored`(name: String, pattern: String) {
        for first in Self.numbers {
            for second in Self.numbers {
                var number = 0
                let text = pattern.map { character in
                    guard character == "#" else { return String(character) }
                    number += 1
                    return number % 2 == 1 ? first : second
                }.joined()
                var headers: HTTPHeaders = [
                    "X-RateLimit-Remaining": first, "RateLimit-Remaining": "0",
                ]
                headers[HTTPHeaderName(name)] = text
                Self.read(headers)
                headers["RateLimit-Remaining"] = nil
                Self.read(headers)
            }
        }
    }

    @Test func `a date of any number is written, and read`() {
        for interval in Extremes.factors + [1e10, -1e10, 1e15, 9.3e18] {
            let date = HTTPDate(Date(timeIntervalSince1970: interval))
            #expect(HTTPDate(date.description, now: date.date) == date)
            Self.read(["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "\(interval)"])
        }
    }

    @Test(arguments: Extremes.durations)
    func `a service limit may last for any time`(duration: Duration) {
        for count in Extremes.counts {
            let limit = ServiceLimit(
                remaining: count, reset: duration, quota: count, window: duration)
            #expect(limit.remaining >= 0)
        }
    }
}
