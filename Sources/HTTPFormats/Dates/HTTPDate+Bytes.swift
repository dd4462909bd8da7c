package import HTTPCore
package import PortableFoundation

extension HTTPDate {
    /// Reads an IMF-fixdate, such as `Sun, 06 Nov 1994 08:49:37 GMT`, from bytes.
    ///
    /// Nearly every date of a server has this form, and this is many times faster than
    /// ``init(_:now:)``, which reads the other forms, too. It reads the same dates in this form.
    package init?(fixdate bytes: Span<UInt8>) {
        guard bytes.count == 29, bytes[3] == UInt8(ascii: ","), bytes[4] == 0x20, bytes[7] == 0x20,
            bytes[11] == 0x20, bytes[16] == 0x20, bytes[19] == UInt8(ascii: ":"),
            bytes[22] == UInt8(ascii: ":"), bytes[25] == 0x20, bytes.word(at: 26) == Self.gmt,
            Self.dayWords.contains(bytes.word(at: 0)),
            let month = Self.monthWords.firstIndex(of: bytes.word(at: 8)),
            let day = bytes.number(at: 5, 2), let year = bytes.number(at: 12, 4),
            let hour = bytes.number(at: 17, 2), let minute = bytes.number(at: 20, 2),
            let second = bytes.number(at: 23, 2), hour < 24, minute < 60,
            second < 60 || (second == 60 && hour == 23 && minute == 59)
        else { return nil }
        self.init(year, month + 1, day, second: hour * 3600 + minute * 60 + second)
    }

    private static let gmt = word("GMT")
    private static let dayWords = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"].map(word)
    private static let monthWords = monthNames.map(word)

    private static func word(_ text: String) -> UInt32 {
        text.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension Span<UInt8> {
    /// Three bytes as a number.
    fileprivate func word(at index: Int) -> UInt32 {
        UInt32(self[index]) << 16 | UInt32(self[index + 1]) << 8 | UInt32(self[index + 2])
    }

    fileprivate func number(at index: Int, _ count: Int) -> Int? {
        var number = 0
        for index in index..<index + count {
            guard self[index].isASCIIDigit else { return nil }
            number = number * 10 + Int(self[index] - UInt8(ascii: "0"))
        }
        return number
    }
}

extension HTTPHeaders {
    /// Returns the date in the first field of that name.
    package func date(_ name: HTTPHeaderName, now: @autoclosure () -> Date) -> HTTPDate? {
        var isFirst = true
        var date: HTTPDate?
        forEachValue(of: name) { bytes in
            if isFirst { date = HTTPDate(fixdate: bytes) }
            isFirst = false
        }
        guard date == nil, !isFirst else { return date }
        return self[name].flatMap { HTTPDate($0, now: now()) }
    }
}
