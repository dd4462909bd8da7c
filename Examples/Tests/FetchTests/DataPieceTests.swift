import HTTPClientKit
import Testing

@testable import fetch

@Suite struct DataPieceTests {
    private func sent(_ pieces: DataPiece...) async throws -> String {
        let body = BodyParts.joined(try pieces.map { piece in try piece.body() })
        let bytes = try await body.collect()
        if let length = body.length { #expect(Int64(bytes.count) == length) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("a b", "a+b"), ("=a=b&c", "a%3Db%26c"), ("name=ü~x/", "name=%C3%BC~x%2F"), ("=", ""),
        ("name=", "name="), ("a=@b", "a=%40b"), ("me@host=1 2", "me@host=1+2"),
    ])
    func `text is encoded for a form`(text: String, encoded: String) async throws {
        #expect(try await sent(DataPiece(.encoded, text)) == encoded)
        #expect(try DataPiece(.encoded, text).text() == encoded)
    }

    @Test func `a file is sent without its line ends, as it is, encoded, or not at all`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = try folder.write("a=1\r\n&b=\0 2\n", to: "data")
        #expect(try await sent(DataPiece(.text, "@\(path)")) == "a=1&b= 2")
        #expect(try DataPiece(.text, "@\(path)").text() == "a=1&b= 2")
        #expect(try await sent(DataPiece(.binary, "@\(path)")) == "a=1\r\n&b=\0 2\n")
        #expect(try await sent(DataPiece(.encoded, "n@\(path)")) == "n=a%3D1%0D%0A%26b%3D%00+2%0A")
        #expect(try await sent(DataPiece(.raw, "@\(path)")) == "@\(path)")
        #expect(
            try await sent(DataPiece(.binary, "@\(path)"), DataPiece(.raw, "!"))
                == "a=1\r\n&b=\0 2\n!")
    }

    @Test func `files are streamed, and can be sent again`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(String(repeating: "line\n", count: 100_000), to: "data")
        let body = try DataPiece(.text, "@\(path)").body()
        #expect(body.bytes == nil && body.length == 400_000)
        #expect(body.replay == .always)
        for _ in 1...2 { #expect(try await body.collect().count == 400_000) }
        #expect(try DataPiece(.binary, "@\(path)").body().bytes == nil)
    }

    @Test(arguments: [DataPiece.Kind.text, .binary, .encoded])
    func `a missing file is data that cannot be read`(kind: DataPiece.Kind) {
        let error = #expect(throws: HTTPError.self) {
            try DataPiece(kind, "@/no/such/file").body()
        }
        #expect(error?.code == .requestBodyFailed)
    }
}
