import HTTPCore
import HTTPFormats
import HTTPTesting
import Testing
import PortableFoundation

@Suite struct HTTPResponseTextTests {
    private func response(
        coding: String?, _ bytes: [UInt8], type: String = "text/plain"
    ) throws -> HTTPResponse {
        var headers: HTTPHeaders = [.contentType: type]
        headers[.contentEncoding] = coding
        return HTTPResponse(
            .ok, headers: headers, body: HTTPBody(Data(bytes)), to: try HTTPRequest("https://h/"))
    }

    private static let gzip: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0]

    @Test(
        arguments: [
            ("text/plain", [0x31, 0x0A], ["1"]), ("text/plain", [0x0A, 0x0A], ["", ""]),
            ("text/plain", [0x0A], [""]), ("text/plain", [0x31], ["1"]), ("text/plain", [], []),
            ("text/plain", [0xEF, 0x0A], ["\u{FFFD}"]),
            ("text/plain; charset=utf-16be", [0x00, 0x0A], [""]),
        ] as [(String, [UInt8], [String])])
    func `lines of a body of a few bytes end where its lines end`(
        type: String, bytes: [UInt8], expected: [String]
    ) async throws {
        let response = try response(coding: nil, bytes, type: type)
        var lines: [String] = []
        for try await line in response.lines { lines.append(line) }
        #expect(lines == expected)
    }

    @Test(
        arguments: ["gzip", "br", "deflate, gzip", "X-GZIP"], ["text/plain", "text/a;charset=l1"])
    func `text in a content coding is refused, naming it`(
        coding: String, type: String
    ) async throws {
        let response = try response(coding: coding, Self.gzip, type: type)
        let error = await #expect(throws: HTTPError.self) { try await response.text() }
        #expect(error?.code == .decodingFailed && error?.bodyPrefix == Data(Self.gzip))
        #expect(error?.message.contains("content coding \"\(coding.lowercased())\"") == true)
        #expect(error?.message.contains("do not set Accept-Encoding") == true)
        let json = await #expect(throws: HTTPError.self) { try await response.json(Int.self) }
        #expect(json?.message.contains("content coding \"\(coding.lowercased())\"") == true)
    }

    @Test(arguments: [nil, "identity", "utf-8", "none"])
    func `text is read although a server misuses the field`(coding: String?) async throws {
        #expect(try await response(coding: coding, Array("hi".utf8)).text() == "hi")
        #expect(try await response(coding: coding, Array("1".utf8)).json(Int.self) == 1)
    }

    @Test func `an empty body is empty text in any coding`() async throws {
        #expect(try await response(coding: "gzip", []).text().isEmpty)
    }

    private static let latin: [UInt8] = [0x61, 0xFC, 0x0A, 0xE9]
    private static let utf8 = Array("aü\né".utf8)

    /// A type, the bytes of `aü` and `é` in two lines, and whether they are text in it.
    @Test(
        arguments: [
            ("text/plain", utf8, true), ("text/plain; charset=utf-8", utf8, true),
            ("text/plain; charset=\"utf-8\"", utf8, true),
            ("text/plain; charset='utf-8'", utf8, true),
            ("text/plain; charset=utf8mb4", utf8, true),
            ("text/plain; charset=utf_8", utf8, true), ("text/plain; charset=", utf8, true),
            ("text/plain; charset=utf-8, text/plain", utf8, true),
            ("text/plain; charset=utf-8,iso-8859-1", utf8, true),
            ("text/html; charset=gbk, text/plain; charset=utf-8", utf8, true),
            ("nothing", utf8, true), ("text/plain; charset=latin1", latin, true),
            ("text/plain; charset='latin1'", latin, false), ("text/plain", latin, false),
            ("text/plain, text/plain; charset=latin1", latin, true),
            ("text/plain; charset=latin1, x", latin, true),
            ("text/plain; charset=utf-16le", [0x61, 0, 0xFC, 0, 0x0A, 0, 0xE9, 0], true),
            ("text/plain; charset=utf-16", [0xFE, 0xFF, 0, 0x61, 0, 0xFC, 0, 0x0A, 0, 0xE9], true),
            ("text/plain", [0xFF, 0xFE, 0x61, 0, 0xFC, 0, 0x0A, 0, 0xE9, 0], true),
            ("text/plain; charset=latin1", [0xEF, 0xBB, 0xBF] + utf8, true),
            ("text/plain; charset=gb18030", [0x61, 0xA8, 0xB9, 0x0A, 0xA8, 0xA6], true),
        ] as [(String, [UInt8], Bool)])
    func `text and lines are in the charset of the response`(
        type: String, bytes: [UInt8], isText: Bool
    ) async throws {
        let whole = try response(coding: nil, bytes, type: type)
        if isText {
            #expect(try await whole.text() == "aü\né")
        } else {
            let error = await #expect(throws: HTTPError.self) { try await whole.text() }
            #expect(error?.code == .decodingFailed)
        }
        // Lines do not wait for the end, and so replace what is no text.
        for pieces in Cuts.all(Data(bytes)) {
            var cut = whole
            cut.body = HTTPBody(
                AsyncStream<Data> { stream in
                    for piece in pieces { stream.yield(piece) }
                    stream.finish()
                })
            var lines: [String] = []
            for try await line in cut.lines { lines.append(line) }
            #expect(lines == (isText ? ["aü", "é"] : ["a\u{FFFD}", "\u{FFFD}"]))
        }
    }

    @Test func `several fields are one list`() async throws {
        var whole = try response(coding: nil, Self.latin)
        whole.headers[values: .contentType] = ["text/plain", "text/plain; charset=latin1"]
        #expect(try await whole.text() == "aü\né")
        #expect(whole.textEncoding?.name == "windows-1252")
    }

    @Test func `lines in a charset that is not safe are an error`() async throws {
        let whole = try response(coding: nil, [0x61], type: "text/plain; charset=iso-2022-kr")
        let error = await #expect(throws: HTTPError.self) {
            for try await _ in whole.lines {}
        }
        #expect(error?.code == .decodingFailed)
    }

    @Test func `a line of more bytes than its limit is an error in any charset`() async throws {
        for type in ["text/plain", "text/plain; charset=latin1", "text/plain; charset=utf-16le"] {
            let bytes = Array(repeating: UInt8(ascii: "x"), count: 64)
            let whole = try response(coding: nil, bytes, type: type)
            let error = await #expect(throws: HTTPError.self) {
                for try await _ in whole.lines(upTo: 8) {}
            }
            #expect(error?.code == .bodyTooLarge)
        }
    }

    @Test(arguments: [0, 1, 2, 3, 5])
    func `an incomplete end of UTF-16 is malformed`(count: Int) async throws {
        let pair: [UInt8] = [0x3D, 0xD8, 0xA9, 0xDC, 0x41, 0x00]
        let whole = try response(
            coding: nil, Array(pair.prefix(count)), type: "text/plain; charset=utf-16le")
        var lines: [String] = []
        for try await line in whole.lines { lines.append(line) }
        let text = ["", "\u{FFFD}", "\u{FFFD}", "\u{FFFD}", "", "💩\u{FFFD}"][count]
        #expect(lines == (text.isEmpty ? [] : [text]))
        #expect(try await whole.text() == text)
    }
}
