/// The mapping table of UTS 46 §5, for nontransitional processing without the rules of STD3.
///
/// Unpacked at its first use, in a few milliseconds. Takes about 100 KiB.
package struct ScalarMapping: Sendable {
    package enum Target: Hashable, Sendable {
        /// The scalar is not changed.
        case valid
        case disallowed
        /// The scalar is replaced by these; it is ignored if there are none.
        case replaced(by: [Unicode.Scalar])
    }

    /// The mapping of the scalars of a run.
    private enum Run {
        case valid, disallowed, ignored
        /// Each scalar is replaced by the one this many code points further on.
        case shifted(Int32)
        /// The first scalar is replaced by the second, which is valid, the third by the fourth, and
        /// so on.
        case alternating
        /// The scalars are replaced by `count` of the spellings, starting at an index.
        case spelled(at: UInt16, count: UInt8)
    }

    private var starts: [UInt32] = []
    private var runs: [Run] = []
    private var spellings: [Unicode.Scalar] = []

    package static let uts46 = Self(packed: UnicodeTables.mappings)

    /// Unpacks a table.
    ///
    /// - Parameter text: For each run, its length times six plus its kind. A shift follows; or, for
    ///   scalars with as many replacements each, their count, and the difference of each
    ///   replacement from the successor of the previous one.
    private init(packed text: String) {
        var numbers = PackedNumbers(text)
        var (start, previous) = (0, 0)
        while let number = numbers.next() {
            let (length, kind) = number.quotientAndRemainder(dividingBy: 6)
            let count = kind == 5 ? numbers.next() ?? 0 : 0
            for place in 0..<(kind == 5 ? length : 1) {
                starts.append(UInt32(truncatingIfNeeded: start + place))
                switch kind {
                case 0: runs.append(.valid)
                case 1: runs.append(.disallowed)
                case 2: runs.append(.ignored)
                case 3: runs.append(.shifted(Int32(truncatingIfNeeded: numbers.nextSigned() ?? 0)))
                case 4: runs.append(.alternating)
                default:
                    runs.append(
                        .spelled(
                            at: UInt16(truncatingIfNeeded: spellings.count),
                            count: UInt8(truncatingIfNeeded: count)))
                    for _ in 0..<count {
                        previous += 1 + (numbers.nextSigned() ?? 0)
                        if let scalar = Unicode.Scalar(UInt32(truncatingIfNeeded: previous)) {
                            spellings.append(scalar)
                        }
                    }
                }
            }
            start += length
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

/// A property of scalars, stored as runs with the same value.
package struct ScalarClasses<Class: CaseIterable & Sendable>: Sendable {
    private var starts: [UInt32] = []
    private var classes: [Class] = []

    /// Unpacks a table.
    ///
    /// - Parameter text: For each run, its length times the number of classes, plus the index of
    ///   the class.
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

/// The bidirectional class of a scalar (UAX #9 §3.2); known for the scalars that a label may hold.
package enum BidiClass: CaseIterable, Sendable {
    case leftToRight, rightToLeft, arabicLetter, arabicNumber, europeanNumber
    case europeanSeparator, commonSeparator, europeanTerminator, otherNeutral
    case boundaryNeutral, nonspacingMark

    package static let table = ScalarClasses<Self>(packed: UnicodeTables.bidiClasses)
}

/// The joining type of a letter in cursive writing (Unicode §9.2); known for the scalars that a
/// label may hold.
package enum JoiningType: CaseIterable, Sendable {
    case none, left, right, dual, transparent

    package static let table = ScalarClasses<Self>(packed: UnicodeTables.joiningTypes)
}

extension [UInt32] {
    /// Returns the index of the last of these sorted numbers that is not above `value`; 0 if there
    /// is none.
    fileprivate func lastIndex(notAbove value: UInt32) -> Int {
        var (low, high) = (0, count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if self[middle] <= value { low = middle } else { high = middle }
        }
        return low
    }
}
