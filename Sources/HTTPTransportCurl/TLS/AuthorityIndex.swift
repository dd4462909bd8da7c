import HTTPCore

/// The certificates of a PEM bundle, found by their subjects. OpenSSL parses only those that are
/// looked for, which takes it some 0.15 ms for each, and only once.
final class AuthorityIndex: Sendable {
    private let pem: [UInt8]
    /// The places of the certificates in `pem`, in the order of their keys.
    private let entries: [(key: SubjectKey, place: Range<Int>)]
    private let parsed = Locked<[Int: TLSCertificate]>([:])

    /// Returns `nil` if the bundle holds no certificate, or anything but certificates and text
    /// between them. Only OpenSSL knows the meaning of such a bundle.
    init?(pem: [UInt8]) {
        guard let places = PEM.certificates(in: pem), !places.isEmpty else { return nil }
        var entries: [(key: SubjectKey, place: Range<Int>)] = []
        entries.reserveCapacity(places.count)
        for place in places {
            guard let subject = Self.subject(in: pem[place]) else { return nil }
            entries.append((SubjectKey(subject), place))
        }
        self.pem = pem
        self.entries = entries.sorted { $0.key < $1.key }
        sample =
            Array("-----BEGIN CERTIFICATE-----".utf8) + pem[places[0]]
            + Array("-----END CERTIFICATE-----\n".utf8)
    }

    private static func subject(in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        // Most subjects end within this many bytes.
        let beginning = PEM.decoded(text, atLeast: 400).flatMap { DERReader.subject(of: $0) }
        return beginning ?? PEM.decoded(text).flatMap { DERReader.subject(of: $0) }
    }

    var count: Int { entries.count }

    /// One of the certificates, in PEM.
    let sample: [UInt8]

    /// Returns all certificates that may have this subject, and perhaps others.
    ///
    /// - Parameter subject: A Name in DER.
    func certificates(for subject: [UInt8]) -> [TLSCertificate] {
        let key = SubjectKey(subject[...])
        var first = 0
        var end = entries.count
        while first < end {
            let middle = (first + end) / 2
            if entries[middle].key < key { first = middle + 1 } else { end = middle }
        }
        var found: [TLSCertificate] = []
        for number in first..<entries.count {
            guard entries[number].key == key else { break }
            if let certificate = certificate(number) { found.append(certificate) }
        }
        return found
    }

    private func certificate(_ number: Int) -> TLSCertificate? {
        parsed.withLock { parsed in
            if let certificate = parsed[number] { return certificate }
            let der = PEM.decoded(pem[entries[number].place])
            let certificate = der.flatMap { TLSCertificate(der: $0) }
            parsed[number] = certificate
            return certificate
        }
    }
}

/// A value that names have in common if OpenSSL regards them as the same (RFC 5280 §7.1). Other
/// names rarely share it.
///
/// Such names may differ in case, in spaces, in the types of their strings, and in the order of
/// values that belong together. The key therefore stands for the letters and digits of ASCII in all
/// values, whatever their order.
struct SubjectKey: Hashable, Comparable {
    private let sum: UInt64

    /// - Parameter name: A Name in DER (RFC 5280 §4.1.2.4).
    init(_ name: ArraySlice<UInt8>) {
        var sum: UInt64 = 0
        var outer = DERReader(name)
        var sets = DERReader(outer.next()?.content ?? [])
        while let set = sets.next() {
            var attributes = DERReader(set.content)
            while let attribute = attributes.next() {
                var parts = DERReader(attribute.content)
                if parts.next() != nil, let value = parts.next() { sum &+= Self.hash(value) }
            }
        }
        self.sum = sum
    }

    static func < (a: Self, b: Self) -> Bool { a.sum < b.sum }

    /// Returns the FNV-1a hash of the letters, in lower case, and digits.
    private static func hash(_ value: DERReader.Element) -> UInt64 {
        // The characters of a UniversalString have four bytes, those of a BMPString two.
        let width = value.tag == 0x1C ? 4 : value.tag == 0x1E ? 2 : 1
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var place = 0
        var isASCII = true
        for byte in value.content {
            place += 1
            guard place == width else {
                isASCII = isASCII && byte == 0
                continue
            }
            let folded = byte.asciiLowercased
            let isLetter = UInt8(ascii: "a") <= folded && folded <= UInt8(ascii: "z")
            if isASCII, isLetter || folded.isASCIIDigit {
                hash = (hash ^ UInt64(folded)) &* 0x100_0000_01B3
            }
            (place, isASCII) = (0, true)
        }
        return hash
    }
}
