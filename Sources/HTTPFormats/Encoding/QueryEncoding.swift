import HTTPCore
import PortableFoundation

/// The rules by which named values become a query (RFC 3986 §3.4): `name=value` pairs joined by
/// `&`.
///
/// Names are written in ascending order, so that equal parameters give equal bytes. Everything but
/// letters, digits and `-._~?/` is percent-encoded; a space is `%20`, never `+`. Nested
/// dictionaries become `name[inner]=value`, with their keys in ascending order too. `nil` and empty
/// collections are left out. Numbers, and types that are not mentioned here, are written as their
/// `description` (`2.0` for a whole `Double`, on every platform). `Data` is written as Base64. An
/// ``HTTPJSON`` is written as the value that it is, its null as `nil`. A type without a description
/// of its own is written as it encodes itself if it is `Encodable`, or else as its raw value if it
/// has one.
public struct QueryEncoding: Hashable, Sendable {
    /// The name that each element of an array gets.
    public enum ArrayStyle: Hashable, Sendable {
        /// `name[]=1&name[]=2`
        case withBrackets
        /// `name=1&name=2`
        case noBrackets
    }

    /// The text of a `Bool`.
    public enum BoolStyle: Hashable, Sendable {
        /// `1` and `0`
        case asNumbers
        /// `true` and `false`
        case asLiterals
    }

    /// The text of a `Date`.
    public enum DateStyle: Hashable, Sendable {
        /// `2021-08-13 13:55:42 +0000`: UTC, whole seconds.
        case utc
        /// `2021-08-13T13:55:42Z` (RFC 3339 §5.6): UTC, whole seconds.
        case internet
        /// Whole seconds since 1970.
        case secondsSince1970
        /// Whole milliseconds since 1970.
        case millisecondsSince1970
    }

    /// The name that an entry of a nested dictionary gets.
    public enum DictionaryStyle: Hashable, Sendable {
        /// `name[inner]=1`
        case brackets
        /// `name.inner=1`
        case dots
    }

    /// The names of an array's elements.
    public var array: ArrayStyle
    /// The text of a `Bool`.
    public var bool: BoolStyle
    /// The text of a `Date`.
    public var date: DateStyle
    /// The names of a nested dictionary's entries.
    public var dictionary: DictionaryStyle

    /// Creates an encoding: by default `name[]=1`, `1` for `true`, UTC for dates, and
    /// `name[inner]=1`.
    public init(
        array: ArrayStyle = .withBrackets, bool: BoolStyle = .asNumbers, date: DateStyle = .utc,
        dictionary: DictionaryStyle = .brackets
    ) {
        self.array = array
        self.bool = bool
        self.date = date
        self.dictionary = dictionary
    }
}

// MARK: - Pairs

/// A name and its value as plain text; nothing is escaped yet.
package struct QueryPair: Hashable, Sendable {
    package var name: String
    /// The value; `nil` is written without a `=`.
    package var value: String?

    package init(_ name: String, _ value: String?) {
        self.name = name
        self.value = value
    }
}

extension QueryEncoding {
    package func pairs(_ parameters: [String: QueryValue]) -> [QueryPair] {
        var pairs: [QueryPair] = []
        pairs.reserveCapacity(parameters.count)
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
            appendPairs(of: value, named: name, to: &pairs)
        }
        return pairs
    }

    package func pairs(of value: QueryValue, named name: String) -> [QueryPair] {
        var pairs: [QueryPair] = []
        appendPairs(of: value, named: name, to: &pairs)
        return pairs
    }

    private func appendPairs(of value: QueryValue, named name: String, to pairs: inout [QueryPair])
    {
        switch value {
        case .null: break
        case .text(let text): pairs.append(QueryPair(name, text))
        case .bool(let bool): pairs.append(QueryPair(name, text(of: bool)))
        case .date(let date): pairs.append(QueryPair(name, text(of: date)))
        case .array(let elements):
            let name = array == .withBrackets ? name + "[]" : name
            for element in elements { appendPairs(of: element, named: name, to: &pairs) }
        case .dictionary(let entries):
            for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
                let name = dictionary == .brackets ? "\(name)[\(key)]" : "\(name).\(key)"
                appendPairs(of: value, named: name, to: &pairs)
            }
        }
    }

    package static func text(of pairs: [QueryPair]) -> String {
        let allowed = ByteSet.queryPart
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32 * pairs.count)
        for (index, pair) in pairs.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: "&")) }
            bytes.appendPercentEncoded(pair.name, allowed: allowed)
            guard let value = pair.value else { continue }
            bytes.append(UInt8(ascii: "="))
            bytes.appendPercentEncoded(value, allowed: allowed)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func text(of bool: Bool) -> String {
        switch self.bool {
        case .asNumbers: bool ? "1" : "0"
        case .asLiterals: bool ? "true" : "false"
        }
    }

    private func text(of date: Date) -> String {
        let interval = date.timeIntervalSince1970
        switch self.date {
        case .utc: return UTCTime(interval)?.text(separator: " ", zone: " +0000") ?? "\(interval)"
        case .internet: return UTCTime(interval)?.text(separator: "T", zone: "Z") ?? "\(interval)"
        case .secondsSince1970:
            return Int64(exactly: interval.rounded(.down)).map { "\($0)" } ?? "\(interval)"
        case .millisecondsSince1970:
            // Rounded to the nearest: a Date of 0.001 s is slightly less than that.
            return Int64(exactly: (interval * 1000).rounded()).map { "\($0)" } ?? "\(interval)"
        }
    }
}

/// A moment in the Gregorian calendar in UTC, to the second.
private struct UTCTime {
    private let date: (year: Int, month: Int, day: Int)
    private let second: Int

    /// Creates a time, or `nil` if the number is not finite or more than about 7,900 years from
    /// 1970.
    init?(_ secondsSince1970: TimeInterval) {
        guard abs(secondsSince1970) < 250_000_000_000 else { return nil }
        let seconds = Int(secondsSince1970.rounded(.down))
        second = ((seconds % 86400) + 86400) % 86400
        date = HTTPDate.calendarDate(ofDay: (seconds - second) / 86400)
    }

    func text(separator: String, zone: String) -> String {
        func padded(_ number: Int, _ width: Int = 2) -> String {
            let digits = "\(number.magnitude)"
            return (number < 0 ? "-" : "")
                + String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        return "\(padded(date.year, 4))-\(padded(date.month))-\(padded(date.day))\(separator)"
            + "\(padded(second / 3600)):\(padded(second / 60 % 60)):\(padded(second % 60))\(zone)"
    }
}
