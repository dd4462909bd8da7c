import HTTPCore
import HTTPFormats
import Testing

@Suite struct ContentDispositionTests {
    @Test(
        arguments: [
            ("attachment; filename=\"EURO.txt\"; filename*=utf-8''%e2%82%ac.txt", "€.txt"),
            ("attachment; filename*=utf-8''%e2%82%ac.txt; filename=x", "€.txt"),
            ("attachment; filename=x; filename*=utf-16''a", "x"),
            ("attachment; filename=x; filename*=utf-8''%E4", "x"),
            ("attachment; filename*=utf-8''%E4", nil), ("inline", nil),
        ] as [(String, String?)])
    func `the extended name wins where it can be decoded`(text: String, fileName: String?) throws {
        #expect(try #require(ContentDisposition(text)).fileName == fileName)
    }

    @Test(
        arguments: [
            "", ";", "attachment;", "attachment; filename", "attachment; filename=",
            "attachment; filename=a b", "attachment; filename=\"a",
            "attachment; filename=a; filename=b",
            "attachment; filename*=a", "attachment; filename*=\"UTF-8''a\"", "attachment, inline",
            "attachment; filename=\"\0\"", "att\0achment", "attachment; filename=é",
        ])
    func `what is against the grammar is ignored as a whole`(text: String) {
        #expect(ContentDisposition(text) == nil)
    }

    @Test(
        arguments: [
            ("plans.pdf", "attachment; filename=plans.pdf"),
            ("a b.pdf", "attachment; filename=\"a b.pdf\""),
            (#"a"\b"#, #"attachment; filename="a\"\\b""#), ("", "attachment; filename=\"\""),
            (
                "€ 50%.txt",
                "attachment; filename=\"_ 50%.txt\"; filename*=UTF-8''%E2%82%AC%2050%25.txt"
            ),
            ("a\r\nb", "attachment; filename=a__b; filename*=UTF-8''a%0D%0Ab"),
        ])
    func `a name is written so that it reads the same`(fileName: String, written: String) {
        let field = ContentDisposition.attachment(fileName: fileName)
        #expect(field.description == written)
        #expect(ContentDisposition(written) == field)
        #expect(ContentDisposition(written)?.fileName == fileName)
    }

    @Test func `what cannot be decoded is written as it came`() {
        let text = "attachment; filename*=UTF-16''a%20b"
        #expect(ContentDisposition(text)?.description == text)
        #expect(ContentDisposition(text)?["filename*"] == nil)
        #expect(ContentDisposition.inline().description == "inline")
        #expect(ContentDisposition("INLINE")?.type == "inline")
        #expect(ContentDisposition("foo")?.type == "foo")
    }

    @Test(
        arguments: [
            ("a.txt", "a.txt"), ("/etc/passwd", "passwd"), ("..\\..\\a.exe", "a.exe"),
            ("C:\\x\\plans.pdf", "plans.pdf"), ("C:x", "C_x"), ("/path/to/", "to"), ("..", nil),
            (".", nil), ("", nil), ("/", nil), ("...", nil), (" . . ", nil), (".bashrc", "bashrc"),
            ("a.txt. ", "a.txt"), ("a\0b\r\n.txt", "ab.txt"), ("a\u{202E}txt.exe", "atxt.exe"),
            ("a:b*c?.txt", "a_b_c_.txt"), ("con", "_con"), ("Nul.txt", "_Nul.txt"),
            ("COM1.tar.gz", "_COM1.tar.gz"), ("console", "console"), ("日本.txt", "日本.txt"),
            ("../\u{0}", nil), ("\u{2028}", nil), ("con.\u{487}x", "_con.\u{487}x"),
            ("a/\u{301}b", "\u{301}b"),
        ] as [(String, String?)])
    func `a safe file name is one component that stays in its folder`(
        fileName: String, safe: String?
    ) {
        #expect(ContentDisposition.attachment(fileName: fileName).safeFileName == safe)
    }

    @Test func `a long name is cut before its extension, between characters`() throws {
        let name = String(repeating: "日", count: 1_000) + ".tar.gz"
        let safe = try #require(ContentDisposition.attachment(fileName: name).safeFileName)
        #expect(safe.utf8.count <= 255 && safe.utf8.count > 250)
        #expect(safe.hasSuffix("日.gz"))
        let noExtension = "a." + String(repeating: "b", count: 1_000)
        #expect(
            ContentDisposition.attachment(fileName: noExtension).safeFileName
                == String(noExtension.prefix(254)))
        #expect(ContentDisposition("attachment")?.safeFileName == nil)
    }

    @Test func `a name cut to its length ends in neither dot nor blank`() {
        let long = String(repeating: "a", count: 250)
        let tail = String(repeating: "b", count: 40)
        #expect(
            ContentDisposition.attachment(fileName: long + " .. " + tail).safeFileName == long)
    }
}
