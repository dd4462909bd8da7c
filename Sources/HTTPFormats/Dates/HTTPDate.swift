import HTTPCore
public import PortableFoundation

/// A moment with a precision of one second, as HTTP writes it (RFC 9110 §5.6.7).
public struct HTTPDate: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let secondsSince1970: Int

    /// Creates a date in the years 0 to 9999. A time outside them becomes the first or the last
    /// second.
    package init(secondsSince1970: Int) {
        self.secondsSince1970 = min(max(secondsSince1970, Self.first), Self.last)
    }

    /// Creates a date from `date`, rounded down to the second and limited as in
    /// `init(secondsSince1970:)`.
    public init(_ date: Date) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        guard seconds > Double(Self.first) else {
            self.init(secondsSince1970: Self.first)
            return
        }
        self.init(secondsSince1970: seconds < Double(Self.last) ? Int(seconds) : Self.last)
    }

    /// The date as a `Date`.
    public var date: Date { Date(timeIntervalSince1970: Double(secondsSince1970)) }

    public static func < (a: Self, b: Self) -> Bool { a.secondsSince1970 < b.secondsSince1970 }

    private static let first = -62_167_219_200  // 0000-01-01T00:00:00Z
    private static let last = 253_402_300_799  // 9999-12-31T23:59:59Z
}

// MARK: - Writing

extension HTTPDate {
    private static let dayNames = [
        "Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday",
    ]
    package static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The form to send (IMF-fixdate): `Sun, 06 Nov 1994 08:49:37 GMT`.
    public var description: String {
        let days = Int((Double(secondsSince1970) / 86_400).rounded(.down))
        let second = secondsSince1970 - days * 86_400
        let (year, month, day) = Self.calendarDate(ofDay: days)
        let weekday = Self.dayNames[((days % 7) + 7) % 7].prefix(3)
        func digits(_ number: Int, _ count: Int = 2) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return "\(weekday), \(digits(day)) \(Self.monthNames[month - 1]) \(digits(year, 4)) "
            + "\(digits(second / 3600)):\(digits(second / 60 % 60)):\(digits(second % 60)) GMT"
    }
}

// MARK: - Reading

extension HTTPDate {
    /// Reads any of the three forms that a recipient must accept: IMF-fixdate, RFC 850 and asctime.
    ///
    /// The syntax is strict, including case. A day or a time that does not exist gives `nil`. A day
    /// name that does not fit the date is ignored. Second 60 is accepted at 23:59 only, and is read
    /// as the first second of the next minute.
    ///
    /// - Parameters:
    ///   - text: The date in one of the three forms of RFC 9110 §5.6.7.
    ///   - now: The current date; used for the two-digit year of RFC 850 only, which becomes the
    ///     latest year that is at most 50 years ahead.
    public init?(_ text: String, now: Date) {
        var scanner = FieldScanner(text)
        let dayName = scanner.take { $0 != UInt8(ascii: ",") && !$0.isBlank }
        let isAbbreviated = Self.dayNames.contains { $0.prefix(3) == dayName }
        guard isAbbreviated || Self.dayNames.contains(dayName) else { return nil }

        let date: HTTPDate?
        if !isAbbreviated {
            date = Self.rfc850(&scanner, now: HTTPDate(now))
        } else if scanner.next == UInt8(ascii: ",") {
            date = Self.fixdate(&scanner)
        } else {
            date = Self.asctime(&scanner)
        }
        guard let date, scanner.isAtEnd else { return nil }
        self = date
    }

    /// Reads `, 06 Nov 1994 08:49:37 GMT`.
    private static func fixdate(_ scanner: inout FieldScanner) -> HTTPDate? {
        guard scanner.take(","), scanner.take(" "), let day = scanner.digits(2), scanner.take(" "),
            let month = scanner.month(), scanner.take(" "), let year = scanner.digits(4),
            scanner.take(" "), let second = scanner.timeOfDay(), scanner.takeGMT()
        else { return nil }
        return HTTPDate(year, month, day, second: second)
    }

    /// Reads ` Nov  6 08:49:37 1994`.
    private static func asctime(_ scanner: inout FieldScanner) -> HTTPDate? {
        guard scanner.take(" "), let month = scanner.month(), scanner.take(" "),
            let day = scanner.take(" ") ? scanner.digits(1) : scanner.digits(2),
            scanner.take(" "), let second = scanner.timeOfDay(), scanner.take(" "),
            let year = scanner.digits(4)
        else { return nil }
        return HTTPDate(year, month, day, second: second)
    }

    /// Reads `, 06-Nov-94 08:49:37 GMT`.
    private static func rfc850(_ scanner: inout FieldScanner, now: HTTPDate) -> HTTPDate? {
        guard scanner.take(","), scanner.take(" "), let day = scanner.digits(2), scanner.take("-"),
            let month = scanner.month(), scanner.take("-"), let shortYear = scanner.digits(2),
            scanner.take(" "), let second = scanner.timeOfDay(), scanner.takeGMT()
        else { return nil }
        let today = now.secondsSince1970
        let (thisYear, thisMonth, thisDay) = calendarDate(
            ofDay: Int((Double(today) / 86_400).rounded(.down)))
        let timeNow = ((today % 86_400) + 86_400) % 86_400
        let latest =
            Self.day(thisYear + 50, thisMonth, thisDay) * 86_400 + timeNow
        var year = (thisYear / 100 + 1) * 100 + shortYear
        while Self.day(year, month, day) * 86_400 + second > latest { year -= 100 }
        return HTTPDate(year, month, day, second: second)
    }

    /// Reads a date of ISO 8601, as RFC 3339 §5.6 profiles it: `2026-11-28T06:15:30.5+01:00`.
    ///
    /// Seconds and the offset may be missing; a time without an offset is UTC. A part of a second
    /// is rounded up.
    package init?(internetDate text: String) {
        var scanner = FieldScanner(text)
        guard let year = scanner.digits(4), scanner.take("-"), let month = scanner.digits(2),
            (1...12).contains(month), scanner.take("-"), let day = scanner.digits(2),
            scanner.take("T") || scanner.take("t") || scanner.take(" "),
            var second = scanner.internetTime(), let offset = scanner.offset(), scanner.isAtEnd
        else { return nil }
        second -= offset
        self.init(year, month, day, second: second)
    }

    /// Creates a date, or `nil` if there is no such month, or if it does not have that day.
    package init?(_ year: Int, _ month: Int, _ day: Int, second: Int) {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...12).contains(month), day >= 1, day <= lengths[month - 1] else { return nil }
        self.init(secondsSince1970: Self.day(year, month, day) * 86_400 + second)
    }

    // Both follow Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years begin in
    // March.

    /// Returns the number of days from 1970-01-01 to a date of the Gregorian calendar.
    package static func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    static func calendarDate(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
            dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        )
    }
}

extension FieldScanner {
    /// Reads exactly `count` digits, whatever follows.
    fileprivate mutating func digits(_ count: Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let digit = next, digit.isASCIIDigit else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
            reset(to: position + 1)
        }
        return number
    }

    fileprivate mutating func month() -> Int? {
        let name = take { $0.isTokenCharacter && $0 != UInt8(ascii: "-") }
        return HTTPDate.month(named: name)
    }

    /// Reads a time of day, and returns the second of the day.
    fileprivate mutating func timeOfDay() -> Int? {
        guard let hour = digits(2), hour < 24, take(":"), let minute = digits(2), minute < 60,
            take(":"), let second = digits(2),
            second < 60 || (second == 60 && hour == 23 && minute == 59)
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// Reads a time of day whose seconds may be missing, or have a fraction, which is rounded up.
    fileprivate mutating func internetTime() -> Int? {
        guard let hour = digits(2), hour < 24, take(":"), let minute = digits(2), minute < 60
        else { return nil }
        var second = 0
        if take(":") {
            guard let digits = digits(2), digits <= 60 else { return nil }
            second = digits
            if take(".") {
                let fraction = take { $0.isASCIIDigit }
                guard !fraction.isEmpty else { return nil }
                if fraction.utf8.contains(where: { $0 != UInt8(ascii: "0") }) { second += 1 }
            }
        }
        return hour * 3600 + minute * 60 + second
    }

    /// Reads `Z`, `+01:00`, `+0100` or `+01`, and returns the offset in seconds; 0 if there is
    /// none.
    fileprivate mutating func offset() -> Int? {
        if isAtEnd || take("Z") || take("z") { return 0 }
        let isNegative = take("-")
        guard isNegative || take("+"), let hour = digits(2), hour < 24 else { return nil }
        var minute = 0
        if !isAtEnd {
            _ = take(":")
            guard let digits = digits(2), digits < 60 else { return nil }
            minute = digits
        }
        let offset = hour * 3600 + minute * 60
        return isNegative ? -offset : offset
    }

    fileprivate mutating func takeGMT() -> Bool {
        take(" ") && take("G") && take("M") && take("T")
    }
}

extension HTTPDate {
    fileprivate static func month(named name: String) -> Int? {
        monthNames.firstIndex(of: name).map { $0 + 1 }
    }
}
