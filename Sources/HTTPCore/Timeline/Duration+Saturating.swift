/// Arithmetic that stops at the limits instead of trapping, because a caller or a server may give
/// any duration.
///
/// `Duration` itself traps beyond 128 bits of attoseconds, and its `components` trap beyond 64 bits
/// of seconds. The results here are always between ``shortest`` and ``longest``, where components
/// exist.
extension Duration {
    package static let longest = Duration.seconds(Int64.max)
    package static let shortest = Duration.seconds(Int64.min)

    /// This duration, or the nearest one that has components.
    package var saturated: Duration { min(max(self, .shortest), .longest) }

    package func adding(_ other: Duration) -> Duration { (saturated + other.saturated).saturated }

    package func subtracting(_ other: Duration) -> Duration {
        (saturated - other.saturated).saturated
    }

    /// Returns the product, or zero if `factor` or the product is not a number.
    package func scaled(by factor: Double) -> Duration {
        let product = Double(saturated.attoseconds) * factor
        if product >= Double(Self.longest.attoseconds) { return .longest }
        if product <= Double(Self.shortest.attoseconds) { return .shortest }
        return product.isNaN ? .zero : Duration(attoseconds: Int128(product))
    }

    /// The whole nanoseconds, rounded up so that no sleep ends too early; at most 292 years.
    package var nanoseconds: Int64 {
        let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return Int64(clamping: rest > 0 ? whole + 1 : whole)
    }

    /// The whole seconds, rounded towards zero.
    package var wholeSeconds: Int64 { saturated.components.seconds }

    package var inSeconds: Double {
        let (seconds, attoseconds) = saturated.components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}
