import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

struct HTTPCharsetTests {
    private func text(_ bytes: [UInt8], _ charset: String? = nil) throws -> String {
        try HTTPCharset.decode(Data(bytes), contentTypeCharset: charset)
    }

    // MARK: Text

    @Test(.rows("S4-16"))
    func `a byte order mark decides, and is no part of the text`() throws {
        #expect(try text([0xEF, 0xBB, 0xBF, 0x61], "utf-16le") == "a")
        #expect(try text([0xFE, 0xFF, 0x00, 0x61], "utf-8") == "a")
        #expect(try text([0xFF, 0xFE, 0x61, 0x00]) == "a")
        #expect(try text([0xFF, 0xFE, 0x61, 0x00], "no such charset") == "a")
        #expect(try text([0xEF, 0xBB, 0xBF]) == "")
    }

    @Test(.rows("S4-16"))
    func `then the content type's charset decides`() throws {
        #expect(try text([0xE9], "ISO-8859-1") == "é")
        #expect(try text([0x80], "latin1") == "€")
        #expect(try text([0x00, 0x61], " UTF-16BE\t") == "a")
        #expect(try text([0xE9, 0x00], "utf-16") == "é")
        #expect(try text([0xC3, 0xA9], "utf8") == "é")
    }

    @Test(.rows("S4-16"))
    func `without either it is UTF-8, or no text`() throws {
        #expect(try text([]) == "")
        #expect(try text(Array("aé€😀".utf8)) == "aé€😀")
        let error = #expect(throws: HTTPError.self) { try text([0x61, 0xE9]) }
        #expect(error?.code == .decodingFailed)
    }

    @Test(.rows("S4-16"))
    func `malformed bytes of a named charset are replaced one by one`() throws {
        #expect(try text([0x61, 0xE9, 0x62], "utf-8") == "a\u{FFFD}b")
        #expect(try text([0xE0, 0x80, 0x80], "utf-8") == "\u{FFFD}\u{FFFD}\u{FFFD}")
        #expect(try text([0xEF, 0xBB, 0xBF, 0xFF]) == "\u{FFFD}")
        #expect(try text([0x3D, 0xD8, 0xA9], "utf-16le") == "\u{FFFD}")
        #expect(try text([0x61, 0x00, 0x62], "utf-16le") == "a\u{FFFD}")
        #expect(
            try text([0xD8, 0x3D, 0xD8, 0x3D, 0xDC, 0xA9, 0xDC, 0xA9], "utf-16be")
                == "\u{FFFD}💩\u{FFFD}")
        #expect(try text([0x81, 0xD2], "windows-1253") == "\u{81}\u{FFFD}")
    }

    @Test(
        .rows("S4-16"),
        arguments: [
            ("replacement", "replacement"), ("hz-gb-2312", "replacement"),
        ])
    func `a charset that cannot be decoded is an error with its name`(label: String, name: String) {
        let error = #expect(throws: HTTPError.self) { try text([0x61], label) }
        #expect(error?.code == .decodingFailed)
        #expect(error?.message.contains(name) == true)
    }

    /// The recovery of the standard: an unknown label counts as none, which means UTF-8.
    @Test(
        .rows("S4-16"),
        arguments: [
            "x-unknown", "", "utf-9", "utf-8;", "\u{B}utf-8", "'utf-8'", "utf8mb4", "utf_8",
            "UTF-8,ISO-8859-1", "none", "binary", "\"utf-8\"",
        ])
    func `under an unknown label, a body is UTF-8, or an error with the label`(
        label: String
    ) throws {
        #expect(try text([0x61, 0xC3, 0xBC], label) == "aü")
        let error = #expect(throws: HTTPError.self) { try text([0x61, 0xFC], label) }
        #expect(error?.code == .decodingFailed)
        #expect(error?.message.contains("the charset \(label.logSafe) is unknown") == true)
    }

    @Test func `a label cannot forge a line of a log`() {
        let error = #expect(throws: HTTPError.self) { try text([0xFF], "x\r\nadmin: yes") }
        #expect(error?.message.contains("\n") == false)
    }

    @Test func `every encoding names itself and keeps ASCII`() throws {
        let ascii = (0x20..<0x7F).map { UInt8($0) }
        for charset in HTTPCharset.Encoding.allCases {
            #expect(HTTPCharset(label: charset.name)?.encoding == charset)
            if [.utf16BE, .utf16LE, .replacement].contains(charset) { continue }
            #expect(
                try charset.decode(Data(ascii)) == String(decoding: ascii, as: UTF8.self),
                "\(charset)")
        }
    }

    /// One sequence of each table that the vectors leave out or the standard corrects.
    @Test(arguments: [
        ("koi8-u", [0xAE, 0xBE, 0xA4], "ўЎє"), ("windows-1255", [0xCA, 0x80], "\u{5BA}€"),
        ("windows-1252", [0x81, 0x80, 0x9F], "\u{81}€Ÿ"),
        ("windows-1250", [0x8A, 0x83], "Š\u{83}"),
        ("windows-1254", [0xD0, 0xFD], "Ğı"), ("iso-8859-2", [0x80, 0xA1], "\u{80}Ą"),
        ("iso-8859-5", [0xA1, 0xF0], "Ё№"), ("iso-8859-13", [0xA1, 0xFF], "”’"),
        ("iso-8859-14", [0xA1, 0xD0], "ḂŴ"), ("iso-8859-8-i", [0xE0, 0xDF], "א‗"),
        ("x-user-defined", [0x80, 0xFF], "\u{F780}\u{F7FF}"),
    ])
    func `single-byte encodings follow the standard's indexes`(
        label: String, bytes: [UInt8], expected: String
    ) throws {
        #expect(try text(bytes, label).unicodeScalars.elementsEqual(expected.unicodeScalars))
    }

    @Test(arguments: [
        ("gbk", [0xC4, 0xE3, 0xBA, 0xC3], "你好"), ("gb18030", [0x94, 0x39, 0xDA, 0x33], "💩"),
        ("gb18030", [0xFE, 0x51, 0xFE, 0x52, 0xFE, 0x53], "\u{E816}\u{E817}\u{E818}"),
        ("gb18030", [0xFE, 0x6C, 0xFE, 0x76, 0xFE, 0x91], "\u{E831}\u{E83B}\u{E855}"),
        ("gb18030", [0x81, 0x30, 0x81], "\u{FFFD}"),
        ("gb18030", [0xFE, 0x39, 0xFE, 0x39], "\u{FFFD}"),
        ("big5", [0xA7, 0x41, 0xA6, 0x6E], "你好"), ("big5", [0x88, 0x62], "\u{CA}\u{304}"),
        ("big5", [0xA1, 0x45, 0xA3, 0xE0, 0x92, 0x44], "‧␡蔃"),
        ("big5", [0x81, 0x22], "\u{FFFD}\""),
        ("euc-kr", [0xBE, 0xC8, 0xB3, 0xE7], "안녕"), ("shift_jis", [0x93, 0xFA, 0xB1], "日ｱ"),
        ("euc-jp", [0xC6, 0xFC, 0x8E, 0xB1, 0x8F, 0xA2, 0xB7], "日ｱ～"),
        ("euc-jp", [0x8F, 0xA1, 0x61], "\u{FFFD}a"), ("euc-jp", [0x8F, 0x61], "\u{FFFD}a"),
        ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42, 0x61], "日a"),
        ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46], "\u{FFFD}"),
    ])
    func `encodings of East Asia are decoded with the standard's indexes`(
        label: String, bytes: [UInt8], expected: String
    ) throws {
        #expect(try text(bytes, label).unicodeScalars.elementsEqual(expected.unicodeScalars))
    }

    /// Random bytes from a fixed seed, mostly leads and escapes.
    @Test func `no bytes make a decoder stop or grow without bound`() throws {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
        let likely: [UInt8] = [
            0x1B, 0x24, 0x28, 0x42, 0x30, 0x80, 0x81, 0x8E, 0x8F, 0xD8, 0xFE, 0xFF,
        ]
        for charset in HTTPCharset.Encoding.allCases where charset != .replacement {
            var wrong: [[UInt8]] = []
            for _ in 0..<TestCounts.scaled(100) {
                let bytes = (0..<48).map { _ in
                    let number = next()
                    return number % 2 == 0
                        ? UInt8(truncatingIfNeeded: number >> 8)
                        : likely[Int(number >> 8) % likely.count]
                }
                for cut in 0...bytes.count {
                    let piece = Array(bytes[..<cut])
                    let text = try charset.decode(Data(piece))
                    let isLost = cut > 0 && text.isEmpty && charset != .iso2022JP
                    if text.utf8.count > 3 * cut || isLost { wrong.append(piece) }
                }
            }
            #expect(wrong.isEmpty, "\(charset)")
        }
    }

    @Test func `a slice of data is decoded from its own start`() throws {
        let data = Data([0x00, 0xEF, 0xBB, 0xBF, 0x61, 0x00])[1..<5]
        #expect(try HTTPCharset.decode(data, contentTypeCharset: nil) == "a")
        #expect(try HTTPCharset(.windows1252).decode(Data([0x61, 0x80])[1...]) == "€")
    }
}
