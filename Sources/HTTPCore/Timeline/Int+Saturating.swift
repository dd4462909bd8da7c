/// Arithmetic that stops at the limits of a type instead of trapping, for numbers that come from a
/// caller, a server or a store. See `Duration+Saturating` for times.
extension FixedWidthInteger {
    package func adding(clamped other: Self) -> Self {
        let (sum, isBeyond) = addingReportingOverflow(other)
        guard isBeyond else { return sum }
        return other < 0 ? .min : .max
    }

    package func subtracting(clamped other: Self) -> Self {
        let (difference, isBeyond) = subtractingReportingOverflow(other)
        guard isBeyond else { return difference }
        return other < 0 ? .max : .min
    }

    /// Creates the integer that is nearest to `number`, rounded towards zero; zero for no number.
    package init(clamping number: Double) {
        if let exact = Self(exactly: number.rounded(.towardZero)) {
            self = exact
        } else {
            self = number.isNaN ? 0 : number < 0 ? .min : .max
        }
    }
}
