/// The mapping table of UTS 46 §5, for nontransitional processing without the rules of STD3.
///
/// Unpacked at its first use, in less than a millisecond; takes some 100 KiB.
package struct ScalarMapping: Sendable {
    package enum Target: Hashable, Sendable {
        /// The scalar stands for itself.
        case valid
        case disallowed
        /// By no scalars: the scalar is ignored.
        case replaced(by: [Unicode.Scalar])
    }

    /// What the scalars of a run become.
    private enum Run {
        case valid, disallowed, ignored
        /// Each is replaced by the one so many code points on.
        case shifted(Int32)
        /// The first is replaced by the second, which is valid, the third by the fourth, and so on.
        case alternating
        /// By so many of the spellings from a place on.
        case spelled(at: UInt16, count: UInt8)
    }

    private var starts: [UInt32] = []
    private var runs: [Run] = []
    private var spellings: [Unicode.Scalar] = []

    package static let uts46 = Self(packed: UnicodeTables.mappings)

    /// - Parameter text: per run its length times six and its kind; behind it a shift, or a count of
    ///   scalars and each one's difference from the one before.
    private init(packed text: String) {
        var numbers = PackedNumbers(text)
        var (start, previous) = (0, 0)
        while let number = numbers.next() {
            let (length, kind) = number.quotientAndRemainder(dividingBy: 6)
            starts.append(UInt32(truncatingIfNeeded: start))
            start += length
            switch kind {
            case 0: runs.append(.valid)
            case 1: runs.append(.disallowed)
            case 2: runs.append(.ignored)
            case 3: runs.append(.shifted(Int32(truncatingIfNeeded: numbers.nextSigned() ?? 0)))
            case 4: runs.append(.alternating)
            default:
                let place = spellings.count
                for _ in 0..<(numbers.next() ?? 0) {
                    previous += numbers.nextSigned() ?? 0
                    if let scalar = Unicode.Scalar(UInt32(truncatingIfNeeded: previous)) {
                        spellings.append(scalar)
                    }
                }
                runs.append(
                    .spelled(
                        at: UInt16(truncatingIfNeeded: place),
                        count: UInt8(truncatingIfNeeded: spellings.count - place)))
            }
        }
    }

    package subscript(scalar: Unicode.Scalar) -> Target {
        let index = starts.lastIndex(notAbove: scalar.value)
        switch runs[index] {
        case .valid: return .valid
        case .disallowed: return .disallowed
        case .ignored: return .replaced(by: [])
        case .spelled(let place, let count):
            return .replaced(by: Array(spellings[Int(place)...].prefix(Int(count))))
        case .shifted(let shift): return Self.replaced(by: Int(scalar.value) + Int(shift))
        case .alternating:
            guard (scalar.value - starts[index]) % 2 == 0 else { return .valid }
            return Self.replaced(by: Int(scalar.value) + 1)
        }
    }

    private static func replaced(by value: Int) -> Target {
        Unicode.Scalar(UInt32(truncatingIfNeeded: value)).map { .replaced(by: [$0]) } ?? .disallowed
    }
}

/// A property of scalars, of which runs of them have the same value.
package struct ScalarClasses<Class: CaseIterable & Sendable>: Sendable {
    private var starts: [UInt32] = []
    private var classes: [Class] = []

    /// - Parameter text: per run its length times the number of classes, and the class's place among them.
    fileprivate init(packed text: String) {
        let all = Array(Class.allCases)
        var start = 0
        for number in PackedNumbers(text) {
            starts.append(UInt32(truncatingIfNeeded: start))
            start += number / all.count
            classes.append(all[number % all.count])
        }
    }

    package subscript(scalar: Unicode.Scalar) -> Class {
        classes[starts.lastIndex(notAbove: scalar.value)]
    }
}

/// How a scalar takes part in the order in which text is shown (UAX #9 §3.2); known of those that a label
/// may hold.
package enum BidiClass: CaseIterable, Sendable {
    case leftToRight, rightToLeft, arabicLetter, arabicNumber, europeanNumber
    case europeanSeparator, commonSeparator, europeanTerminator, otherNeutral
    case boundaryNeutral, nonspacingMark

    package static let table = ScalarClasses<Self>(packed: UnicodeTables.bidiClasses)
}

/// How a letter joins with its neighbours in cursive writing (Unicode §9.2); known of those that a label may
/// hold.
package enum JoiningType: CaseIterable, Sendable {
    case none, left, right, dual, transparent

    package static let table = ScalarClasses<Self>(packed: UnicodeTables.joiningTypes)
}

extension [UInt32] {
    /// The place of the last of these sorted numbers that is not above `value`; 0 if there is none.
    fileprivate func lastIndex(notAbove value: UInt32) -> Int {
        var (low, high) = (0, count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if self[middle] <= value { low = middle } else { high = middle }
        }
        return low
    }
}
