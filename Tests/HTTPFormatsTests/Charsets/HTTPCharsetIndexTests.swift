import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

/// Every label and every code point of the Encoding Standard's own files.
@Suite(
    .enabled(if: StandardsData.isAvailable, StandardsData.whySkipped), .timeLimit(.minutes(5)))
struct HTTPCharsetIndexTests {
    /// The code points by pointer, `nil` for none; for `gb18030-ranges`, pairs of pointer and
    /// code point.
    private struct Indexes: Decodable {
        private enum Entry: Decodable {
            case scalar(UInt32)
            case range([UInt32])

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                self =
                    if let scalar = try? container.decode(UInt32.self) { .scalar(scalar) } else {
                        .range(try container.decode([UInt32].self))
                    }
            }
        }

        var scalars: [String: [UInt32?]] = [:]
        var ranges: [(pointer: UInt32, scalar: UInt32)] = []

        init(from decoder: any Decoder) throws {
            let entries = try decoder.singleValueContainer().decode([String: [Entry?]].self)
            for (name, entries) in entries {
                scalars[name] = entries.map {
                    if case .scalar(let scalar)? = $0 { scalar } else { nil }
                }
            }
            ranges = (entries["gb18030-ranges"] ?? []).compactMap {
                if case .range(let pair)? = $0 { (pair[0], pair[1]) } else { nil }
            }
        }
    }

    private func indexes() throws -> Indexes {
        try JSONDecoder().decode(Indexes.self, from: StandardsData.file("charset/indexes.json"))
    }

    /// Byte sequences and the scalars they stand for, decoded all at once.
    private struct Sequences {
        var bytes: [UInt8] = []
        var scalars: [UInt32] = []

        mutating func append(_ sequence: [UInt8], _ scalar: UInt32?) {
            bytes += sequence
            scalars.append(scalar ?? 0xFFFD)
            // The last byte of a malformed sequence is read again if it is ASCII.
            if scalar == nil, let last = sequence.last, last < 0x80 { scalars.append(UInt32(last)) }
        }

        /// Records a failure that names the first scalar that differs.
        func expectDecoded(
            as label: String, prefix: [UInt8] = [],
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let charset = try #require(HTTPCharset(label: label))
            let found = try charset.decode(Data(prefix + bytes)).unicodeScalars.map(\.value)
            let place = zip(found, scalars).enumerated().first { $1.0 != $1.1 }?.offset
            let detail = place.map { "\($0): U+\(String(found[$0], radix: 16))" } ?? "the length"
            let isSame = found == scalars
            #expect(isSame, "\(label) differs at \(detail)", sourceLocation: sourceLocation)
        }
    }

    private func index(_ name: String) throws -> [UInt32?] {
        try #require(try indexes().scalars[name])
    }

    // MARK: Text

    @Test(.rows("S4-16"))
    func `every label of the standard names its encoding, and no other label any`() throws {
        struct Group: Decodable {
            struct Encoding: Decodable {
                var name: String
                var labels: [String]
            }
            var encodings: [Encoding]
        }
        let groups = try JSONDecoder().decode(
            [Group].self, from: StandardsData.file("charset/encodings.json"))
        let encodings = groups.flatMap(\.encodings)
        for encoding in encodings {
            for label in encoding.labels {
                #expect(HTTPCharset(label: label)?.name == encoding.name, "\(label)")
            }
        }
        #expect(Set(HTTPCharset.Encoding.allCases.map(\.name)) == Set(encodings.map(\.name)))
    }

    @Test func `every byte of a single-byte encoding has its code point`() throws {
        var count = 0
        for (name, index) in try indexes().scalars where index.count == 128 {
            var sequences = Sequences()
            for (byte, scalar) in index.enumerated() {
                sequences.append([0x80 + UInt8(byte)], scalar)
            }
            try sequences.expectDecoded(as: name)
            count += 1
        }
        #expect(count == 27)
    }

    @Test(arguments: ["gbk", "gb18030"])
    func `every pair of bytes of gb18030 has its code point`(label: String) throws {
        var sequences = Sequences()
        for (pointer, scalar) in try index("gb18030").enumerated() {
            let (lead, trail) = pointer.quotientAndRemainder(dividingBy: 190)
            sequences.append(
                [UInt8(lead + 0x81), UInt8(trail + (trail < 0x3F ? 0x40 : 0x41))], scalar)
        }
        try sequences.expectDecoded(as: label)
    }

    @Test func `every four bytes of gb18030 have their code point`() throws {
        let ranges = try indexes().ranges
        var sequences = Sequences()
        func append(_ pointer: UInt32) {
            let range = ranges.last { $0.pointer <= pointer }
            let bytes = [
                pointer / 12600 + 0x81, pointer / 1260 % 10 + 0x30, pointer / 10 % 126 + 0x81,
                pointer % 10 + 0x30,
            ]
            sequences.append(
                bytes.map { UInt8($0) },
                pointer == 7457 ? 0xE7C7 : range.map { $0.scalar + pointer - $0.pointer })
        }
        for pointer in 0...39419 { append(UInt32(pointer)) }
        for pointer in stride(from: 189_000, through: 1_237_575, by: 5) { append(UInt32(pointer)) }
        try sequences.expectDecoded(as: "gb18030")
    }

    @Test func `every pair of bytes of Big5 has its code point`() throws {
        var sequences = Sequences()
        for (pointer, scalar) in try index("big5").enumerated()
        where ![1133, 1135, 1164, 1166].contains(pointer) {
            let (lead, trail) = pointer.quotientAndRemainder(dividingBy: 157)
            sequences.append(
                [UInt8(lead + 0x81), UInt8(trail + (trail < 0x3F ? 0x40 : 0x62))], scalar)
        }
        try sequences.expectDecoded(as: "big5")
    }

    @Test func `every pair of bytes of EUC-KR has its code point`() throws {
        var sequences = Sequences()
        for (pointer, scalar) in try index("euc-kr").enumerated() {
            sequences.append([UInt8(pointer / 190 + 0x81), UInt8(pointer % 190 + 0x41)], scalar)
        }
        try sequences.expectDecoded(as: "euc-kr")
    }

    @Test func `every pair of bytes of Shift_JIS has its code point`() throws {
        var sequences = Sequences()
        for (pointer, scalar) in try index("jis0208").enumerated() {
            let (lead, trail) = pointer.quotientAndRemainder(dividingBy: 188)
            sequences.append(
                [
                    UInt8(lead + (lead < 0x1F ? 0x81 : 0xC1)),
                    UInt8(trail + (trail < 0x3F ? 0x40 : 0x41)),
                ],
                8836...10715 ~= pointer ? UInt32(0xE000 - 8836 + pointer) : scalar)
        }
        try sequences.expectDecoded(as: "shift_jis")
    }

    @Test func `every pair and triple of bytes of EUC-JP has its code point`() throws {
        var sequences = Sequences()
        for (pointer, scalar) in try index("jis0208").prefix(94 * 94).enumerated() {
            sequences.append([UInt8(pointer / 94 + 0xA1), UInt8(pointer % 94 + 0xA1)], scalar)
        }
        for (pointer, scalar) in try index("jis0212").enumerated() {
            sequences.append(
                [0x8F, UInt8(pointer / 94 + 0xA1), UInt8(pointer % 94 + 0xA1)], scalar)
        }
        try sequences.expectDecoded(as: "euc-jp")
    }

    @Test func `every pair of bytes of ISO-2022-JP has its code point`() throws {
        var sequences = Sequences()
        for (pointer, scalar) in try index("jis0208").prefix(94 * 94).enumerated() {
            sequences.bytes += [UInt8(pointer / 94 + 0x21), UInt8(pointer % 94 + 0x21)]
            sequences.scalars.append(scalar ?? 0xFFFD)
        }
        try sequences.expectDecoded(as: "iso-2022-jp", prefix: [0x1B, 0x24, 0x42])
    }
}
