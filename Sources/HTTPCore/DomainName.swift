/// A host name in the form that DNS knows: labels beyond ASCII become `xn--` labels (RFC 5891 §5).
///
/// A name in ASCII is taken as it is, `xn--` labels in it unread, as browsers do. Any other is
/// held to RFC 5892 and RFC 5893 as far as the properties of `Unicode.Scalar` tell, and refused
/// beyond: two programs that map one name differently talk to two servers.
package struct DomainName: Hashable, Sendable {
    package let ascii: String

    /// - Throws: `invalidRequest` naming the octet of `text` that cannot be mapped.
    package init(_ text: String) throws(HTTPError) {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else {
            ascii = text
            return
        }
        // A scalar has four octets at most, and becomes one at least.
        guard text.utf8.count <= 4 * 254 else {
            throw HTTPError(.invalidRequest, "the host \(text.logSafe) is too long")
        }
        // By octets: a dot with a combining mark behind it is another `Character`.
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .map { Substring($0) }
        var labels: [DomainLabel] = []
        for part in parts {
            do throws(DomainLabel.Refusal) {
                labels.append(try DomainLabel(part))
            } catch {
                throw Self.refusal(text, at: error.position, error.reason)
            }
        }
        if labels.contains(where: \.isRightToLeft),
            let index = labels.firstIndex(where: { !$0.keepsBidiRule })
        {
            throw Self.refusal(
                text, at: parts[index].startIndex,
                "the label would be shown in another order (RFC 5893 §2)"
            )
        }
        ascii = labels.map(\.ascii).joined(separator: ".")
    }

    private static func refusal(_ text: String, at index: String.Index, _ reason: String)
        -> HTTPError
    {
        HTTPError(
            .invalidRequest,
            "the host \(text.logSafe) cannot be mapped to ASCII, at octet "
                + "\(text.utf8.distance(from: text.startIndex, to: index)): \(reason); "
                + "write that label in its xn-- form")
    }
}

/// One label of a name that is not all ASCII.
struct DomainLabel: Sendable {
    struct Refusal: Error {
        var position: String.Index
        var reason: String
    }

    let ascii: String
    /// In lower case; of an `xn--` label those it stands for.
    private let scalars: [Unicode.Scalar]

    init(_ text: Substring) throws(Refusal) {
        let mapped = try Self.mapped(text)
        do throws(Reason) {
            (ascii, scalars) = try Self.encoded(mapped)
            if !scalars.allSatisfy(\.isASCII) { try Self.check(scalars) }
        } catch {
            throw Refusal(position: text.startIndex, reason: error.text)
        }
    }

    private struct Reason: Error {
        var text: String
        init(_ text: String) { self.text = text }
    }

    private static func mapped(_ text: Substring) throws(Refusal) -> [Unicode.Scalar] {
        var mapped: [Unicode.Scalar] = []
        for index in text.unicodeScalars.indices {
            let scalar = text.unicodeScalars[index]
            // Which ASCII may stay depends on what stands beside it.
            guard let lower = scalar.inDomainLabel ?? (scalar.isASCII ? scalar : nil) else {
                let number = String(scalar.value, radix: 16, uppercase: true)
                throw Refusal(
                    position: index,
                    reason: "U+\(number) is not allowed in a label, "
                        + "or not without a mapping this package has no tables for")
            }
            mapped.append(lower)
        }
        return mapped
    }

    private static func encoded(
        _ mapped: [Unicode.Scalar]
    ) throws(Reason) -> (ascii: String, scalars: [Unicode.Scalar]) {
        let isASCII = mapped.allSatisfy(\.isASCII)
        guard mapped.starts(with: "xn--".unicodeScalars) else {
            if isASCII { return (String(String.UnicodeScalarView(mapped)), mapped) }
            guard mapped.allSatisfy({ $0.inDomainLabel == $0 }) else {
                throw Reason("a label beyond ASCII has no other ASCII than letters, digits and -")
            }
            guard mapped.count <= 63 else { throw Reason("the label is longer than 63 octets") }
            return ("xn--" + Punycode.encode(mapped), mapped)
        }
        let ascii = String(String.UnicodeScalarView(mapped))
        guard isASCII, mapped.count <= 63, let decoded = Punycode.decode(ascii.utf8.dropFirst(4)),
            !decoded.allSatisfy(\.isASCII), "xn--" + Punycode.encode(decoded) == ascii
        else { throw Reason("the label begins with xn-- and is not in that form") }
        guard decoded.allSatisfy({ $0.inDomainLabel == $0 }) else {
            throw Reason("the xn-- label stands for what no label may hold (RFC 5892 §3)")
        }
        return (ascii, decoded)
    }

    private static func check(_ scalars: [Unicode.Scalar]) throws(Reason) {
        guard scalars.first?.properties.generalCategory.isMark == false else {
            throw Reason("a label begins with no combining mark (RFC 5891 §4.2.3.2)")
        }
        guard scalars.isNormalized else {
            throw Reason("the label is not in Normalization Form C (RFC 5891 §5.3)")
        }
        guard scalars.keepsContextRules else {
            throw Reason("a joiner, middle dot or digit stands where it may not (RFC 5892, app. A)")
        }
    }
}

// MARK: - What a label may hold

extension Unicode.Scalar {
    /// This scalar, or its lower case, if a label may hold that (RFC 5892 §3, RFC 5895 §2).
    ///
    /// One that is stable under NFKC and case folding stands for itself in every mapping there is, and
    /// so does the lower case of a letter if that is; any other takes tables.
    fileprivate var inDomainLabel: Unicode.Scalar? {
        if isValidInLabel { return self }
        let lower = properties.lowercaseMapping.unicodeScalars
        guard let only = lower.first, lower.count == 1, only.isValidInLabel else { return nil }
        return only
    }

    /// PVALID, CONTEXTJ, or CONTEXTO with a rule that can be checked here.
    private var isValidInLabel: Bool {
        switch value {
        case 0x2D, 0x30...0x39, 0x61...0x7A: return true
        case ..<0x80: return false
        // Exceptions (RFC 5892 §2.6), the joiners (§2.8), and the middle dot of Catalan (app. A.3).
        case 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007, 0x200C, 0x200D, 0xB7: return true
        case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: return false
        // Old Hangul letters (§2.9); marks for symbols and musical notation (§2.4).
        case 0x1100...0x11FF, 0xA960...0xA97F, 0xD7B0...0xD7FF, 0x20D0...0x20FF,
            0x1D100...0x1D24F:
            return false
        default:
            guard !properties.changesWhenNFKCCaseFolded else { return false }
            switch properties.generalCategory {
            case .lowercaseLetter, .uppercaseLetter, .otherLetter, .modifierLetter,
                .nonspacingMark, .spacingMark, .decimalNumber:
                return true
            default: return false
            }
        }
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isMark: Bool {
        self == .nonspacingMark || self == .spacingMark || self == .enclosingMark
    }
}

extension [Unicode.Scalar] {
    /// Whether these scalars, each in NFC by itself, are so together (UAX #15).
    ///
    /// Swift compares strings by their NFC. What composes into a starter changes the first scalar
    /// of the text from that starter to the next one, so that it is no longer between those that
    /// the scalars before and behind the starter begin. (Never compared with the starter itself: the
    /// standard library takes a string that another one begins with for the lesser without more ado.)
    fileprivate var isNormalized: Bool {
        func combiningClass(_ index: Int) -> UInt8 {
            self[index].properties.canonicalCombiningClass.rawValue
        }
        func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
            String(String.UnicodeScalarView(scalars))
        }
        let isOrdered = indices.dropFirst().allSatisfy {
            combiningClass($0) == 0 || combiningClass($0 - 1) <= combiningClass($0)
        }
        guard isOrdered else { return false }
        return indices.allSatisfy { index in
            guard combiningClass(index) == 0 else { return true }
            let end = self[(index + 1)...].indices.first { combiningClass($0) == 0 } ?? endIndex - 1
            guard end > index, let next = self[index].neighbor(1),
                let previous = self[index].neighbor(-1)
            else { return true }
            let whole = text(self[index...end])
            return text([previous, "\u{10FFFF}"]) < whole && whole < text([next])
        }
    }

    /// RFC 5892, appendix A.1 (first half: no joining types here), A.2, A.3, A.8 and A.9.
    fileprivate var keepsContextRules: Bool {
        let areInPlace = indices.allSatisfy { index in
            switch self[index].value {
            case 0x200C, 0x200D:
                index > 0 && self[index - 1].properties.canonicalCombiningClass == .virama
            case 0xB7:
                index > 0 && index + 1 < count && self[index - 1] == "l" && self[index + 1] == "l"
            default: true
            }
        }
        return areInPlace
            && !(contains { (0x660...0x669).contains($0.value) }
                && contains { (0x6F0...0x6F9).contains($0.value) })
    }
}

extension Unicode.Scalar {
    /// The next scalar, by steps of that size, that is its own NFC.
    fileprivate func neighbor(_ step: Int) -> Unicode.Scalar? {
        var value = Int(value) + step
        while (0...0x10_FFFF).contains(value) {
            if let scalar = Unicode.Scalar(UInt32(value)),
                !scalar.properties.isFullCompositionExclusion
            {
                return scalar
            }
            value += step
        }
        return nil
    }
}

// MARK: - The order in which a label is shown

extension DomainLabel {
    /// What decides about a name in which anything runs from right to left; never taken for
    /// something more harmless than it is.
    private enum Direction {
        case leftToRight, rightToLeft, europeanDigit, arabicDigit, mark, neutral, uncertain

        init(_ scalar: Unicode.Scalar) {
            let isInRightToLeftBlock =
                switch scalar.value {
                case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x1_0800...0x1_0FFF,
                    0x1_E800...0x1_EFFF:
                    true
                default: false
                }
            switch scalar.properties.generalCategory {
            case .nonspacingMark: self = .mark
            case .decimalNumber:
                switch scalar.value {
                case 0x30...0x39, 0x6F0...0x6F9: self = .europeanDigit
                case 0x660...0x669, 0x1_0D30...0x1_0D39: self = .arabicDigit
                default: self = isInRightToLeftBlock ? .rightToLeft : .leftToRight
                }
            case .modifierLetter: self = isInRightToLeftBlock ? .rightToLeft : .uncertain
            case .lowercaseLetter, .uppercaseLetter, .otherLetter:
                self = isInRightToLeftBlock ? .rightToLeft : .leftToRight
            case .spacingMark: self = .leftToRight
            default: self = isInRightToLeftBlock ? .uncertain : .neutral
            }
        }
    }

    fileprivate var isRightToLeft: Bool {
        scalars.contains {
            let direction = Direction($0)
            return direction == .rightToLeft || direction == .arabicDigit
        }
    }

    /// RFC 5893 §2; an empty label, which is a name's last, keeps it.
    fileprivate var keepsBidiRule: Bool {
        let directions = scalars.map { Direction($0) }
        guard let first = directions.first, let last = directions.last(where: { $0 != .mark })
        else { return scalars.isEmpty }
        let found = Set(directions)
        switch first {
        case .rightToLeft:
            return found.isDisjoint(with: [.leftToRight, .uncertain])
                && [.rightToLeft, .europeanDigit, .arabicDigit].contains(last)
                && !found.isSuperset(of: [.europeanDigit, .arabicDigit])
        case .leftToRight:
            return found.isDisjoint(with: [.rightToLeft, .arabicDigit])
                && [.leftToRight, .europeanDigit].contains(last)
        default: return false
        }
    }
}
