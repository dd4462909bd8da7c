import TestSupport
import Testing

/// Tests that the code of Docs/Guides/WritingATransport.md is that of the transport in Examples,
/// which CI builds.
@Suite struct WritingATransportGuideTests {
    @Test func `the page shows the example's code`() throws {
        let page = try GuidePage(
            "WritingATransport",
            others: [
                "Examples/Sources/SocketTransport/SocketTransport.swift",
                "Examples/Sources/SocketTransport/SocketExchange.swift",
                "Examples/Tests/SocketTransportTests/SocketTransportTests.swift",
            ])
        #expect(page.blocks.count == 8)
        #expect(page.untested == [])
    }
}
