/// The tests that the cache is known to fail. No other place names a test.
enum CacheTestMisses {
    /// The reasons by the ids of the tests: the section of the RFC that allows it, or the rule of
    /// ours that forbids to pass.
    static let reasons: [String: String] = Dictionary(
        uniqueKeysWithValues: groups.flatMap { reason, ids in ids.map { ($0, reason) } })

    private static let groups: [(reason: String, ids: [String])] = [
        (
            "this cache is a private one: `s-maxage`, `private` and the rules on `Authorization` "
                + "are for shared caches (RFC 9111 §3.5, §5.2.2)",
            [
                "freshness-s-maxage-shared",
                "freshness-max-age-s-maxage-shared-longer",
                "freshness-max-age-s-maxage-shared-longer-reversed",
                "freshness-max-age-s-maxage-shared-longer-multiple",
                "freshness-max-age-s-maxage-shared-shorter",
                "freshness-max-age-s-maxage-shared-shorter-expires",
                "cc-resp-private-shared",
                "stale-close-proxy-revalidate",
                "stale-close-s-maxage=2",
            ]
        ),
        (
            "`CDN-Cache-Control` is for the caches of a CDN (RFC 9213)",
            [
                "cdn-max-age",
                "cdn-max-age-max",
                "cdn-max-age-max-plus",
                "cdn-max-age-extension",
                "cdn-max-age-case-insensitive",
                "cdn-max-age-expires",
                "cdn-max-age-cc-max-age-invalid-expires",
                "cdn-max-age-0-expires",
                "cdn-max-age-short-cc-max-age",
                "cdn-max-age-long-cc-max-age",
                "cdn-private",
                "cdn-no-cache",
                "cdn-no-store-cc-fresh",
                "cdn-fresh-cc-nostore",
                "cdn-remove-age-exceed",
                "cdn-expires-update-exceed",
            ]
        ),
        (
            "a request with credentials has a partition of its own, so that no user gets "
                + "another's response",
            [
                "other-authorization-public",
                "other-authorization-must-revalidate",
                "other-authorization-smaxage",
                "other-cookie",
            ]
        ),
        (
            "a program with preconditions of its own holds a copy and wants the origin's word: "
                + "such requests pass by",
            [
                "conditional-lm-fresh",
                "conditional-lm-fresh-earlier",
                "conditional-lm-fresh-no-lm",
                "conditional-lm-fresh-rfc850",
                "conditional-etag-strong-respond",
                "conditional-304-etag",
                "conditional-etag-precedence",
                "conditional-etag-strong-respond-obs-text",
                "conditional-etag-quoted-respond-unquoted",
                "conditional-etag-unquoted-respond-unquoted",
                "conditional-etag-unquoted-respond-quoted",
                "conditional-etag-weak-respond",
                "conditional-etag-weak-respond-lowercase",
                "conditional-etag-weak-respond-backslash",
                "conditional-etag-weak-respond-omit-slash",
                "conditional-etag-strong-respond-multiple-first",
                "conditional-etag-strong-respond-multiple-second",
                "conditional-etag-strong-respond-multiple-last",
            ]
        ),
        (
            "an age that is not a number means that the response is stale (RFC 9111 §4.2.1)",
            [
                "freshness-max-age-decimal-zero",
                "freshness-max-age-decimal-five",
                "freshness-max-age-a100",
                "freshness-max-age-100a",
            ]
        ),
        (
            "the first of two `max-age` counts (RFC 9111 §4.2.1)",
            [
                "freshness-max-age-two-stale-fresh-sameline",
                "freshness-max-age-two-stale-fresh-sepline",
            ]
        ),
        (
            "an invalid `Age` is ignored (RFC 9111 §5.1)",
            [
                "age-parse-parameter",
                "age-parse-numeric-parameter",
            ]
        ),
        (
            "dates are case-sensitive, and an invalid one means that the response is stale (RFC "
                + "9110 §5.6.7, RFC 9111 §5.3)",
            [
                "freshness-expires-wrong-case-weekday",
                "freshness-expires-wrong-case-month",
                "freshness-expires-wrong-case-tz",
            ]
        ),
        (
            "`no-cache` with field names counts as `no-cache`, which the standard allows (RFC "
                + "9111 §5.2.2.4)",
            [
                "headers-omit-headers-listed-in-Cache-Control-no-cache-single",
                "headers-omit-headers-listed-in-Cache-Control-no-cache",
            ]
        ),
        (
            "a stale response is used only with the permission of the origin or the request (RFC "
                + "9111 §4.2.4): the caller gets the error",
            [
                "stale-close",
                "stale-503",
                "stale-warning-stored",
                "stale-warning-become",
            ]
        ),
        (
            "the caller gets the transport's error, which says more than a 504 would",
            [
                "stale-close-must-revalidate",
                "stale-close-no-cache",
            ]
        ),
        (
            "a tenth of a few seconds is less than a second",
            [
                "heuristic-delta-5",
                "heuristic-delta-10",
                "heuristic-delta-30",
            ]
        ),
        (
            "`Pragma: no-cache` counts as `no-cache` where there is no `Cache-Control` (RFC 9111 "
                + "§5.4)",
            [
                "pragma-request-no-cache",
                "pragma-response-no-cache-heuristic",
            ]
        ),
        (
            "servers may use the order of languages, and select by rules of their own",
            [
                "vary-normalise-lang-order",
                "vary-normalise-lang-select",
            ]
        ),
        (
            "a stored response must not set a cookie again",
            [
                "headers-store-Set-Cookie",
                "304-etag-update-response-Set-Cookie",
            ]
        ),
        (
            "parts are not stored and not combined",
            [
                "partial-store-partial-reuse-partial",
                "partial-store-partial-reuse-partial-byterange",
                "partial-store-partial-reuse-partial-absent",
                "partial-store-partial-reuse-partial-suffix",
                "partial-store-partial-complete",
            ]
        ),
        (
            "a malformed entity tag is no precondition (RFC 9110 §8.8.3)",
            [
                "conditional-etag-strong-generate-unquoted"
            ]
        ),
        (
            "a field of the caller's is sent as it is",
            [
                "conditional-etag-forward-unquoted"
            ]
        ),
        (
            "only the selected response is revalidated",
            [
                "conditional-etag-vary-headers-mismatch"
            ]
        ),
        (
            "a field about the stored bytes is kept",
            [
                "304-etag-update-response-Content-Encoding",
                "304-etag-update-response-Content-Range",
            ]
        ),
        (
            "a 304 with another entity tag is about other bytes (RFC 9111 §4.3.4)",
            [
                "304-etag-update-response-ETag"
            ]
        ),
        (
            "a response to POST is not stored, which few servers mean",
            [
                "method-POST"
            ]
        ),
        (
            "a response to HEAD renews a stored one only with an equal tag or date",
            ["head-200-freshness-update"]
        ),
        (
            "a response to HEAD is passed on as it is",
            [
                "head-200-retain",
                "head-410-update",
            ]
        ),
        (
            "a response of the origin gets no `Age`",
            [
                "other-age-delay"
            ]
        ),
        (
            "blanks before an argument are ignored",
            [
                "freshness-max-age-space-after-equals"
            ]
        ),
    ]

    /// The reasons over a transport of this package, which refuses some responses before the cache
    /// sees them.
    static let reasonsOverTheWire = reasons.merging([
        "headers-store-Transfer-Encoding":
            "the end of a message with an unknown transfer coding is not known (RFC 9112 §6.1)"
    ]) { _, overTheWire in overTheWire }

    /// The reasons over URLSession.
    static let reasonsOverURLSession = reasonsOverTheWire.merging(
        [301, 302, 303, 307, 308].map {
            ("status-\($0)-fresh", "URLSession on Linux drops the body of a redirect")
        } + [
            ("304-etag-update-response-Content-Encoding", unknownCoding),
            ("headers-store-Content-Encoding", unknownCoding),
        ]
    ) { _, overURLSession in overURLSession }

    private static let unknownCoding =
        "URLSession on Linux fails for an unknown coding"
}
