/// A sequence of scalars written in letters, digits and hyphens (RFC 3492), without the `xn--`.
///
/// Takes quadratic time, so it is meant for labels. ``DomainLabel`` limits their length.
package enum Punycode {
    private static let (base, minimum, maximum) = (36, 1, 26)
    private static let (skew, damping) = (38, 700)
    private static let (firstBias, firstScalar) = (72, 0x80)

    /// Encodes scalars. ASCII letters keep their case.
    package static func encode(_ scalars: [Unicode.Scalar]) -> String {
        let basic = scalars.filter(\.isASCII).map { UInt8(truncatingIfNeeded: $0.value) }
        var output = basic + (basic.isEmpty ? [] : [UInt8(ascii: "-")])
        var (scalar, delta, bias) = (firstScalar, 0, firstBias)
        var handled = basic.count
        while let next = scalars.lazy.map({ Int($0.value) }).filter({ $0 >= scalar }).min() {
            delta += (next - scalar) * (handled + 1)
            scalar = next
            for other in scalars {
                if other.value < scalar { delta += 1 }
                guard other.value == scalar else { continue }
                var rest = delta
                for threshold in thresholds(bias) {
                    guard rest >= threshold else { break }
                    output.append(digit(threshold + (rest - threshold) % (base - threshold)))
                    rest = (rest - threshold) / (base - threshold)
                }
                output.append(digit(rest))
                bias = adapted(delta, count: handled + 1, isFirst: handled == basic.count)
                delta = 0
                handled += 1
            }
            delta += 1
            scalar += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Decodes text, with digits of either case. Returns `nil` if the text does not encode a
    /// sequence of scalars.
    package static func decode(_ text: some Sequence<UInt8>) -> [Unicode.Scalar]? {
        let bytes = Array(text)
        let hyphen = bytes.lastIndex(of: UInt8(ascii: "-")) ?? 0
        guard bytes[..<hyphen].allSatisfy({ $0 < 0x80 }) else { return nil }
        var scalars = bytes[..<hyphen].map { Unicode.Scalar($0) }
        var (scalar, place, bias) = (firstScalar, 0, firstBias)
        var input = bytes[(hyphen > 0 ? hyphen + 1 : 0)...]
        while !input.isEmpty {
            let start = place
            var weight = 1
            for threshold in thresholds(bias) {
                guard let digit = input.popFirst().flatMap(digitValue) else { return nil }
                let (step, stepOverflows) = digit.multipliedReportingOverflow(by: weight)
                let (sum, sumOverflows) = place.addingReportingOverflow(step)
                let (next, nextOverflows) = weight.multipliedReportingOverflow(by: base - threshold)
                guard !stepOverflows, !sumOverflows, !nextOverflows else { return nil }
                place = sum
                if digit < threshold { break }
                weight = next
            }
            let count = scalars.count + 1
            bias = adapted(place - start, count: count, isFirst: start == 0)
            scalar += place / count
            place %= count
            guard let value = UInt32(exactly: scalar), let new = Unicode.Scalar(value) else {
                return nil
            }
            scalars.insert(new, at: place)
            place += 1
        }
        return scalars
    }

    /// Returns the threshold of each place: a digit below it is the last one. The sequence is
    /// infinite.
    private static func thresholds(_ bias: Int) -> some Sequence<Int> {
        sequence(first: base) { $0 + base }.lazy.map { min(max($0 - bias, minimum), maximum) }
    }

    /// Adapts the bias (RFC 3492 §6.1).
    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / damping : delta / 2
        delta += delta / count
        var steps = 0
        while delta > (base - minimum) * maximum / 2 {
            delta /= base - minimum
            steps += base
        }
        return steps + (base - minimum + 1) * delta / (delta + skew)
    }

    private static func digit(_ value: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: value) + (value < 26 ? UInt8(ascii: "a") : UInt8(ascii: "0") - 26)
    }

    private static func digitValue(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a"))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0")) + 26
        default: nil
        }
    }
}
