/// A host name that is not all ASCII, mapped to labels in ASCII: *domain to ASCII* of the URL
/// Standard (https://url.spec.whatwg.org/#idna).
package struct InternationalDomainName {
    package let ascii: String

    /// A name that cannot be mapped.
    package struct Refusal: Error {
        /// A clause that names the byte or the label.
        package var reason: String
        init(_ reason: String) { self.reason = reason }
    }

    /// Maps a host name to ASCII.
    package init(_ text: String) throws(Refusal) {
        let scalars = Normalization.composed(try Self.replaced(text))
        var labels: [DomainLabel] = []
        for part in scalars.split(separator: ".", omittingEmptySubsequences: false) {
            do throws(Refusal) {
                labels.append(try DomainLabel(part))
            } catch {
                throw Refusal("label \(labels.count + 1) \(error.reason)")
            }
        }
        if labels.contains(where: \.isRightToLeft),
            let index = labels.firstIndex(where: { !$0.keepsBidiRule })
        {
            throw Refusal("label \(index + 1) would be shown in another order (RFC 5893 §2)")
        }
        let ascii = labels.map(\.ascii).joined(separator: ".")
        guard !ascii.isEmpty else { throw Refusal("nothing is left after mapping") }
        if let byte = ascii.utf8.first(where: \.isForbiddenInDomain) {
            throw Refusal(
                "it would contain \(Unicode.Scalar(byte).name), which is not allowed in a host")
        }
        self.ascii = ascii
    }

    /// Maps each scalar (UTS 46 §4, step 1).
    private static func replaced(_ text: String) throws(Refusal) -> [Unicode.Scalar] {
        var replaced: [Unicode.Scalar] = []
        for index in text.unicodeScalars.indices {
            let scalar = text.unicodeScalars[index]
            switch ScalarMapping.uts46[scalar] {
            case .valid: replaced.append(scalar)
            case .replaced(let others): replaced += others
            case .disallowed:
                let byte = text.utf8.distance(from: text.startIndex, to: index)
                throw Refusal("\(scalar.name), at byte \(byte), is not allowed in a host name")
            }
        }
        return replaced
    }
}

/// A label of a name that is not all ASCII, mapped and normalized.
private struct DomainLabel: Sendable {
    let ascii: String
    /// The scalars of the label; for an `xn--` label, the decoded ones.
    private let scalars: ArraySlice<Unicode.Scalar>

    init(_ mapped: ArraySlice<Unicode.Scalar>) throws(InternationalDomainName.Refusal) {
        if mapped.starts(with: "xn--".unicodeScalars) {
            ascii = String(String.UnicodeScalarView(mapped))
            // Compares scalars, because a hyphen and a combining mark after it form a different
            // `Character`.
            guard mapped.allSatisfy(\.isASCII),
                let decoded = Punycode.decode(ascii.utf8.dropFirst(4)),
                !decoded.allSatisfy(\.isASCII)
            else { throw .init("begins with xn-- but is not valid Punycode (RFC 3492)") }
            scalars = decoded[...]
            try Self.checkDecoded(decoded)
        } else {
            scalars = mapped
            ascii =
                mapped.allSatisfy(\.isASCII)
                ? String(String.UnicodeScalarView(mapped)) : "xn--" + Punycode.encode(Array(mapped))
        }
        guard scalars.first?.isMark != true else {
            throw .init("begins with a combining mark (UTS 46 §4.1)")
        }
        guard scalars.indices.allSatisfy({ !scalars[$0].isJoiner || isJoinerInPlace(at: $0) })
        else { throw .init("has a joiner where none is allowed (RFC 5892, appendix A)") }
    }

    /// Checks a decoded label (UTS 46 §4.1). Other labels meet these rules after mapping and
    /// normalization.
    private static func checkDecoded(
        _ scalars: [Unicode.Scalar]
    ) throws(InternationalDomainName.Refusal) {
        guard
            scalars.allSatisfy({ $0 != "." && ScalarMapping.uts46[$0] == .valid }),
            !scalars.starts(with: "xn--".unicodeScalars)
        else { throw .init("decodes to a scalar that no label may hold (UTS 46 §4.1)") }
        guard Normalization.composed(scalars) == scalars else {
            throw .init("decodes to text that is not in Normalization Form C (UTS 46 §4.1)")
        }
    }

    /// Returns `true` if a joiner is allowed at `index` (RFC 5892, appendix A.1 and A.2).
    private func isJoinerInPlace(at index: Int) -> Bool {
        let (before, behind) = (scalars[..<index], scalars[(index + 1)...])
        if before.last?.properties.canonicalCombiningClass == .virama { return true }
        guard scalars[index] == "\u{200C}" else { return false }
        let types = JoiningType.table
        let left = before.last { types[$0] != .transparent }.map { types[$0] }
        let right = behind.first { types[$0] != .transparent }.map { types[$0] }
        return [.left, .dual].contains(left) && [.right, .dual].contains(right)
    }

    // MARK: - Text direction

    var isRightToLeft: Bool {
        scalars.contains {
            switch BidiClass.table[$0] {
            case .rightToLeft, .arabicLetter, .arabicNumber: true
            default: false
            }
        }
    }

    /// `true` if the label meets the Bidi rule (RFC 5893 §2), as an empty label does.
    var keepsBidiRule: Bool {
        let classes = scalars.map { BidiClass.table[$0] }
        guard let first = classes.first, let last = classes.last(where: { $0 != .nonspacingMark })
        else { return scalars.isEmpty }
        switch first {
        case .rightToLeft, .arabicLetter:
            return !classes.contains(.leftToRight)
                && [.rightToLeft, .arabicLetter, .europeanNumber, .arabicNumber].contains(last)
                && !(classes.contains(.europeanNumber) && classes.contains(.arabicNumber))
        case .leftToRight:
            return Set(classes).isDisjoint(with: [.rightToLeft, .arabicLetter, .arabicNumber])
                && [.leftToRight, .europeanNumber].contains(last)
        default: return false
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    fileprivate var isJoiner: Bool { self == "\u{200C}" || self == "\u{200D}" }

    /// The code point as text, such as `U+002F`.
    fileprivate var name: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

extension UInt8 {
    /// `true` for a *forbidden domain code point* of the URL Standard.
    fileprivate var isForbiddenInDomain: Bool {
        self <= 0x20 || self == 0x7F || "#/:<>?@[\\]^|%".utf8.contains(self)
    }
}
