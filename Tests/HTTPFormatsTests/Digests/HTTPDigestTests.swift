import HTTPCore
import TestSupport
import Testing
@testable import HTTPFormats
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPDigestTests {
    /// The representation of the examples in Appendix B of RFC 9530.
    private static let hello = Data("{\"hello\": \"world\"}\n".utf8)

    @Test(arguments: [
        (
            HTTPDigest.Algorithm.sha256,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        ),
        (
            .sha512,
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
    ])
    func `digests agree with FIPS 180`(
        algorithm: HTTPDigest.Algorithm, hexadecimal: String
    ) async throws {
        let digest = HTTPDigest(algorithm, of: Data("abc".utf8))
        #expect(digest.hexadecimal == hexadecimal)
        #expect("\(digest)" == "\(algorithm.rawValue) \(hexadecimal)")
        #expect(HTTPDigest(algorithm, hexadecimal: hexadecimal.uppercased()) == digest)
        #expect(HTTPDigest(algorithm, bytes: digest.bytes) == digest)
        #expect(try await HTTPDigest.computed(algorithm, of: HTTPBody("abc")) == digest)
        var pieces = HTTPDigest.Computation(algorithm)
        pieces.update(Data("ab".utf8))
        let early = pieces
        pieces.update(Data("xxcxx".utf8)[2..<3])
        #expect(pieces.digest == digest)
        #expect(early.digest == HTTPDigest(algorithm, of: Data("ab".utf8)))
    }

    @Test func `a file and a stream are hashed in pieces, and a stream only once`() async throws {
        let text = (0..<120_000).map { "\($0)" }.joined()
        let bytes = Data(text.utf8)
        let file = try TemporaryFile(text)
        let expected = HTTPDigest(.sha512, of: bytes)
        let body = try HTTPBody(file: file.path)
        #expect(try await HTTPDigest.computed(.sha512, of: body) == expected)
        #expect(try await HTTPDigest.computed(.sha512, of: body) == expected)
        let source = ScriptedBodySource([.piece(bytes.prefix(10)), .piece(bytes.dropFirst(10))])
        let stream = HTTPBody(source: source)
        #expect(try await HTTPDigest.computed(.sha512, of: stream) == expected)
        let error = await #expect(throws: HTTPError.self) {
            try await HTTPDigest.computed(.sha512, of: stream)
        }
        #expect(error?.code == .bodyAlreadyRead)
        await #expect(throws: ScriptedBodySource.Failure.self) {
            let broken = HTTPBody(source: ScriptedBodySource(["ab", .fail]))
            _ = try await HTTPDigest.computed(.sha256, of: broken)
        }
    }

    @Test(arguments: ["", "ba", "zz", "b", String(repeating: "0", count: 66), "é"])
    func `only digits of the right number are a digest`(text: String) {
        #expect(HTTPDigest(.sha256, hexadecimal: text) == nil)
        #expect(HTTPDigest(.sha256, hexadecimal: "0" + String(repeating: "g", count: 63)) == nil)
        #expect(HTTPDigest(.sha512, bytes: HTTPDigest(.sha256, of: Data()).bytes) == nil)
    }

    @Test func `a difference in any byte is found`() throws {
        let digest = HTTPDigest(.sha256, of: Data())
        for index in digest.bytes.indices {
            for bit in 0..<8 {
                var bytes = digest.bytes
                bytes[index] ^= 1 << bit
                let other = try #require(HTTPDigest(.sha256, bytes: bytes))
                #expect(other != digest)
            }
        }
        #expect(!digest.bytes.isEqualInConstantTime(to: digest.bytes.dropLast()))
        #expect(!digest.bytes.isEqualInConstantTime(to: Data()))
        #expect(digest.bytes.isEqualInConstantTime(to: (Data([1]) + digest.bytes).dropFirst()))
    }

    /// Bytes that count how many of them were read, for a test of what decides on the time.
    private final class CountingBytes: Collection {
        let bytes: [UInt8]
        private(set) var readings = 0
        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var startIndex: Int { 0 }
        var endIndex: Int { bytes.count }
        func index(after index: Int) -> Int { index + 1 }

        subscript(index: Int) -> UInt8 {
            readings += 1
            return bytes[index]
        }
    }

    /// A measured time would say nothing on a machine that others use. The number of bytes that are
    /// read is what an attacker would measure.
    @Test(arguments: [[], [0], [31], [63], [0, 63], Array(0..<64)])
    func `a comparison of secrets reads all bytes, wherever they differ`(differences: [Int]) {
        let own = (0..<64).map { UInt8($0) }
        var bytes = own
        for index in differences { bytes[index] ^= 0x80 }
        let (first, second) = (CountingBytes(own), CountingBytes(bytes))
        #expect(first.isEqualInConstantTime(to: second) == differences.isEmpty)
        #expect(first.readings == 64 && second.readings == 64)
    }

    /// The values of a secret are compared by that function and by no other.
    @Test(arguments: [
        ("HTTPDigest", "a.algorithm == b.algorithm && a.bytes.isEqualInConstantTime(to: b.bytes)"),
        ("HMACSHA256", "self.code(for: message).isEqualInConstantTime(to: code)"),
    ])
    func `digests and codes are compared in constant time`(
        file: String, comparison: String
    ) throws {
        let root = #filePath.split(separator: "/Tests/").dropLast().joined(separator: "/Tests/")
        let source = try String(
            contentsOfFile: "\(root)/Sources/HTTPFormats/Digests/\(file).swift", encoding: .utf8)
        let code = source.split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(code.count { $0 == comparison } == 1)
        let others = code.filter { line in
            !line.hasPrefix("//") && line != comparison
                && ["bytes ==", "== b.bytes", "code ==", "== code", "message) ==", "elementsEqual"]
                    .contains { line.contains($0) }
        }
        #expect(others == [])
    }

    // MARK: Fields

    @Test func `the examples of RFC 9530 are read and written`() {
        let full = "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:"
        let part = "sha-256=:jjcgBDWNAtbYUXI37CVG3gRuGOAjaaDRGpIUFsdyepQ=:"
        let long =
            "sha-512=:YMAam51Jz/jOATT6/zvHrLVgOYTGFy1d6GJiOHTohq4yP+pgk4vf2aCsyRZOtw8MjkM7iw7yZ"
            + "/WkppmM44T3qg==:"
        var headers: HTTPHeaders = ["Repr-Digest": full, "Content-Digest": part]
        #expect(headers.reprDigest == [HTTPDigest(.sha256, of: Self.hello)])
        #expect(headers.contentDigest == [HTTPDigest(.sha256, of: Self.hello[10..<19])])
        headers.contentDigest = [
            HTTPDigest(.sha512, of: Self.hello), HTTPDigest(.sha256, of: Self.hello),
        ]
        #expect(headers["Content-Digest"] == "\(long), \(full)")
        headers.reprDigest = []
        #expect(headers["Repr-Digest"] == nil)

        headers = ["Want-Repr-Digest": "sha-512=3, sha-256=10, unixsum=0"]
        #expect(headers.wantReprDigest == [.sha512: 3, .sha256: 10])
        headers.wantContentDigest = [.sha256: 1, .sha512: 0]
        #expect(headers["Want-Content-Digest"] == "sha-256=1, sha-512=0")
    }

    @Test(arguments: [
        "", "sha-256", "sha-256=1", "sha-256=\"RK\"", "sha-256=RK/0qy18=", "sha-256=:RK/0:, =",
        "md5=:1B2M2Y8AsgTpgAmY7PhCfg==:", "SHA-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:",
        "sha-256=:RK/0:", "sha-256=(:RK/0:)",
    ])
    func `a malformed or unknown digest is left out`(value: String) {
        var headers = HTTPHeaders()
        headers["Content-Digest"] = value
        #expect(headers.contentDigest == [])
        headers["Want-Content-Digest"] = value
        #expect(headers.wantContentDigest == (value == "sha-256=1" ? [.sha256: 1] : [:]))
    }

    @Test func `of a repeated algorithm the last digest counts, also over several lines`() throws {
        let digest = HTTPDigest(.sha256, of: Self.hello)
        var headers: HTTPHeaders = ["Content-Digest": "sha-256=:AAAA:, other=:AAAA:"]
        var line = HTTPHeaders()
        line.contentDigest = [digest]
        try headers.append("Content-Digest", try #require(line["Content-Digest"]))
        #expect(headers.contentDigest == [digest])
    }

    @Test func `a preference that cannot be sent is refused`() {
        for preference in [-1, 11, .max] {
            var headers = HTTPHeaders()
            headers.wantReprDigest = [.sha256: preference]
            #expect(headers.isEmpty && headers.refusedName == "Want-Repr-Digest")
            headers = ["Want-Repr-Digest": "sha-256=\(preference)"]
            #expect(headers.wantReprDigest == [:])
        }
    }
}
