import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

/// Tests that give every reader the field values that a hostile peer can send.
@Suite struct HTTPHeadersBadInputTests {
    /// Reads the text as everything. Returns how many elements came out: no more than went in.
    private static func readAll(_ text: String) -> [Int] {
        let now = Date(timeIntervalSince1970: 0)
        return [
            MediaType(text)?.parameters.count ?? 0,
            MediaType(fieldLines: [text])?.parameters.count ?? 0,
            HTTPDate(text, now: now) == nil ? 0 : 1, EntityTag(text) == nil ? 0 : 1,
            CacheControl(text).directives.count,
            Accept(text).ranges.count, AcceptEncoding(text).codings.count,
            HTTPRange(text)?.parts.count ?? 0, ContentRange(text) == nil ? 0 : 1,
            RetryAfter(text, now: now) == nil ? 0 : 1,
            LinkValue.links(in: text).reduce(0) { $0 + 1 + $1.parameters.count },
            ContentDisposition(text)?.parameters.count ?? 0,
            ContentDisposition(text)?.safeFileName?.utf8.count ?? 0,
            AuthenticationChallenge.challenges(in: text).reduce(0) { $0 + 1 + $1.parameters.count },
            nameCount(text), serviceCount(text),
            IfRange(text, now: now) == nil ? 0 : 1,
            QualityValue(text) == nil ? 0 : 1, MediaRange(text)?.parameters.count ?? 0,
            (try? ExtendedValue(parsing: text))?.text.utf8.count ?? 0,
        ]
    }

    private static func nameCount(_ text: String) -> Int {
        guard case .fields(let names) = Vary(text) else { return 0 }
        return names.count
    }

    private static func serviceCount(_ text: String) -> Int {
        guard case .services(let services) = AlternativeServices(text) else { return 0 }
        return services.count
    }

    private static let samples = [
        "text/html;charset=\"a\\\"b\";x=y, text/plain;q=0.5;level=1, */*;q=0",
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
        "W/\"a\", \"b\"", "max-age=5, private=\"a, b\", no-store", "bytes=0-5, -6, 7-",
        "bytes 0-5/10",
        "<a>; rel=\"b c\"; title*=UTF-8'en'%E2%82%AC, </d>; anchor=\"#e\"",
        "attachment; filename=\"a\\\"b\"; filename*=UTF-8''%E2%82%AC",
        "Digest realm=\"a\\\"b\", qop=\"c, d\", Negotiate abc==, Basic realm=e", "120",
        "h3=\":443\"; ma=60; persist=1, h2=\"a:1\"", "max-age=1; includeSubDomains; preload",
        "db;dur=5;desc=\"a\\\"b\", cache", "nextnonce=\"a\", qop=auth", "https://[::1]:80",
    ]

    @Test(arguments: samples)
    func `a value cut anywhere, or with a byte changed, is read without harm`(sample: String) {
        let bytes = Array(sample.utf8)
        for index in 0...bytes.count {
            let head = String(decoding: bytes[..<index], as: UTF8.self)
            #expect(Self.readAll(head).allSatisfy { $0 <= 2 * sample.utf8.count })
            for byte: UInt8 in [0x00, 0x0A, 0x22, 0x2C, 0x5C] {
                var changed = bytes
                changed.insert(byte, at: index)
                let text = String(decoding: changed, as: UTF8.self)
                #expect(Self.readAll(text).allSatisfy { $0 <= 2 * sample.utf8.count })
            }
        }
    }

    /// The input is 40 KB: a reader that takes quadratic time would go far beyond the limit.
    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            "a", ",", ";", "\"", "\\\"", " ", "<a>,", "a=b,", "a=\"\\\"", "\"a\",", "W/\"", "a b,",
            "9", "0-1,", "a/b;q=0,", "a''%", "A b=c, ", "\0", "é", "../", "a;b=\"c\";",
        ])
    func `an enormous value takes linear time`(unit: String) {
        let text = String(repeating: unit, count: TestCounts.scaled(40_000) / unit.utf8.count)
        for text in [
            text, "a/b;" + text, "attachment; filename=\"" + text + "\"", "<a>;" + text,
            "A " + text,
        ] {
            #expect(Self.readAll(text).allSatisfy { $0 <= text.utf8.count })
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `tens of thousands of different names take linear time`() {
        let count = TestCounts.scaled(20_000)
        let names = (0..<count).map { "n\($0)=v" }
        let parameters = names.joined(separator: ";")
        #expect(MediaType("a/b;" + parameters)?.parameters.count == count)
        #expect(ContentDisposition("a;" + parameters)?.parameters.count == count)
        #expect(LinkValue.links(in: "<a>;" + parameters).first?.parameters.count == count)
        #expect(Accept("a/b;" + parameters).ranges.first?.value.parameters.count == count)
        let list = names.joined(separator: ",")
        #expect(CacheControl(list).directives.count == count)
        #expect(
            AuthenticationChallenge.challenges(in: "A " + list).first?.parameters.count == count)
    }
}
