import HTTPFormats
import HTTPHashing
import Testing
import PortableFoundation

struct HashingTests {
    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"),
        ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("abc", "900150983cd24fb0d6963f7d28e17f72"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
        (
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            "d174ab98d277d9f5a5611c2c9f419d9f"
        ),
        (
            "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
            "57edf4a22be3c955ac49da2e2107b67a"
        ),
    ])
    func `MD5 agrees with RFC 1321 §A.5`(message: String, digest: String) {
        #expect(MD5.hash(message).hexadecimal == digest)
    }

    private static let twoBlocks256 = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
    private static let twoBlocks512 =
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
        + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (twoBlocks256, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
        (twoBlocks512, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"),
    ])
    func `SHA-256 agrees with NIST's examples`(message: String, digest: String) {
        #expect(SHA256.hash(message).hexadecimal == digest)
    }

    /// SHA256ShortMsg.rsp of NIST's CAVP.
    @Test(arguments: [
        ([0xd3], "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1"),
        ([0x11, 0xaf], "5ca7133fa735326081558ac312c620eeca9970d1e70a4b95533d956f072d1f98"),
        ([0xb4, 0x19, 0x0e], "dff2e73091f6c05e528896c4c831b9448653dc2ff043528f6769437bc7b975c2"),
    ])
    func `SHA-256 agrees with NIST's short messages`(message: [UInt8], digest: String) {
        #expect(SHA256.hash(message).hexadecimal == digest)
    }

    @Test(arguments: [
        (
            "",
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
        ),
        (
            "abc",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        (
            twoBlocks512,
            "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
                + "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
        ),
    ])
    func `SHA-512 agrees with NIST's examples`(message: String, digest: String) {
        #expect(SHA512.hash(message).hexadecimal == digest)
    }

    @Test(arguments: [
        ("", "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"),
        ("abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
        (twoBlocks256, "bde8e1f9f19bb9fd3406c90ec6bc47bd36d8ada9f11880dbc8a22a7078b6a461"),
        (twoBlocks512, "3928e184fb8690f840da3988121d31be65cb9d3ef83ee6146feac861e19b563a"),
    ])
    func `SHA-512 slash 256 agrees with NIST's examples`(message: String, digest: String) {
        #expect(SHA512_256.hash(message).hexadecimal == digest)
    }

    @Test func `a million times the letter a, in pieces of 997`() {
        func digest<Hash: Hashing>(_ type: Hash.Type) -> String {
            var state = Hash()
            let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 997)
            for _ in 0..<1003 { state.update(piece) }
            state.update([UInt8](piece.prefix(9)))
            return state.finalize().hexadecimal
        }
        #expect(digest(MD5.self) == "7707d6ae4e027c70eea2a935c2296f21")
        #expect(
            digest(SHA256.self)
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
        #expect(
            digest(SHA512.self)
                == "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
                + "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b")
        #expect(
            digest(SHA512_256.self)
                == "9a59a052930187a97038cae692f30708aa6491923ef5194394dc68d56c74fb21")
    }

    private func message(_ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7 + 13) }
    }

    /// Every length around one and two blocks, so every padding; the digests of the digests, one
    /// after the other, are those of OpenSSL by way of Python's hashlib.
    @Test func `every length up to 299 agrees with OpenSSL`() {
        func digest<Hash: Hashing>(_ type: Hash.Type) -> String {
            Hash.hash((0..<300).flatMap { Hash.hash(message($0)) }).hexadecimal
        }
        #expect(digest(MD5.self) == "10e34bd04cdc53d7ff8ec87ca076b92e")
        #expect(
            digest(SHA256.self)
                == "051bf35ddb72b3336c3d8bd867f707f92305556b95c2ca05aec5e9b49064a8a1")
        #expect(
            digest(SHA512.self)
                == "addd27777a4b68e7646c1c294f4808eea2eebdc50d15481c1610fce41a65b29f"
                + "a0b14107de93109bdffcab12dcd9b158f43a6f4b50d955ca7daa94ca269b90c0")
        #expect(
            digest(SHA512_256.self)
                == "3878b4ee3d6983e76cb29977c9582840104f4a1d90b0f62734563053b94bea33")
    }

    @Test func `where a message is cut makes no difference`() {
        func check<Hash: Hashing>(_ type: Hash.Type) {
            let message = message(290)
            let whole = Hash.hash(message)
            for cut in 0...message.count {
                var state = Hash()
                state.update([UInt8](message[..<cut]))
                state.update(Data(message[cut...]))
                #expect(state.finalize() == whole, "\(type) cut at \(cut)")
            }
            var single = Hash()
            for byte in message { single.update([byte]) }
            #expect(single.finalize() == whole, "\(type) one by one")
        }
        check(MD5.self)
        check(SHA256.self)
        check(SHA512.self)
        check(SHA512_256.self)
    }

    @Test func `a digest may be taken on the way, and a copy goes on by itself`() {
        var state = SHA256()
        state.update("ab")
        var copy = state
        #expect(state.finalize() == SHA256.hash("ab"))
        state.update("c")
        copy.update("d")
        #expect(state.finalize() == SHA256.hash("abc"))
        #expect(copy.finalize() == SHA256.hash("abd"))
    }

    @Test func `a slice of data is hashed from its own start`() {
        let data = Data("xxabcxx".utf8)[2..<5]
        #expect(MD5.hash(data).hexadecimal == "900150983cd24fb0d6963f7d28e17f72")
        #expect([UInt8]([0x00, 0x0f, 0xa0]).hexadecimal == "000fa0")
    }
}
