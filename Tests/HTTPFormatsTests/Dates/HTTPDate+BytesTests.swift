import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

@Suite struct HTTPDateBytesTests {
    private func fast(_ text: String) -> HTTPDate? {
        let bytes = Array(text.utf8)
        return HTTPDate(fixdate: bytes.span)
    }

    @Test func `the bytes of a date are read as its text is`() {
        var random = SeededRandom(1)
        for _ in 1...2_000 {
            let second = Int.random(in: -62_167_219_200...253_402_300_799, using: &random)
            let date = HTTPDate(secondsSince1970: second)
            #expect(fast(date.description) == date)
        }
        #expect(fast("Sat, 31 Dec 2016 23:59:60 GMT") == HTTPDate(secondsSince1970: 1_483_228_800))
    }

    @Test func `changed bytes give the same date as the text, or none`() {
        var random = SeededRandom(2)
        let now = Date(timeIntervalSince1970: 784_111_777)
        let letters = Array("SunMoTeWdhFriaJbcNv 0123456789:,-GMTgmt".utf8)
        for _ in 1...20_000 {
            var bytes = Array("Sun, 06 Nov 1994 08:49:37 GMT".utf8)
            for _ in 1...Int.random(in: 1...2, using: &random) {
                bytes[Int.random(in: 0..<29, using: &random)] =
                    letters[Int.random(in: 0..<letters.count, using: &random)]
            }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(fast(text) == HTTPDate(text, now: now), "\(text)")
        }
    }

    @Test func `headers read dates of every form`() {
        let headers: HTTPHeaders = [
            "Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Expires": "Sunday, 06-Nov-94 08:49:37 GMT",
            "Last-Modified": "no date",
        ]
        let now = Date(timeIntervalSince1970: 784_111_777)
        #expect(headers.date(.date, now: now)?.date == now)
        #expect(headers.date(.expires, now: now)?.date == now)
        #expect(headers.date(.lastModified, now: now) == nil)
        #expect(headers.date(.age, now: now) == nil)
    }
}
