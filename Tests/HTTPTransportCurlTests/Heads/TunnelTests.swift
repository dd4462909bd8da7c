import CHTTPTransportCurl
import HTTPCore
import Testing
@testable import HTTPTransportCurl
import PortableLibc

@Suite struct TunnelTests {
    private static func receive(_ text: String, _ tunnel: inout Tunnel) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            let isInterim = tunnel.receive(Array("\(line)\r\n".utf8).span)
            #expect(!isInterim)
        }
    }

    @Test(arguments: [403, 407, 502, 503])
    func `a refusal has its head`(status: Int) {
        var tunnel = Tunnel()
        #expect(!tunnel.hasBegun)
        Self.receive("HTTP/1.1 \(status) No\nRetry-After: 7\n", &tunnel)
        #expect(tunnel.hasBegun && tunnel.refusal == nil)
        Self.receive("\n", &tunnel)
        #expect(tunnel.refusal?.status.code == status)
        #expect(tunnel.refusal?.headers["Retry-After"] == "7")
        #expect(tunnel.refusal?.version == .http1_1)
        // Nothing that follows changes it.
        Self.receive("HTTP/1.1 200 OK\n\n", &tunnel)
        #expect(tunnel.refusal?.status.code == status)
    }

    @Test(
        arguments: [
            "HTTP/1.1 200 Connected\nVia: a\n\n", "HTTP/1.0 204 \n\n",
            "HTTP/1.1 101 Switching Protocols\nUpgrade: x\n\n", "SSH-2.0\n\n",
            "HTTP/1.1 5x3 No\n\n", "HTTP/1.1 503 No\nno field\n\n",
        ])
    func `what is no refusal, or no HTTP, has none`(text: String) {
        var tunnel = Tunnel()
        Self.receive(text, &tunnel)
        #expect(tunnel.hasBegun && tunnel.refusal == nil)
    }

    @Test func `the end of an interim response is told`() {
        var tunnel = Tunnel()
        Self.receive("HTTP/1.1 100 Continue\nVia: a\n", &tunnel)
        let isInterim = tunnel.receive([UInt8(ascii: "\r"), UInt8(ascii: "\n")].span)
        #expect(isInterim)
        #expect(tunnel.refusal == nil)
        Self.receive("HTTP/1.1 403 No\n\n", &tunnel)
        #expect(tunnel.refusal?.status == .forbidden)
    }

    // MARK: An interim response that libcurl reads

    /// Reads a head as libcurl does: byte by byte, and from 8.18 one byte beyond each line but an
    /// empty one. Returns its lines, and what is left in the socket.
    private static func read(
        _ sent: String, readsAhead: Bool
    ) throws -> (lines: [String], rest: String) {
        var ends: [Int32] = [-1, -1]
        let made = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        try #require(made == 0)
        defer { for end in ends { close(end) } }
        let bytes = Array(sent.utf8)
        let written = unsafe write(ends[1], bytes, bytes.count)
        try #require(written == bytes.count)
        shutdown(ends[1], Int32(SHUT_WR))
        func next() -> UInt8? {
            var byte: UInt8 = 0
            return unsafe recv(ends[0], &byte, 1, 0) == 1 ? byte : nil
        }
        var lines: [String] = []
        var line: [UInt8] = []
        var carried: UInt8?
        while let byte = carried.take() ?? next() {
            line.append(byte)
            guard byte == UInt8(ascii: "\n") else { continue }
            let isEmpty = line[0] == UInt8(ascii: "\r") || line[0] == byte
            if readsAhead, !isEmpty { carried = next() }
            unsafe line.withUnsafeMutableBytes { space in
                guard let start = space.baseAddress else { return }
                unsafe chttp_replace_interim(
                    ends[0], start.assumingMemoryBound(to: CChar.self), space.count,
                    readsAhead ? 1 : 0)
            }
            lines.append(String(decoding: line, as: UTF8.self))
            line = []
            if isEmpty { break }
        }
        var rest: [UInt8] = []
        while let byte = next() { rest.append(byte) }
        return (lines, String(decoding: rest, as: UTF8.self))
    }

    private static let finals = [
        "HTTP/1.1 200 Connected\r\nX-Proxy: 1\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.0 204 \n\n",
        "HTTP/1.1 200 OK\na:\n\n",
        "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 503 \r\n\r\n",
    ]

    @Test(
        arguments: [
            "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.0 100 \n\n",
            "HTTP/1.1 102 Wait\r\nVia: a\r\nx:\r\n\r\n", "HTTP/1.1 103 \nLink: </a>\n\n",
        ],
        [false, true])
    func `libcurl gets the final head in place of interim ones`(
        interim: String, readsAhead: Bool
    ) throws {
        let follower = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        for final in Self.finals {
            for count in [0, 1, 2, 18] {
                let sent = interim + String(repeating: follower, count: count) + final
                let (lines, rest) = try Self.read(sent + "TLS", readsAhead: readsAhead)
                let status = final.split(separator: " ")[1].prefix(3)
                var fields = final.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
                let first = interim.prefix { !$0.isNewline }
                if readsAhead {
                    // What was read is of the interim head: its end, or a field's first byte.
                    let hasField = interim.contains(":")
                    guard status.hasPrefix("2"), !hasField || !fields.isEmpty else {
                        #expect(lines.first?.hasPrefix(first) == true)
                        #expect(rest == sent.dropFirst(interim.count) + "TLS")
                        continue
                    }
                    fields = hasField ? fields : []
                    if hasField {
                        fields[0] =
                            interim.hasPrefix("HTTP/1.1 102") ? "V" + fields[0] : "L" + fields[0]
                    }
                }
                #expect(rest == "TLS", "\(sent.debugDescription)")
                #expect(lines.first?.hasPrefix("\(first.prefix(9))\(status)") == true)
                #expect(
                    lines.dropFirst().map { String($0.prefix { !$0.isNewline }) } == fields + [""])
            }
        }
    }

    @Test func `endless interim responses are left to libcurl`() throws {
        let interim = "HTTP/1.1 100 \r\n\r\n"
        let sent = String(repeating: interim, count: 20) + Self.finals[0]
        #expect(try Self.read(sent, readsAhead: false).lines == ["HTTP/1.1 100 \r\n", "\r\n"])
    }
}
