import HTTPCore
import TestSupport
import Testing
@testable import HTTPCodings
import PortableFoundation

@Suite struct ContentDecoderTests {
    private static let codings = CodedSamples.codings
    private static let contents = [
        Data(), Data([0]), CodedSamples.text, CodedSamples.mixed, Data(count: 300_000),
    ]

    private static func refusal(
        _ bytes: Data, _ codings: HTTPContentCoding..., piece: Int = .max
    ) -> HTTPError? {
        do throws(HTTPError) {
            _ = try CodedSamples.decoded(bytes, codings, piece: piece)
            return nil
        } catch { return error }
    }

    private static func expectRefusal(
        _ bytes: Data, _ coding: HTTPContentCoding, _ text: String,
        at location: SourceLocation = #_sourceLocation
    ) {
        for piece in [Int.max, 1] {
            let error = refusal(bytes, coding, piece: piece)
            #expect(error?.code == .contentDecodingFailed, sourceLocation: location)
            #expect(
                error?.message.contains(text) == true, "\(error?.message ?? "none")",
                sourceLocation: location)
            #expect(error?.isRetryable == false && error?.phase == .receiving)
            #expect(error?.message.contains(coding.rawValue) == true, sourceLocation: location)
        }
    }

    @Test func `this machine has all four codings`() {
        #expect(Self.codings == [.deflate, .gzip, .br, .zstd])
        #expect(HTTPContentCoding.decodable.map(\.rawValue) == ["deflate", "gzip", "br", "zstd"])
    }

    @Test(arguments: codings, [(Int.max, 64 << 10), (1, 64 << 10), (1, 1), (7, 5), (4096, 300)])
    func `content is the same, however it comes and is taken`(
        coding: HTTPContentCoding, sizes: (piece: Int, room: Int)
    ) throws {
        for content in Self.contents {
            if sizes.piece == 1, content.count > 100_000 { continue }
            let coded = try CodedSamples.coded(content, coding)
            let decoded = try CodedSamples.decoded(
                coded, [coding], piece: sizes.piece, room: sizes.room)
            #expect(decoded == content)
        }
    }

    @Test(arguments: codings) func `no bytes are an empty content`(coding: HTTPContentCoding) throws
    {
        #expect(try CodedSamples.decoded(Data(), [coding]).isEmpty)
        #expect(try CodedSamples.decoded(Data(), [coding, .gzip]).isEmpty)
    }

    // MARK: The end

    @Test(arguments: codings) func `content that is cut anywhere has not ended`(
        coding: HTTPContentCoding
    ) throws {
        let short = try CodedSamples.coded(CodedSamples.text, coding)
        for count in 1..<short.count {
            Self.expectRefusal(
                Data(short.prefix(count)), coding,
                "the content ends before its coding does (\(coding.rawValue))")
        }
        let long = try CodedSamples.coded(CodedSamples.mixed, coding)
        for missing in 1...64 {
            let error = Self.refusal(Data(long.dropLast(missing)), coding)
            #expect(error?.message.contains("ends before its coding does") == true)
        }
    }

    @Test(arguments: codings) func `what follows the end is no part of the content`(
        coding: HTTPContentCoding
    ) throws {
        let coded = try CodedSamples.coded(CodedSamples.text, coding)
        for rest in ["x", "trailing", "\0x", "\u{1}", "\0\0\0\u{1F}"] {
            let error = Self.refusal(coded + Data(rest.utf8), coding)
            #expect(error?.code == .contentDecodingFailed, "\(rest)")
        }
        for count in [1, 2, 511, 100_000] {
            let padded = coded + Data(count: count)
            if coding == .gzip {
                #expect(try CodedSamples.decoded(padded, [.gzip]) == CodedSamples.text)
                #expect(
                    try CodedSamples.decoded(padded, [.gzip], piece: 3) == CodedSamples.text)
                // Padding ends the content: `gzip -d` ignores what follows, with a warning.
                Self.expectRefusal(padded + coded, .gzip, "goes on after its coding has ended")
            } else {
                #expect(Self.refusal(padded, coding)?.code == .contentDecodingFailed)
            }
        }
    }

    @Test(arguments: codings) func `several parts are one content where the format says so`(
        coding: HTTPContentCoding
    ) throws {
        let parts = [CodedSamples.text, Data(), CodedSamples.mixed, Data([7])]
        let coded = try parts.map { try CodedSamples.coded($0, coding) }
        let whole = coded.reduce(Data(), +)
        guard coding == .gzip || coding == .zstd else {
            return Self.expectRefusal(
                coded[0] + coded[3], coding, "goes on after its coding has ended")
        }
        for piece in [Int.max, 1000, 29] {
            let decoded = try CodedSamples.decoded(whole, [coding], piece: piece)
            #expect(decoded == parts.reduce(Data(), +))
        }
        for count in [1, 5, coded[3].count - 1] {
            let cut = Data(whole.dropLast(coded[3].count) + coded[3].prefix(count))
            Self.expectRefusal(cut, coding, "ends before its coding does")
        }
        let many = Data((0..<5000).map { _ in coded[3] }.joined())
        #expect(try CodedSamples.decoded(many, [coding]) == Data(repeating: 7, count: 5000))
    }

    // MARK: gzip (RFC 1952)

    @Test func `the head of gzip may have all that the format knows`() throws {
        let coded = try CodedSamples.coded(CodedSamples.text, .gzip)
        func member(flags: UInt8, _ rest: [UInt8]) -> Data {
            Data([0x1F, 0x8B, 8, flags, 1, 2, 3, 4, 0, 3] + rest) + coded.dropFirst(10)
        }
        let extra: [UInt8] = [4, 0, 65, 66, 67, 68]
        let name = Array("name\0".utf8)
        for head in [
            member(flags: 1, []), member(flags: 4, extra), member(flags: 8, name),
            member(flags: 16, name), member(flags: 4 | 8 | 16, extra + name + name),
        ] {
            #expect(try CodedSamples.decoded(head, [.gzip]) == CodedSamples.text)
            #expect(try CodedSamples.decoded(head, [.gzip], piece: 1) == CodedSamples.text)
        }
        // FHCRC: the sum of the head before it, in two bytes; and flags that are reserved.
        Self.expectRefusal(member(flags: 2, [0, 0]), .gzip, "not valid gzip")
        Self.expectRefusal(member(flags: 0x20, []), .gzip, "not valid gzip")
        Self.expectRefusal(Data([0x1F, 0x8B, 7]) + coded.dropFirst(3), .gzip, "not valid gzip")
    }

    @Test func `sums and lengths of gzip are checked, in each member`() throws {
        let coded = try CodedSamples.coded(CodedSamples.text, .gzip)
        for position in coded.count - 8..<coded.count {
            var broken = coded
            broken[position] ^= 1
            Self.expectRefusal(
                broken, .gzip, position < coded.count - 4 ? "data check" : "length check")
            Self.expectRefusal(coded + broken, .gzip, "check")
            Self.expectRefusal(broken + coded, .gzip, "check")
        }
    }

    // MARK: deflate (RFC 1950, RFC 1951)

    @Test(arguments: [Int.max, 1, 2, 3]) func `deflate may lack the frame of zlib`(
        piece: Int
    ) throws {
        for content in Self.contents where piece == .max || content.count < 100_000 {
            let zlib = try CodedSamples.coded(content, .deflate)
            let bare = Data(zlib.dropFirst(2).dropLast(4))
            #expect(try CodedSamples.decoded(bare, [.deflate], piece: piece) == content)
            if bare.count > 1 {
                let error = Self.refusal(Data(bare.dropLast()), .deflate, piece: piece)
                #expect(error?.message.contains("ends before its coding does") == true)
            }
        }
    }

    @Test func `the sum of zlib is checked, and no dictionary is known`() throws {
        let coded = try CodedSamples.coded(CodedSamples.text, .deflate)
        for position in coded.count - 4..<coded.count {
            var broken = coded
            broken[position] ^= 0x10
            Self.expectRefusal(broken, .deflate, "data check")
        }
        Self.expectRefusal(
            Data([0x78, 0xBB, 1, 2, 3, 4]) + coded.dropFirst(2), .deflate, "dictionary")
    }

    // MARK: br (RFC 7932)

    @Test func `a large window of brotli is refused`() {
        // RFC 7932 §9.1 reserves these bits, with which the large windows of shared brotli begin.
        Self.expectRefusal(Data([0x11, 0x1E, 0x03]), .br, "not valid br")
        Self.expectRefusal(Data(CodedSamples.text), .br, "not valid br")
    }

    // MARK: zstd (RFC 8878, RFC 9659)

    private static func frame(window: UInt8, dictionary: [UInt8] = []) -> Data {
        let size: UInt8 = dictionary.isEmpty ? 0 : 1
        // A last block of one byte as it is.
        return Data([0x28, 0xB5, 0x2F, 0xFD, size, window] + dictionary + [9, 0, 0, 65])
    }

    @Test func `a window of zstd is of 16 MiB at most`() throws {
        #expect(try CodedSamples.decoded(Self.frame(window: 14 << 3), [.zstd]) == Data([65]))
        for window in [14 << 3 | 1, 15 << 3, 17 << 3, 31 << 3 | 7] as [UInt8] {
            Self.expectRefusal(Self.frame(window: window), .zstd, "not valid zstd")
        }
    }

    @Test func `frames of zstd that are to be skipped are no content, and no dictionary is known`()
        throws
    {
        let coded = try CodedSamples.coded(CodedSamples.text, .zstd)
        for kind in 0x50...0x5F as ClosedRange<UInt8> {
            let skipped = Data([kind, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3])
            for whole in [skipped + coded, coded + skipped, skipped + coded + skipped] {
                #expect(try CodedSamples.decoded(whole, [.zstd]) == CodedSamples.text)
                #expect(try CodedSamples.decoded(whole, [.zstd], piece: 1) == CodedSamples.text)
            }
            #expect(try CodedSamples.decoded(skipped, [.zstd]).isEmpty)
            Self.expectRefusal(
                coded + skipped.dropLast(), .zstd, "ends before its coding does")
        }
        Self.expectRefusal(Self.frame(window: 0, dictionary: [42]), .zstd, "not valid zstd")
    }

    @Test func `no format that is older than the standard is decoded`() {
        // Version 0.7, with a window of 128 MiB: some builds of the library decode it.
        let old = Data([0x27, 0xB5, 0x2F, 0xFD, 0x00, 0x88, 0x40, 0x00, 0x05]) + Data("hello".utf8)
        for magic in 0x22...0x27 as ClosedRange<UInt8> {
            let bytes = Data([magic]) + old.dropFirst() + Data([0xC0, 0, 0])
            Self.expectRefusal(bytes, .zstd, "not valid zstd")
        }
        for bytes in [[0x28, 0xB5, 0x2F, 0xFE], [0x28, 0xB4], [0x50, 0x2A, 0x4D, 0x19]] as [[UInt8]]
        {
            Self.expectRefusal(Data(bytes + [0, 0, 0]), .zstd, "not valid zstd")
        }
    }

    @Test func `the sum of zstd is checked`() throws {
        let coded = try CodedSamples.coded(CodedSamples.text, .zstd)
        for position in coded.count - 4..<coded.count {
            var broken = coded
            broken[position] ^= 1
            Self.expectRefusal(broken, .zstd, "not valid zstd")
        }
    }

    // MARK: Several codings

    @Test func `two and three codings are taken off in the reverse order`() throws {
        for first in Self.codings {
            for second in Self.codings {
                let two = try CodedSamples.coded(
                    CodedSamples.coded(CodedSamples.mixed, first), second)
                #expect(try CodedSamples.decoded(two, [first, second]) == CodedSamples.mixed)
                let error = Self.refusal(Data(two.dropLast()), first, second)
                #expect(error?.code == .contentDecodingFailed)
                for third in Self.codings {
                    let three = try CodedSamples.coded(two, third)
                    let decoded = try CodedSamples.decoded(
                        three, [first, second, third], piece: 999, room: 777)
                    #expect(decoded == CodedSamples.mixed)
                }
            }
        }
    }

    @Test(arguments: codings, codings) func `each of two codings has an end of its own`(
        inner: HTTPContentCoding, outer: HTTPContentCoding
    ) throws {
        let coded = try CodedSamples.coded(CodedSamples.text, inner)
        let cut = try CodedSamples.coded(Data(coded.dropLast()), outer)
        #expect(
            Self.refusal(cut, inner, outer)?.message
                == "the content ends before its coding does (\(inner.rawValue))")
        let surplus = try CodedSamples.coded(coded + Data("x".utf8), outer)
        #expect(Self.refusal(surplus, inner, outer)?.code == .contentDecodingFailed)
    }

    // MARK: Damage

    @Test(arguments: codings) func `damage is an error, or does no harm`(
        coding: HTTPContentCoding
    ) throws {
        var random = SeededRandom(7)
        let coded = try CodedSamples.coded(CodedSamples.text, coding)
        for _ in 0..<TestCounts.scaled(20_000) {
            var bytes = coded
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                let position = Int.random(in: 0..<bytes.count, using: &random)
                bytes[position] = UInt8(truncatingIfNeeded: random.next())
            }
            let piece = random.next() % 2 == 0 ? Int.max : 5
            do throws(HTTPError) {
                let limits = ContentDecoder.Limits(expansion: nil, length: 1 << 20)
                let decoded = try CodedSamples.decoded(
                    bytes, [coding], piece: piece, limits: limits)
                // Brotli has no sum, bare deflate neither, and a frame of zstd need not have one.
                if coding == .gzip { #expect(decoded == CodedSamples.text) }
            } catch {
                #expect([.contentDecodingFailed, .bodyTooLarge].contains(error.code))
            }
        }
    }

    // MARK: Limits

    @Test(arguments: codings) func `what expands beyond measure is cut off`(
        coding: HTTPContentCoding
    ) throws {
        let zeros = Data(count: 40 << 20)
        let coded = try CodedSamples.coded(zeros, coding)
        let ratio = zeros.count / coded.count
        #expect(ratio > 200)
        for room in [64 << 10, 1 << 20] {
            let error = #expect(throws: HTTPError.self) {
                try CodedSamples.decoded(
                    coded, [coding], room: room, limits: .init(expansion: 200, length: nil))
            }
            #expect(error?.code == .bodyTooLarge)
            #expect(error?.message.contains("200 times") == true)
        }
        let allowed = try CodedSamples.decoded(
            coded, [coding], limits: .init(expansion: 1 << 30, length: nil))
        #expect(allowed == zeros)
        // Short content may expand as it likes.
        let short = try CodedSamples.coded(Data(count: 16 << 20), coding)
        let decoded = try CodedSamples.decoded(
            short, [coding], limits: .init(expansion: 1, length: nil))
        #expect(decoded.count == 16 << 20)
    }

    @Test func `what a stage in between puts out counts, also if nothing comes of it`() throws {
        // A member without content whose head has a name of 20 MiB (RFC 1952 §2.3).
        let head = Data([0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 0xFF])
        let name = Data(repeating: UInt8(ascii: "a"), count: 20 << 20) + [0]
        let member = head + name + [3, 0] + Data(count: 8)
        let coded = try CodedSamples.coded(member, .br)
        let unlimited = try CodedSamples.decoded(coded, [.gzip, .br])
        #expect(unlimited.isEmpty)
        let error = #expect(throws: HTTPError.self) {
            try CodedSamples.decoded(
                coded, [.gzip, .br], limits: .init(expansion: 200, length: nil))
        }
        #expect(error?.code == .bodyTooLarge)
    }

    @Test func `the length of content is limited to the byte`() throws {
        let coded = try CodedSamples.coded(CodedSamples.text, .gzip)
        let count = Int64(CodedSamples.text.count)
        let whole = try CodedSamples.decoded(
            coded, [.gzip], limits: .init(expansion: nil, length: count))
        #expect(whole == CodedSamples.text)
        let error = #expect(throws: HTTPError.self) {
            try CodedSamples.decoded(
                coded, [.gzip], limits: .init(expansion: nil, length: count - 1))
        }
        #expect(error?.code == .bodyTooLarge)
    }
}
