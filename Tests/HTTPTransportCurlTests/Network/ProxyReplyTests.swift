import Testing

@testable import HTTPTransportCurl

@Suite struct ProxyReplyTests {
    @Test(arguments: -1...40)
    func `a reply is final if the proxy would give it again`(code: Int) throws {
        guard code > 0 else {
            #expect(ProxyReply(code) == nil)
            return
        }
        let reply = try #require(ProxyReply(code))
        // The version, GSS-API, the user name, lengths, no method, the kind of address or command,
        // not allowed, the method, the password.
        let final: Set<Int> = [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 17, 18, 23, 32, 33]
        #expect(reply.isFinal == final.contains(code))
        #expect(!reply.clause.isEmpty)
    }
}
