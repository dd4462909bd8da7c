import HTTPCore
import HTTPFormats
import TestSupport
import Testing

@Suite struct AcceptTests {
    // MARK: Ranges of types

    /// The example of RFC 9110 §12.5.1.
    @Test(
        .rows("S4-14", "B-4"),
        arguments: [
            ("text/plain;format=flowed", 1000), ("text/plain", 700), ("text/html", 300),
            ("image/jpeg", 500), ("text/plain;format=fixed", 400), ("text/html;level=3", 300),
        ])
    func `the most specific range gives the weight`(text: String, thousandths: Int) throws {
        let accept = Accept(
            "text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, "
                + "text/plain;format=fixed;q=0.4, */*;q=0.5")
        #expect(accept.ranges.count == 5)
        #expect(accept.quality(of: try #require(MediaType(text))).thousandths == thousandths)
    }

    /// Servers answer `application/json;version=1` with plain `application/json`.
    @Test(
        .rows("S4-14"),
        arguments: [
            ("text/html;level=1", "text/html", 1000), ("text/html;level=1;q=0.5", "text/html", 500),
            ("text/html;level=1", "text/html;level=2", 1000),
            ("text/html;level=1", "text/plain", 0),
            ("text/html;level=1, text/*;q=0", "text/html", 1000),
            ("text/html;level=1;q=0.2, text/html;q=0.7", "text/html;level=3", 700),
            ("text/html;level=1;q=0.2, text/html;q=0.7", "text/html;level=1", 200),
            ("text/*;level=1, */*;q=0.5", "text/html", 1000),
            // Only a named type is excluded.
            ("text/html, text/html;level=1;q=0", "text/html", 1000),
            ("text/html, text/html;level=1;q=0", "text/html;level=1", 0),
            ("*/*;q=0.5, text/html;level=1;q=0", "text/html", 500),
            ("text/html;level=1;q=0", "text/html", 0),
        ])
    func `a range's parameters choose among ranges and exclude no type`(
        text: String, mediaType: String, thousandths: Int
    ) throws {
        let mediaType = try #require(MediaType(mediaType))
        #expect(Accept(text).quality(of: mediaType).thousandths == thousandths)
    }

    @Test(
        .rows("S4-14"),
        arguments: [
            ("*/*", 1000), ("*/*;q=0.3", 300), ("text/html, */*;q=0.1", 100), ("*/*;q=0", 0),
            ("text/*", 0), ("application/octet-stream", 0), ("*/*;level=1", 1000), ("", 0),
        ])
    func `content without a type has the weight of any type`(text: String, thousandths: Int) {
        #expect(Accept(text).qualityOfUntyped.thousandths == thousandths)
    }

    @Test(
        arguments: [
            ("text/html;q=2, a/b", "a/b"), ("text/html;q, a/b;q=0.5", "a/b;q=0.5"),
            ("text, a/b", "a/b"), ("\"x, y\", a/b", "a/b"), ("", ""), (",,", ""),
            ("a/b;q=0.5;ext=1;x=\"y z\"", "a/b;ext=1;x=\"y z\";q=0.5"), ("a/b; Q=0.5", "a/b;q=0.5"),
            ("*/html, a/b", "a/b"), ("a/b c/d, e/f", "e/f"),
        ])
    func `a member that cannot be read is left out`(text: String, written: String) {
        #expect(Accept(text).description == written)
    }

    @Test(.rows("B-4"))
    func `what is written is read again`() {
        var accept = Accept(.json, .html)
        accept.ranges.append(Weighted(.any, quality: .zero))
        #expect(accept.description == "application/json, text/html, */*;q=0")
        #expect(Accept(accept.description) == accept)
    }

    // MARK: Codings

    /// RFC 9110 §12.5.3.
    @Test(
        .rows("B-4"),
        arguments: [
            ("gzip, br;q=0.5", "GZIP", 1000), ("gzip, br;q=0.5", "br", 500),
            ("gzip", "identity", 1000), ("gzip", "zstd", 0), ("", "identity", 1000),
            ("", "gzip", 0),
            ("*;q=0", "identity", 0), ("identity;q=0.5, *;q=0", "identity", 500),
            ("*;q=0.1", "zstd", 100), ("identity;q=0", "identity", 0), ("gzip;x=1", "gzip", 0),
            ("gzip;q=1;q=0", "gzip", 0),
        ])
    func `a coding has its weight, identity unless refused`(
        text: String, coding: String, thousandths: Int
    ) {
        #expect(AcceptEncoding(text).quality(of: coding).thousandths == thousandths)
    }

    @Test func `codings are written in lower case`() {
        #expect(AcceptEncoding("GZip;q=0.250").description == "gzip;q=0.25")
    }
}
