import HTTPCore

extension HTTPJSON {
    /// A number with the digits it was sent with, so that a 20-digit identifier or an amount of
    /// money loses none. Numbers with the same value are equal, regardless of how they are written.
    public struct Number: Sendable, CustomStringConvertible {
        private enum Storage: Sendable {
            case integer(Int64)
            case double(Double)
            /// Text that was checked to be a number (RFC 8259 §6).
            case text(String)
        }

        private let storage: Storage

        /// Creates the number of an integer, exactly.
        public init(_ value: some BinaryInteger) {
            storage = Int64(exactly: value).map { .integer($0) } ?? .text("\(value)")
        }

        /// Creates a number. JSON has neither infinity nor NaN: writing them throws.
        public init(_ value: Double) { storage = .double(value) }

        /// Creates a number from its text, or `nil` if the text does not follow RFC 8259 §6.
        package init?(_ text: String) {
            // The parser would skip blanks and a byte order mark.
            guard let first = text.utf8.first, first == UInt8(ascii: "-") || first.isASCIIDigit,
                text.utf8.last?.isASCIIDigit == true
            else { return nil }
            var parser = JSONParser(Array(text.utf8))
            guard let number = try? parser.parseWhole().number else { return nil }
            self = number
        }

        /// - Parameter text: A text known to be a number.
        init(checked text: String, isInteger: Bool) {
            // "-0" cannot be an Int64.
            if isInteger, let integer = Int64(text), integer != 0 || text == "0" {
                storage = .integer(integer)
            } else {
                storage = .text(text)
            }
        }

        /// The number as it is written: the digits that were read, or the fewest that identify the
        /// `Double`.
        public var description: String {
            switch storage {
            case .integer(let integer): return "\(integer)"
            case .text(let text): return text
            case .double(let double):
                let text = "\(double)"
                return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
            }
        }

        var isFinite: Bool {
            if case .double(let double) = storage { double.isFinite } else { true }
        }

        /// The value if it is an integer and fits, regardless of how it is written (`1e3` is 1000).
        package var int64: Int64? {
            switch storage {
            case .integer(let integer): return integer
            case .double(let double): return Int64(exactly: double)
            case .text:
                guard let decimal = Decimal(description), decimal.exponent >= 0,
                    decimal.digits.count + decimal.exponent <= 19
                else { return nil }
                let digits =
                    String(decoding: decimal.digits, as: UTF8.self)
                    + String(repeating: "0", count: decimal.exponent)
                return Int64((decimal.isNegative ? "-" : "") + (digits.isEmpty ? "0" : digits))
            }
        }

        /// The nearest `Double`; `nil` for a number beyond all of them.
        public var double: Double? {
            let value: Double? =
                switch storage {
                case .integer(let integer): Double(integer)
                case .double(let double): double
                case .text(let text): Double(text)
                }
            return value.flatMap { $0.isFinite ? $0 : nil }
        }
    }
}

extension HTTPJSON.Number: Hashable {
    public static func == (a: Self, b: Self) -> Bool {
        switch (a.storage, b.storage) {
        case (.integer(let a), .integer(let b)): return a == b
        case (.double(let a), .double(let b)): return a == b
        default:
            guard let x = Decimal(a.description), let y = Decimal(b.description) else {
                return false  // infinity, NaN
            }
            return x == y
        }
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(double) }

    /// The value as digits without leading and trailing zeros, times a power of ten: one form per
    /// value.
    private struct Decimal: Equatable {
        var isNegative: Bool
        var digits: ArraySlice<UInt8>
        var exponent: Int

        /// Creates the form, or `nil` if `text` is not a finite number.
        init?(_ text: String) {
            guard let last = text.utf8.last, last.isASCIIDigit else { return nil }
            let parts = text.utf8.split { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
            let mantissa = parts.first ?? text.utf8[...]
            // Beyond 18 digits an exponent is only huge; half the range leaves room to add to it.
            let written = parts.dropFirst().first.map { String(decoding: $0, as: UTF8.self) } ?? "0"
            let huge = written.hasPrefix("-") ? Int.min / 2 : Int.max / 2
            exponent = Int(written).map { max(.min / 2, min(.max / 2, $0)) } ?? huge
            let point = mantissa.firstIndex(of: UInt8(ascii: "."))
            if let point {
                exponent -= mantissa.distance(from: point, to: mantissa.endIndex) - 1
            }
            digits = mantissa.filter(\.isASCIIDigit)[...].drop { $0 == UInt8(ascii: "0") }
            while digits.last == UInt8(ascii: "0") {
                digits.removeLast()
                exponent += 1
            }
            isNegative = mantissa.first == UInt8(ascii: "-") && !digits.isEmpty
            if digits.isEmpty { exponent = 0 }
        }
    }
}
