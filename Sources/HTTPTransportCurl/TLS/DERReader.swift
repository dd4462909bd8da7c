/// A reader of DER elements (X.690 §8, §10), one after the other. It supports what a certificate's
/// public key needs: tags of one byte, and definite lengths in their shortest form.
struct DERReader {
    struct Element {
        var tag: UInt8
        /// The bytes of the element, including tag and length.
        var whole: ArraySlice<UInt8>
        var content: ArraySlice<UInt8>
    }

    private static let sequence: UInt8 = 0x30
    private static let integer: UInt8 = 0x02
    /// `[0]`, constructed: a certificate's version.
    private static let version: UInt8 = 0xA0

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Returns the next element, or `nil` at the end or if there is none.
    mutating func next() -> Element? {
        var input = rest
        guard let tag = input.popFirst(), tag & 0x1F != 0x1F, let first = input.popFirst() else {
            return nil
        }
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            guard (1...4).contains(count), input.count >= count else { return nil }
            length = input.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            let isShortest = length >= 0x80 && (count == 1 || input.first != 0)
            guard isShortest else { return nil }
            input = input.dropFirst(count)
        }
        guard length <= input.count else { return nil }
        let content = input.prefix(length)
        let whole = rest[rest.startIndex..<content.endIndex]
        rest = input.dropFirst(length)
        return Element(tag: tag, whole: whole, content: content)
    }

    private mutating func next(_ tag: UInt8) -> Element? {
        guard let element = next(), element.tag == tag else { return nil }
        return element
    }

    /// Returns the SubjectPublicKeyInfo of a certificate, including tag and length (RFC 5280 §4.1).
    static func subjectPublicKeyInfo(of certificate: [UInt8]) -> ArraySlice<UInt8>? {
        var outer = DERReader(certificate[...])
        guard let whole = outer.next(sequence) else { return nil }
        var signed = DERReader(whole.content)
        guard let toBeSigned = signed.next(sequence) else { return nil }
        var fields = DERReader(toBeSigned.content)
        // The version is left out in certificates of version 1.
        guard var field = fields.next() else { return nil }
        if field.tag == version {
            guard let serialNumber = fields.next() else { return nil }
            field = serialNumber
        }
        guard field.tag == integer else { return nil }
        for _ in ["signature", "issuer", "validity", "subject"] {
            guard fields.next(sequence) != nil else { return nil }
        }
        return fields.next(sequence)?.whole
    }
}
