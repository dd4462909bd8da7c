extension Duration {
    /// The duration for people, in the unit that fits: `"250 ms"`, `"1.5 s"`, `"3 min 20 s"`.
    ///
    /// Error texts have their durations in this form. Below two minutes, three digits follow the
    /// point at most, or one for a unit smaller than a second. Above, the parts of the second
    /// largest unit are left out.
    package var readable: String {
        // Rounded first, because a `Double` of seconds is seldom the exact number.
        let total = saturated.attoseconds.magnitude + 500_000_000
        let nanoseconds = total / 1_000_000_000
        let sign = self < .zero && nanoseconds > 0 ? "-" : ""
        return sign + Self.text(nanoseconds)
    }

    private static func text(_ nanoseconds: UInt128) -> String {
        let seconds = nanoseconds / 1_000_000_000
        return switch nanoseconds {
        case 0: "0 s"
        case ..<1_000: "\(nanoseconds) ns"
        case ..<1_000_000: "\(decimal(nanoseconds / 100, digits: 1)) µs"
        case ..<1_000_000_000: "\(decimal(nanoseconds / 100_000, digits: 1)) ms"
        case ..<120_000_000_000: "\(decimal(nanoseconds / 1_000_000, digits: 3)) s"
        case ..<7_200_000_000_000: pair(seconds, "s", per: 60, "min")
        case ..<172_800_000_000_000: pair(seconds / 60, "min", per: 60, "h")
        default: pair(seconds / 3600, "h", per: 24, "d")
        }
    }

    /// Returns `count` divided by ten to the power of `digits`, without zeros at its end.
    private static func decimal(_ count: UInt128, digits: Int) -> String {
        var (whole, rest, places) = (count, UInt128(0), "")
        for _ in 0..<digits {
            (whole, rest) = whole.quotientAndRemainder(dividingBy: 10)
            if rest > 0 || !places.isEmpty { places = "\(rest)\(places)" }
        }
        return places.isEmpty ? "\(whole)" : "\(whole).\(places)"
    }

    /// Returns `count` small units as large ones and the rest.
    private static func pair(
        _ count: UInt128, _ small: String, per size: UInt128, _ large: String
    ) -> String {
        let (whole, rest) = count.quotientAndRemainder(dividingBy: size)
        return rest == 0 ? "\(whole) \(large)" : "\(whole) \(large) \(rest) \(small)"
    }
}

extension Duration {
    /// The duration as text, such as `"12.3 ms"`.
    package var milliseconds: String {
        let tenths = (attoseconds / 100_000_000_000_000).magnitude
        return "\(self < .zero && tenths > 0 ? "-" : "")\(tenths / 10).\(tenths % 10) ms"
    }
}
