import HTTPCore
import Testing

@testable import HTTPTransportCurl

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
}
