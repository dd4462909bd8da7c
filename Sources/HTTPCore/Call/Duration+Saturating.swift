/// Arithmetic that stops at the ends instead of trapping: durations are a caller's or a server's word.
///
/// `Duration` itself traps beyond 128 bits of attoseconds, and its `components` do beyond 64 bits of
/// seconds. What these return is always between ``longest`` and ``shortest``, where components exist.
extension Duration {
    package static let longest = Duration.seconds(Int64.max)
    package static let shortest = Duration.seconds(Int64.min)

    /// This duration, or the nearest one that has components.
    package var saturated: Duration { min(max(self, .shortest), .longest) }

    package func adding(_ other: Duration) -> Duration { (saturated + other.saturated).saturated }

    package func subtracting(_ other: Duration) -> Duration {
        (saturated - other.saturated).saturated
    }

    /// Zero where `factor`, or the product, is not a number.
    package func scaled(by factor: Double) -> Duration {
        let product = Double(saturated.attoseconds) * factor
        if product >= Double(Self.longest.attoseconds) { return .longest }
        if product <= Double(Self.shortest.attoseconds) { return .shortest }
        return product.isNaN ? .zero : Duration(attoseconds: Int128(product))
    }

    /// Whole nanoseconds, rounded up so that no sleep ends too early; 292 years at most.
    package var nanoseconds: Int64 {
        let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return Int64(clamping: rest > 0 ? whole + 1 : whole)
    }

    /// Whole seconds, rounded down towards zero.
    package var wholeSeconds: Int64 { saturated.components.seconds }

    package var inSeconds: Double {
        let (seconds, attoseconds) = saturated.components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}
