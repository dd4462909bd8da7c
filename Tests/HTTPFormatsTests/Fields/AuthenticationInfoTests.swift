import HTTPCore
import HTTPFormats
import Testing

@Suite struct AuthenticationInfoTests {
    @Test func `parameters are read whatever their case and quotes`() {
        let info = AuthenticationInfo(" nextNonce=\"a,\\\"b\", qop=auth ,nc = 00000001,")
        #expect(
            info?["nextnonce"] == "a,\"b" && info?["QOP"] == "auth" && info?["nc"] == "00000001")
        #expect(info?.parameters.count == 3 && info?["rspauth"] == nil)
        #expect(AuthenticationInfo("")?.parameters.isEmpty == true)
    }

    @Test(arguments: ["a", "a=", "a=1 b=2", "a=1, A=2", "Digest a=1", "a=1, b", "a=\"1", "=1"])
    func `anything else is none`(text: String) { #expect(AuthenticationInfo(text) == nil) }
}
