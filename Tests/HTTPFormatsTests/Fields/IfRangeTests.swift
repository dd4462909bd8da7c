import HTTPCore
import HTTPFormats
import Testing
import PortableFoundation

@Suite struct IfRangeTests {
    private let now = Date(timeIntervalSince1970: 784_111_777)

    @Test(arguments: [
        ("\"a\"", "\"a\""), (" W/\"a\" ", "W/\"a\""),
        ("Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT"), ("a", nil), ("", nil),
        ("\"a\", \"b\"", nil), ("*", nil),
    ])
    func `it is a tag or a date`(text: String, written: String?) {
        #expect(IfRange(text, now: now)?.description == written)
    }

    /// RFC 9110 §13.1.5, §8.8.2.2.
    @Test(
        arguments: [
            (["ETag": "\"a\""], "\"a\""),
            (
                [
                    "ETag": "W/\"a\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT",
                    "Date": "Sun, 06 Nov 1994 09:49:37 GMT",
                ], nil
            ),
            (
                [
                    "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT",
                    "Date": "Sun, 06 Nov 1994 08:49:38 GMT",
                ], "Sun, 06 Nov 1994 08:49:37 GMT"
            ),
            (
                [
                    "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT",
                    "Date": "Sun, 06 Nov 1994 08:49:37 GMT",
                ], nil
            ),
            (["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"], nil), ([:], nil),
        ] as [(HTTPHeaders, String?)])
    func `a response is resumed by what names its bytes for sure`(
        headers: HTTPHeaders, written: String?
    ) {
        #expect(IfRange(resuming: headers)?.description == written)
    }
}
