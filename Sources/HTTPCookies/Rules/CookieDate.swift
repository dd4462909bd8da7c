import HTTPCore
import HTTPFormats

/// The date of an `Expires` attribute (RFC 6265bis §5.1.1), which is read much more liberally than
/// other dates in HTTP.
struct CookieDate: Hashable, Sendable {
    let secondsSince1970: Int

    /// Reads a date: in any order a day, the name of a month, a year and a time, with anything
    /// between them.
    ///
    /// - Returns: `nil` if a part is missing, or the date or the time does not exist.
    init?(_ bytes: some Collection<UInt8>) {
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in bytes.split(whereSeparator: Self.isDelimiter) {
            if time == nil, let found = Self.time(token) {
                time = found
            } else if day == nil, let found = Self.number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = Self.month(token) {
                month = found
            } else if year == nil, let found = Self.number(token, digits: 2...4) {
                year = found
            }
        }
        guard let time, let day, let month, var year else { return nil }
        if (70...99).contains(year) { year += 1900 }
        if (0...69).contains(year) { year += 2000 }
        let second = time.hour * 3_600 + time.minute * 60 + time.second
        guard year >= 1601, time.hour <= 23, time.minute <= 59, time.second <= 59,
            let date = HTTPDate(year, month, day, second: second)
        else { return nil }
        secondsSince1970 = date.secondsSince1970
    }

    // MARK: Tokens

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// Reads digits that a byte other than a digit or the end follows.
    private static func number(
        _ token: some Collection<UInt8>, digits: ClosedRange<Int>
    ) -> Int? {
        let number = token.prefix(while: \.isASCIIDigit)
        guard digits.contains(number.count) else { return nil }
        return number.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static func time(_ token: some Collection<UInt8>) -> (Int, Int, Int)? {
        let parts = token.split(
            separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].allSatisfy(\.isASCIIDigit),
            parts[1].allSatisfy(\.isASCIIDigit),
            let hour = number(parts[0], digits: 1...2),
            let minute = number(parts[1], digits: 1...2),
            let second = number(parts[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    private static func month(_ token: some Collection<UInt8>) -> Int? {
        let name = token.prefix(3).map(\.asciiLowercased)
        return HTTPDate.monthNames.firstIndex {
            $0.utf8.lazy.map(\.asciiLowercased).elementsEqual(name)
        }.map { $0 + 1 }
    }
}
