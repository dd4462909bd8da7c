import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

@Suite struct HTTPHeadersTypedTests {
    // MARK: Typed values

    @Test(.rows("B-4"))
    func `an empty section has no typed values`() {
        let headers = HTTPHeaders()
        #expect(headers.contentType == nil && headers.contentLength == nil)
        #expect(headers.contentDisposition == nil && headers.contentRange == nil)
        #expect(headers.range == nil && headers.entityTag == nil)
        #expect(headers.cacheControl == nil && headers.accept == nil)
        #expect(headers.date == nil && headers.expires == nil)
        #expect(headers.lastModified == nil && headers.ifModifiedSince == nil)
        #expect(headers.retryAfter(now: Date(timeIntervalSince1970: 0)) == nil)
        #expect(headers.links.isEmpty && headers.challenges.isEmpty)
        #expect(headers.proxyChallenges.isEmpty)
        #expect(headers.contentEncoding.isEmpty && headers.acceptRanges.isEmpty)
        #expect(headers.allow == nil)
        #expect(headers.ifRange == nil && headers.ifUnmodifiedSince == nil)
    }

    @Test(.rows("B-4"))
    func `the other fields are written and read again too`() throws {
        var headers = HTTPHeaders()
        let date = HTTPDate(secondsSince1970: 784_111_777)
        headers.contentEncoding = ["gzip", "br"]
        headers.acceptRanges = ["bytes"]
        headers.allow = [.get, "PURGE"]
        headers.ifRange = .date(date)
        headers.ifUnmodifiedSince = date
        #expect(headers.refusedName == nil)
        #expect(
            headers.description == """
                Content-Encoding: gzip, br
                Accept-Ranges: bytes
                Allow: GET, PURGE
                If-Range: Sun, 06 Nov 1994 08:49:37 GMT
                If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT
                """)
        #expect(headers.contentEncoding == ["gzip", "br"] && headers.acceptRanges == ["bytes"])
        #expect(headers.allow == [.get, "PURGE"] && headers.ifRange == .date(date))
        #expect(headers.ifUnmodifiedSince == date)
        headers.contentEncoding = []
        headers.allow = []
        headers.ifUnmodifiedSince = nil
        #expect(!headers.contains(.contentEncoding) && !headers.contains(.ifUnmodifiedSince))
        #expect(headers.allow == [])
    }

    @Test(.rows("B-4"))
    func `lists of tokens leave out what is none`() {
        let headers: HTTPHeaders = [
            "Content-Encoding": "GZip, \"br\", a b,", "content-encoding": "zstd",
            "Allow": "GET,,get",
        ]
        #expect(headers.contentEncoding == ["gzip", "zstd"])
        #expect(headers.allow == [.get, "get"])
    }

    /// RFC 9110 §10.2.2, §8.7.
    @Test(
        .rows("B-4"),
        arguments: [
            ("/b", "https://h/b#f"), ("b?c", "https://h/a/b?c#f"), ("#g", "https://h/a/?q#g"),
            ("//k", "https://k#f"), ("http://k/#g", "http://k/#g"), ("", "https://h/a/?q#f"),
            ("a b", "https://h/a/a%20b#f"), ("https://ü/", "https://xn--tda/#f"),
            ("[1]|é", "https://h/a/%5B1%5D%7C%C3%A9#f"), ("http://[", nil),
        ])
    func `a location is seen from the URL that answered, and keeps its fragment`(
        text: String, expected: String?
    ) throws {
        let url = try URL(strictly: "https://h/a/?q#f")
        let headers: HTTPHeaders = ["Location": text]
        #expect(headers.location(relativeTo: url)?.absoluteString == expected)
        #expect(HTTPHeaders().location(relativeTo: url) == nil)
    }

    @Test(.rows("B-4"))
    func `what is set is written and read again, nil removes it`() throws {
        var headers = HTTPHeaders()
        headers.contentType = .json
        headers.contentDisposition = .attachment(fileName: "€")
        headers.contentRange = ContentRange("bytes 0-1/2")
        headers.range = .bytes(5...)
        headers.entityTag = EntityTag(opaqueTag: "a", isWeak: true)
        headers.cacheControl = CacheControl("no-cache, max-age=1")
        headers.accept = Accept(.json)
        let date = HTTPDate(secondsSince1970: 784_111_777)
        (headers.date, headers.expires) = (date, date)
        (headers.lastModified, headers.ifModifiedSince) = (date, date)
        #expect(headers.refusedName == nil)
        #expect(
            headers.description == """
                Content-Type: application/json
                Content-Disposition: attachment; filename=_; filename*=UTF-8''%E2%82%AC
                Content-Range: bytes 0-1/2
                Range: bytes=5-
                ETag: W/"a"
                Cache-Control: no-cache, max-age=1
                Accept: application/json
                Date: Sun, 06 Nov 1994 08:49:37 GMT
                Expires: Sun, 06 Nov 1994 08:49:37 GMT
                Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT
                If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT
                """)
        #expect(headers.contentType == .json && headers.contentDisposition?.fileName == "€")
        #expect(headers.contentRange?.range == 0...1 && headers.range == .bytes(5...))
        #expect(headers.entityTag?.isWeak == true)
        #expect(headers.cacheControl?.maxAge == .seconds(1) && headers.accept == Accept(.json))
        #expect(headers.date == date && headers.expires == date)
        #expect(headers.lastModified == date && headers.ifModifiedSince == date)
        headers.contentType = nil
        headers.date = nil
        #expect(!headers.contains(.contentType) && !headers.contains(.date))
    }

    @Test(.rows("B-4"))
    func `lists are read over all lines, in order`() {
        let headers: HTTPHeaders = [
            "Cache-Control": "max-age=1", "cache-control": "no-store", "Accept": "a/b",
            "accept": "c/d;q=0.5",
            "Link": "<a>; rel=x", "link": "garbage", "LINK": "<b>; rel=y, <c>",
            "WWW-Authenticate": "Basic realm=\"broken", "www-authenticate": "Bearer, Basic realm=x",
            "Proxy-Authenticate": "Negotiate",
        ]
        #expect(headers.cacheControl?.description == "max-age=1, no-store")
        #expect(headers.accept?.description == "a/b, c/d;q=0.5")
        #expect(headers.links.map(\.target) == ["a", "b", "c"])
        #expect(headers.challenges.map(\.scheme) == ["bearer", "basic"])
        #expect(headers.proxyChallenges.map(\.scheme) == ["negotiate"])
    }

    /// RFC 9110 §8.6.
    @Test(
        .rows("B-4"),
        arguments: [
            (["5"], 5), (["5, 5"], 5), (["5", "5"], 5), (["0"], 0), (["5", "6"], nil),
            (["5,"], nil),
            (["-1"], nil), (["+1"], nil), ([""], nil), (["5;"], nil), (["5 5"], nil),
            (["99999999999999999999"], nil), (["0x5"], nil),
        ] as [([String], Int?)])
    func `a length is one number, however often`(values: [String], length: Int?) {
        var headers = HTTPHeaders()
        headers[values: .contentLength] = values
        #expect(headers.contentLength == length)
    }

    @Test(.rows("B-4"))
    func `a wait is read against the caller's clock`() {
        let headers: HTTPHeaders = ["Retry-After": "Sunday, 06-Nov-94 08:50:37 GMT"]
        let now = Date(timeIntervalSince1970: 784_111_777)
        #expect(headers.retryAfter(now: now)?.delay(from: now) == .seconds(60))
    }

    @Test func `bytes that are not UTF-8 are read as ISO 8859-1`() {
        var headers = HTTPHeaders()
        let lines: [[UInt8]] = [
            Array("Content-Disposition: attachment; filename=\"".utf8) + [0xE4, 0x22],
            Array("ETag: \"".utf8) + [0xE4, 0x22],
            Array("WWW-Authenticate: Basic realm=\"".utf8) + [0xE4, 0xFF, 0x22],
            Array("Content-Type: text/html;x=\"".utf8) + [0xE4, 0x22],
            Array("Link: <a>; title=\"".utf8) + [0xE4, 0x22],
        ]
        let taken = lines.filter { headers.append(line: $0.span) }
        #expect(taken.count == lines.count)
        #expect(headers.contentDisposition?.fileName == "ä")
        #expect(headers.entityTag?.opaqueTag == "ä")
        #expect(headers.challenges.first?.realm == "äÿ")
        #expect(headers.contentType?["x"] == "ä")
        #expect(headers.links.first?.title == "ä")
    }
}
