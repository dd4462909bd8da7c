/// Normalization Form C (UAX #15), for scalars that are each in that form.
///
/// The standard library has the combining classes, and compares strings in this form, but does not
/// convert text to it.
package enum Normalization {
    private struct Pair: Hashable {
        var first, second: Unicode.Scalar
    }

    private static let pairs: [Unicode.Scalar: Pair] = {
        var numbers = PackedNumbers(UnicodeTables.compositions)
        var pairs: [Unicode.Scalar: Pair] = [:]
        var values = (first: 0, second: 0, composite: 0)
        while let first = numbers.nextSigned(), let second = numbers.nextSigned(),
            let composite = numbers.nextSigned()
        {
            values = (values.first + first, values.second + second, values.composite + composite)
            if let first = Unicode.Scalar(UInt32(truncatingIfNeeded: values.first)),
                let second = Unicode.Scalar(UInt32(truncatingIfNeeded: values.second)),
                let composite = Unicode.Scalar(UInt32(truncatingIfNeeded: values.composite))
            {
                pairs[composite] = Pair(first: first, second: second)
            }
        }
        return pairs
    }()

    private static let composites = Dictionary(
        pairs.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })

    package static func composed(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        // A scalar before U+0300 never composes with the previous one, and never changes its
        // position.
        guard scalars.contains(where: { $0.value >= 0x300 }) else { return scalars }
        var decomposed: [Unicode.Scalar] = []
        for scalar in scalars { decompose(scalar, into: &decomposed) }
        sortMarks(&decomposed)
        return composing(decomposed)
    }

    private static func decompose(_ scalar: Unicode.Scalar, into scalars: inout [Unicode.Scalar]) {
        if let pair = pairs[scalar] {
            decompose(pair.first, into: &scalars)
            scalars.append(pair.second)
        } else {
            scalars += HangulSyllable.decomposed(scalar) ?? [scalar]
        }
    }

    /// Sorts the marks after each starter by their combining classes; equal ones keep their order.
    private static func sortMarks(_ scalars: inout [Unicode.Scalar]) {
        for end in scalars.indices where scalars[end].combiningClass != 0 {
            var place = end
            while place > 0, scalars[place - 1].combiningClass > scalars[place].combiningClass {
                scalars.swapAt(place - 1, place)
                place -= 1
            }
        }
    }

    private static func composing(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var composed: [Unicode.Scalar] = []
        var starter: Int?
        // The combining class of the last scalar after the starter; -1 if there is none.
        var last = -1
        for scalar in scalars {
            let combiningClass = Int(scalar.combiningClass)
            if let starter, last < combiningClass,
                let composite = composite(composed[starter], scalar)
            {
                composed[starter] = composite
                continue
            }
            last = combiningClass
            if combiningClass == 0 {
                starter = composed.count
                last = -1
            }
            composed.append(scalar)
        }
        return composed
    }

    private static func composite(
        _ first: Unicode.Scalar, _ second: Unicode.Scalar
    ) -> Unicode.Scalar? {
        composites[Pair(first: first, second: second)] ?? HangulSyllable.composed(first, second)
    }
}

/// The syllables of Hangul, which are composed by arithmetic (Unicode §3.12).
private enum HangulSyllable {
    private static let (base, leads, vowels, trails) = (0xAC00, 0x1100, 0x1161, 0x11A7)
    private static let (leadCount, vowelCount, trailCount) = (19, 21, 28)
    private static let count = leadCount * vowelCount * trailCount

    static func decomposed(_ scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
        let index = Int(scalar.value) - base
        guard (0..<count).contains(index) else { return nil }
        let (pair, trail) = index.quotientAndRemainder(dividingBy: trailCount)
        let (lead, vowel) = pair.quotientAndRemainder(dividingBy: vowelCount)
        let values = [leads + lead, vowels + vowel] + (trail > 0 ? [trails + trail] : [])
        return values.compactMap { Unicode.Scalar(UInt32($0)) }
    }

    static func composed(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
        let (first, second) = (Int(first.value), Int(second.value))
        let (lead, vowel, trail) = (first - leads, second - vowels, second - trails)
        if (0..<leadCount).contains(lead), (0..<vowelCount).contains(vowel) {
            return Unicode.Scalar(UInt32(base + (lead * vowelCount + vowel) * trailCount))
        }
        let syllable = first - base
        guard (0..<count).contains(syllable), syllable % trailCount == 0,
            (1..<trailCount).contains(trail)
        else { return nil }
        return Unicode.Scalar(UInt32(first + trail))
    }
}

extension Unicode.Scalar {
    fileprivate var combiningClass: UInt8 { properties.canonicalCombiningClass.rawValue }
}
