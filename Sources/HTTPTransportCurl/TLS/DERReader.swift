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
        let start = rest.startIndex
        guard let (tag, content, length) = header, length <= rest.endIndex - content else {
            return nil
        }
        let end = content + length
        defer { rest = rest[end...] }
        return Element(tag: tag, whole: rest[start..<end], content: rest[content..<end])
    }

    /// Goes on with the content of the next element, of which only the beginning need be there.
    /// Returns `false` if its tag is another.
    private mutating func enter(_ tag: UInt8) -> Bool {
        guard let header, header.tag == tag else { return false }
        rest = rest[header.content...]
        return true
    }

    /// The tag of the next element, the index of its content, and the length of that.
    private var header: (tag: UInt8, content: Int, length: Int)? {
        let start = rest.startIndex
        guard rest.endIndex - start >= 2, rest[start] & 0x1F != 0x1F else { return nil }
        let first = Int(rest[start + 1])
        guard first >= 0x80 else { return (rest[start], start + 2, first) }
        let count = first & 0x7F
        guard (1...4).contains(count), rest.endIndex - start >= 2 + count else { return nil }
        var length = 0
        for index in start + 2..<start + 2 + count { length = length << 8 | Int(rest[index]) }
        let isShortest = length >= 0x80 && (count == 1 || rest[start + 2] != 0)
        return isShortest ? (rest[start], start + 2 + count, length) : nil
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
        guard fields.skipToSubject(), fields.next(sequence) != nil else { return nil }
        return fields.next(sequence)?.whole
    }

    /// Returns the subject of a certificate, a Name, including tag and length (RFC 5280 §4.1).
    ///
    /// - Parameter beginning: The certificate's bytes, at least to the end of its subject.
    static func subject(of beginning: [UInt8]) -> ArraySlice<UInt8>? {
        var fields = DERReader(beginning[...])
        guard fields.enter(sequence), fields.enter(sequence), fields.skipToSubject() else {
            return nil
        }
        return fields.next(sequence)?.whole
    }

    /// Skips the fields of a certificate before its subject.
    private mutating func skipToSubject() -> Bool {
        // The version is left out in certificates of version 1.
        guard var field = next() else { return false }
        if field.tag == Self.version {
            guard let serialNumber = next() else { return false }
            field = serialNumber
        }
        guard field.tag == Self.integer else { return false }
        for _ in ["signature", "issuer", "validity"] {
            guard next(Self.sequence) != nil else { return false }
        }
        return true
    }
}
