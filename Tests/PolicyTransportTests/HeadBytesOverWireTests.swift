import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// Bytes from 0x80 in a response's head (RFC 9110 §5.5, *obs-text*), over both transports.
@Suite(.timeLimit(.minutes(5))) struct HeadBytesOverWireTests {
    struct Head: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var status: [UInt8] = Array("HTTP/1.1 200 OK".utf8)
        var value: [UInt8] = Array("x".utf8)
        var text = "x"
    }

    static let heads: [Head] = [
        Head(testDescription: "UTF-8", value: Array("é–名😀".utf8), text: "é–名😀"),
        Head(
            testDescription: "a control character of C1", value: [0x61, 0xC2, 0x9B, 0x62],
            text: "a\u{9B}b"),
        Head(testDescription: "NEL", value: [0x61, 0xC2, 0x85, 0x62], text: "a\u{85}b"),
        Head(
            testDescription: "NEL at both ends", value: [0xC2, 0x85, 0x61, 0xC2, 0x85],
            text: "\u{85}a\u{85}"),
        Head(
            testDescription: "NBSP at both ends", value: [0xC2, 0xA0, 0x61, 0xC2, 0xA0],
            text: "\u{A0}a\u{A0}"),
        Head(testDescription: "U+2028", value: Array("a\u{2028}b".utf8), text: "a\u{2028}b"),
        Head(
            testDescription: "a mark of direction", value: Array("a\u{202E}b".utf8),
            text: "a\u{202E}b"),
        Head(
            testDescription: "a combining mark first", value: Array("\u{301}a".utf8),
            text: "\u{301}a"),
        Head(testDescription: "U+FEFF first", value: Array("\u{FEFF}a".utf8), text: "\u{FEFF}a"),
        Head(testDescription: "U+FFFF", value: Array("\u{FFFF}".utf8), text: "\u{FFFF}"),
        Head(
            testDescription: "a phrase in UTF-8", status: Array("HTTP/1.1 200 Ça va\u{2028}".utf8)),
        Head(testDescription: "a value in Latin-1", value: [0xC7, 0x61], text: "Ça"),
        Head(
            testDescription: "a phrase in Latin-1",
            status: Array("HTTP/1.1 200 ".utf8) + [0xC7, 0x61]),
        Head(
            testDescription: "half a character", value: [0x61, 0xE2, 0x82], text: "a\u{E2}\u{82}"),
        Head(
            testDescription: "a surrogate", value: [0xED, 0xA0, 0x80], text: "\u{ED}\u{A0}\u{80}"),
        Head(testDescription: "0xFF", value: [0xFF], text: "ÿ"),
    ]

    @Test(arguments: Wire.allCases, heads)
    func `bytes from 0x80 are read, over URLSession if they are UTF-8`(
        wire: Wire, head: Head
    ) async throws {
        let bytes =
            head.status + Array("\r\nX-A: ".utf8) + head.value
            + Array("\r\nContent-Length: 2\r\n\r\nok".utf8)
        let server = try LoopbackServer(scripts: [[.awaitHead, .send(bytes), .close]])
        let session = try wire.session()
        guard wire == .curl || String(validating: bytes, as: UTF8.self) != nil else {
            // Its parser fails the task before it shows anything.
            let error = await #expect(throws: HTTPError.self) {
                try await session.response(for: server.url("/"))
            }
            #expect(error?.code == .protocolViolation)
            #expect(error?.message.contains("not in UTF-8 (use another transport") == true)
            return
        }
        let response = try await session.response(for: server.url("/"))
        #expect(response.headers["X-A"] == head.text)
        #expect(try await response.text() == "ok")
    }
}
