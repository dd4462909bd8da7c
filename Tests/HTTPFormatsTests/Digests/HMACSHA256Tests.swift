import HTTPCore
import HTTPFormats
import Testing
import PortableFoundation

struct HMACSHA256Tests {
    private static func bytes(_ byte: UInt8, _ count: Int) -> Data {
        Data(repeating: byte, count: count)
    }

    private static let vectors: [(key: Data, message: Data, code: String)] = [
        (
            bytes(0x0b, 20), Data("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Data("Jefe".utf8), Data("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            bytes(0xaa, 20), bytes(0xdd, 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            Data(1...25), bytes(0xcd, 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        (
            bytes(0x0c, 20), Data("Test With Truncation".utf8),
            "a3b6167473100ee06e0c796c2955552bfa6f7c0a6a8aef8b93f860aab0cd20c5"
        ),
        (
            bytes(0xaa, 131),
            Data("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            bytes(0xaa, 131),
            Data(
                ("This is a test using a larger than block-size key and a larger than block-size "
                    + "data. The key needs to be hashed before being used by the HMAC algorithm.")
                    .utf8),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ]

    @Test(arguments: 0..<7)
    func `codes agree with RFC 4231`(number: Int) throws {
        let (secret, message, code) = Self.vectors[number]
        let key = try HMACSHA256(key: secret)
        #expect(key.hexadecimalCode(for: message) == code)
        #expect(key.hexadecimalCode(for: message) == code, "a key signs any number of times")
        #expect(key.isValid(hexadecimal: code, for: message))
        #expect(key.isValid(hexadecimal: code.uppercased(), for: message))
        #expect(key.isValid(key.code(for: message), for: message))
    }

    @Test(arguments: [
        (63, "e458f5dd7e8afee6b774e5d451ae43f4d268bf11646030143d0b0231dcb02383"),
        (64, "3b7a8d453e76edb519238a515105a57508d0f169f480ebeee120a9e7803289fa"),
        (65, "c2d7d4c2256ddb097409ec0c67e1d58fa1a007fc6932cac0d892a525d08af7cc"),
    ])
    func `keys around the length of a block agree with OpenSSL`(
        length: Int, code: String
    ) throws {
        let key = try HMACSHA256(key: String(repeating: "k", count: length))
        #expect(key.hexadecimalCode(for: Data("m".utf8)) == code)
    }

    @Test func `anything but the whole code is refused`() throws {
        let key = try HMACSHA256(key: "secret")
        let message = Data("message".utf8)
        let code = key.code(for: message)
        for index in code.indices {
            var wrong = code
            wrong[index] ^= 1
            #expect(!key.isValid(wrong, for: message))
        }
        #expect(!key.isValid(Data(), for: message))
        #expect(!key.isValid(code.prefix(16), for: message))
        #expect(!key.isValid(code + [0], for: message))
        #expect(!key.isValid(code, for: Data("messagf".utf8)))
        let other = try HMACSHA256(key: "secret ")
        #expect(!other.isValid(code, for: message))
        let text = key.hexadecimalCode(for: message)
        for wrong in ["", "sha256=" + text, text + " ", String(text.dropLast()), text + "00"] {
            #expect(!key.isValid(hexadecimal: wrong, for: message))
        }
    }

    @Test func `an empty key is refused`() {
        for make in [{ try HMACSHA256(key: "") }, { try HMACSHA256(key: Data()) }] {
            let error = #expect(throws: HTTPError.self) { _ = try make() }
            #expect(error?.code == .invalidRequest)
        }
    }

    /// The state of the hash functions is as good as the key, so no number of it may be shown.
    @Test func `no description or reflection shows the key`() throws {
        let key = try HMACSHA256(key: "hunter2")
        var text = "\(key) \(String(reflecting: key)) \([key])"
        dump(key, to: &text)
        #expect(!text.contains("hunter2"))
        #expect(!text.contains("UInt32"))
        #expect("\(key)" == "HMAC-SHA-256 <redacted>")
        #expect(Mirror(reflecting: key).children.count == 1)
    }
}
