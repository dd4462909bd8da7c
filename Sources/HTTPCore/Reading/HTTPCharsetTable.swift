#if canImport(Glibc)
    private import Glibc
#endif

/// The code points of an encoding's sequences of two octets: what the C library's `iconv` says of each,
/// corrected where the Encoding Standard says otherwise.
///
/// Asked once, at the first use, in some milliseconds; takes 128 KiB. There are no tables where the C
/// library is not glibc, or has come without its conversions (`gconv`).
struct HTTPCharsetTable: Sendable {
    /// By the lower seven bits of the lead and the trail; 0 for none.
    private let scalars: [UInt32]

    subscript(lead: UInt8, trail: UInt8) -> UInt32? {
        guard lead >= 0x80 else { return nil }
        let scalar = scalars[Int(lead & 0x7F) << 8 | Int(trail)]
        return scalar == 0 ? nil : scalar
    }

    /// A code point of JIS X 0208 with the extensions of windows-31j, from the table of Shift_JIS.
    ///
    /// - Parameters:
    ///   - row: from 0 to 93, and so is `cell`.
    func jis0208(row: Int, cell: Int) -> UInt32? {
        let (lead, trail) = (row * 94 + cell).quotientAndRemainder(dividingBy: 188)
        return self[
            UInt8(truncatingIfNeeded: lead + (lead < 0x1F ? 0x81 : 0xC1)),
            UInt8(truncatingIfNeeded: trail + (trail < 0x3F ? 0x40 : 0x41))]
    }

    /// - Parameter corrections: the sequence and its code point in hexadecimal, `A145:2027`.
    private init?(_ name: String, prefix: [UInt8] = [], corrections: String) {
        guard var scalars = Self.ask(name, prefix: prefix) else { return nil }
        for (sequence, scalar) in Self.pairs(corrections, radix: 16) {
            scalars[sequence & 0x7FFF] = UInt32(scalar)
        }
        self.scalars = scalars
    }

    private static func pairs(_ text: String, radix: Int) -> [(Int, Int)] {
        text.split(separator: " ").compactMap { pair in
            let parts = pair.split(separator: ":")
            guard parts.count == 2, let key = Int(parts[0], radix: radix),
                let value = Int(parts[1], radix: 16)
            else { return nil }
            return (key, value)
        }
    }

    // MARK: - Tables

    static let eucKR = Self("CP949", corrections: "")
    static let shiftJIS = Self("CP932", corrections: "")
    /// JIS X 0212, behind the octet 0x8F of EUC-JP.
    static let jis0212 = Self("EUC-JP", prefix: [0x8F], corrections: "A2B7:FF5E")
    static let gb18030 = Self("GB18030", corrections: "A3A0:3000")

    /// HKSCS as in glibc; the standard takes the symbols from Microsoft's code page 950, has pictures of
    /// control characters, and keeps the sequences that HKSCS has given up for unified characters.
    static let big5: Self? = {
        let pictures = (0..<0x20).map {
            String(0xA3C0 + $0, radix: 16) + ":" + String(0x2400 + $0, radix: 16)
        }
        return Self(
            "BIG5-HKSCS", corrections: big5Corrections + " " + pictures.joined(separator: " "))
    }()

    private static let big5Corrections = """
        8E69:7BB8 8E6F:7C06 8E7E:7CCE 8EAB:7DD2 8EB4:7E1D 8ECD:8005 8ED0:8028 8F57:83C1 \
        8F69:84A8 8F6E:840F 8FCB:89A6 8FCC:89A9 8FFE:8D77 906D:90FD 907A:92B9 90DC:975C \
        90F1:97FF 91BF:9F16 9244:8503 92AF:5159 92B0:515B 92B1:515D 92B2:515E 92C8:936E \
        92D1:7479 9447:6D67 94CA:799B 95D9:9097 9644:975D 96ED:701E 96FC:5B28 9B76:7201 \
        9B78:77D7 9B7B:7E87 9BC6:99D6 9BDE:91D4 9BEC:60DE 9BF6:6FB6 9C42:8F36 9C53:4FBB \
        9C62:71DF 9C68:9104 9C6B:9DF0 9C77:83CF 9CBC:5C10 9CBD:79E3 9CD0:5A67 9D57:8F0B \
        9D5A:7B51 9DC4:62D0 9EA9:6062 9EEF:75F9 9EFD:6C4A 9F60:9B2E 9F66:9F17 9FCB:50ED \
        9FD8:5F0C A063:880F A077:62CE A0D5:7468 A0DF:7162 A0E4:7250 A145:2027 A14E:FE51 \
        A15A:2574 A1C2:00AF A1C3:FFE3 A1C5:02CD A1E3:FF5E A1F2:2295 A1F3:2299 A1FE:FF0F \
        A240:FF3C A241:2215 A242:FE68 A244:FFE5 A246:FFE0 A247:FFE1 A2CC:5341 A2CE:5345 \
        A3E0:2421 A3E1:20AC C6CF:5EF4 C6D3:65E0 C6D5:7676 C6D7:96B6 C6DE:3003 C6DF:4EDD \
        FA5F:5029 FA66:507D FABD:5305 FAC5:5344 FAD5:537F FB48:5605 FBB8:5A77 FBF3:5E75 \
        FBF9:5ED0 FC4F:5F58 FC6C:60A4 FCB9:6490 FCE2:6674 FCF1:675E FDB7:6C9C FDB8:6E1D \
        FDBB:6E2F FDF1:716E FE52:732A FE6F:745C FEAA:74E9 FEDD:7809
        """

    /// The code point of a sequence of four octets, by its number in their order (§10.2).
    static func gb18030Scalar(_ pointer: Int) -> UInt32? {
        switch pointer {
        case 7457: return 0xE7C7
        case 0...39419, 189_000...1_237_575:
            var (low, high) = (0, ranges.count)
            while high - low > 1 {
                let middle = (low + high) / 2
                if ranges[middle].0 <= pointer { low = middle } else { high = middle }
            }
            return UInt32(ranges[low].1 + pointer - ranges[low].0)
        default: return nil
        }
    }

    private static let ranges = pairs(gb18030Ranges, radix: 10)

    /// `index-gb18030-ranges.txt` of the standard: the first number of a range, its code point.
    private static let gb18030Ranges = """
        0:0080 36:00A5 38:00A9 45:00B2 50:00B8 81:00D8 89:00E2 95:00EB 96:00EE 100:00F4 \
        103:00F8 104:00FB 105:00FD 109:0102 126:0114 133:011C 148:012C 172:0145 175:0149 \
        179:014E 208:016C 306:01CF 307:01D1 308:01D3 309:01D5 310:01D7 311:01D9 312:01DB \
        313:01DD 341:01FA 428:0252 443:0262 544:02C8 545:02CC 558:02DA 741:03A2 742:03AA \
        749:03C2 750:03CA 805:0402 819:0450 820:0452 7922:2011 7924:2017 7925:201A 7927:201E \
        7934:2027 7943:2031 7944:2034 7945:2036 7950:203C 8062:20AD 8148:2104 8149:2106 \
        8152:210A 8164:2117 8174:2122 8236:216C 8240:217A 8262:2194 8264:219A 8374:2209 \
        8380:2210 8381:2212 8384:2216 8388:221B 8390:2221 8392:2224 8393:2226 8394:222C \
        8396:222F 8401:2238 8406:223E 8416:2249 8419:224D 8424:2253 8437:2262 8439:2268 \
        8445:2270 8482:2296 8485:229A 8496:22A6 8521:22C0 8603:2313 8936:246A 8946:249C \
        9046:254C 9050:2574 9063:2590 9066:2596 9076:25A2 9092:25B4 9100:25BE 9108:25C8 \
        9111:25CC 9113:25D0 9131:25E6 9162:2607 9164:260A 9218:2641 9219:2643 11329:2E82 \
        11331:2E85 11334:2E89 11336:2E8D 11346:2E98 11361:2EA8 11363:2EAB 11366:2EAF \
        11370:2EB4 11372:2EB8 11375:2EBC 11389:2ECB 11682:2FFC 11686:3004 11687:3018 \
        11692:301F 11694:302A 11714:303F 11716:3094 11723:309F 11725:30F7 11730:30FF \
        11736:312A 11982:322A 11989:3232 12102:32A4 12336:3390 12348:339F 12350:33A2 \
        12384:33C5 12393:33CF 12395:33D3 12397:33D6 12510:3448 12553:3474 12851:359F \
        12962:360F 12973:361B 13738:3919 13823:396F 13919:39D1 13933:39E0 14080:3A74 \
        14298:3B4F 14585:3C6F 14698:3CE1 15583:4057 15847:4160 16318:4338 16434:43AD \
        16438:43B2 16481:43DE 16729:44D7 17102:464D 17122:4662 17315:4724 17320:472A \
        17402:477D 17418:478E 17859:4948 17909:497B 17911:497E 17915:4984 17916:4987 \
        17936:499C 17939:49A0 17961:49B8 18664:4C78 18703:4CA4 18814:4D1A 18962:4DAF \
        19043:9FA6 33469:E76C 33470:E7C8 33471:E7E7 33484:E815 33485:E819 33490:E81F \
        33497:E827 33501:E82D 33505:E833 33513:E83C 33520:E844 33536:E856 33550:E865 \
        37845:F92D 37921:F97A 37948:F996 38029:F9E8 38038:F9F2 38064:FA10 38065:FA12 \
        38066:FA15 38069:FA19 38075:FA22 38076:FA25 38078:FA2A 39108:FE32 39109:FE45 \
        39113:FE53 39114:FE58 39115:FE67 39116:FE6C 39265:FF5F 39394:FFE6 189000:10000
        """

    // MARK: - The C library

    #if canImport(Glibc)
        /// Asks for every sequence by itself, so that nothing is known of the library but single answers.
        private static func ask(_ name: String, prefix: [UInt8]) -> [UInt32]? {
            let converter = unsafe iconv_open("UTF-32LE", name)
            guard unsafe converter != iconv_t(bitPattern: -1) else { return nil }
            defer { unsafe _ = iconv_close(converter) }
            var scalars = [UInt32](repeating: 0, count: 128 * 256)
            for lead in UInt8(0x81)...0xFE {
                for trail in UInt8(0x40)...0xFE {
                    let place = Int(lead & 0x7F) << 8 | Int(trail)
                    scalars[place] =
                        unsafe ask(converter, prefix + [lead, trail]) ?? 0
                }
            }
            return scalars
        }

        /// The one code point that `sequence` stands for.
        private static func ask(_ converter: iconv_t?, _ sequence: [UInt8]) -> UInt32? {
            var input = sequence.map { CChar(bitPattern: $0) }
            var answer: [UInt32] = [0, 0, 0, 0]
            var (inputLeft, answerLeft) = (input.count, 4 * answer.count)
            let isDone = unsafe input.withUnsafeMutableBufferPointer { input in
                unsafe answer.withUnsafeMutableBytes { answer in
                    var from = input.baseAddress
                    var to = unsafe answer.bindMemory(to: CChar.self).baseAddress
                    // Back to the initial state; then the sequence; then what it holds back.
                    _ = unsafe iconv(converter, nil, nil, nil, nil)
                    let count = unsafe iconv(converter, &from, &inputLeft, &to, &answerLeft)
                    guard count != -1 else { return false }
                    return unsafe iconv(converter, nil, nil, &to, &answerLeft) != -1
                }
            }
            guard isDone, inputLeft == 0, answerLeft == 3 * 4 else { return nil }
            return UInt32(littleEndian: answer[0])
        }
    #else
        private static func ask(_ name: String, prefix: [UInt8]) -> [UInt32]? { nil }
    #endif
}
