import FoundationEssentials
import HTTPCore
import HTTPFormats

extension FuzzTarget {
    /// Each line is a date to read, and each group of eight bytes a time to write.
    static let httpDate = Self("http-date") { bytes in
        for line in bytes.textLines.prefix(16) {
            guard let date = HTTPDate(line, now: now) else { continue }
            check(date)
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let word = rest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            rest = rest.dropFirst(8)
            check(HTTPDate(secondsSince1970: Int(truncatingIfNeeded: word)))
            check(HTTPDate(secondsSince1970: Int(word % 253_402_300_800)))
            check(HTTPDate(Date(timeIntervalSince1970: Double(bitPattern: word))))
        }
    }

    private static func check(_ date: HTTPDate) {
        let text = date.description
        require(text.utf8.count == 29, "\(text) is no IMF-fixdate")
        requireRoundTrip(date, \.description) { HTTPDate($0, now: now) }
        require(HTTPDate(date.date) == date, "\(text) is not the same as a Date")
        require(HTTPDate(text, now: date.date) == date, "\(text) depends on the time it is read")
        // The other two forms, made from the first: "Sun, 06 Nov 1994 08:49:37 GMT".
        let parts = text.split(separator: " ")
        let (name, day, month, year, time) = (parts[0], parts[1], parts[2], parts[3], parts[4])
        let padded = day.first == "0" ? " \(day.dropFirst())" : "\(day)"
        let asctime = "\(name.dropLast()) \(month) \(padded) \(time) \(year)"
        require(HTTPDate(asctime, now: now) == date, "\(asctime) is another date")
        let rfc850 = "Sunday, \(day)-\(month)-\(year.suffix(2)) \(time) GMT"
        let near = HTTPDate(rfc850, now: date.date)
        // 29 February may fall in the last year of a century that is not a leap year.
        require(
            near == date || near == nil, "\(rfc850) is \(String(describing: near)), not \(text)")
    }
}
