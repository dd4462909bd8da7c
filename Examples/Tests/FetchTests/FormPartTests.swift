import HTTPClientKit
import Testing

@testable import fetch

@Suite struct FormPartTests {
    private func part(_ text: String) throws -> [String] {
        let part = try FormPart(text)
        let fields = part.fields.joined(separator: "|")
        return [
            part.name, "\(part.content)", part.type ?? "-", part.filename ?? "-", fields,
        ]
    }

    @Test(arguments: [
        ("a=b", ["a", #"text("b")"#, "-", "-", ""]),
        ("a=", ["a", #"text("")"#, "-", "-", ""]),
        ("=b=c", ["", #"text("b=c")"#, "-", "-", ""]),
        ("a=@f", ["a", #"file("f")"#, "-", "-", ""]),
        ("a=<f;type=text/x", ["a", #"value("f")"#, "text/x", "-", ""]),
        (
            "a=@f; type=text/x;charset=utf-8 ;filename=g",
            ["a", #"file("f")"#, "text/x;charset=utf-8", "g", ""]
        ),
        (
            "a= b c ; type=text/x; charset=utf-8; filename= g ",
            ["a", #"text("b c")"#, "text/x; charset=utf-8", "g", ""]
        ),
        ("a=@ f ;type=x/y", ["a", #"file("f")"#, "x/y", "-", ""]),
        (#"a= "b " "#, ["a", #"text("b ")"#, "-", "-", ""]),
        (#"a=@"f;,g";filename="h\"\\i""#, ["a", #"file("f;,g")"#, "-", #"h"\i"#, ""]),
        (#"a="x;y";headers="X: 1""#, ["a", #"text("x;y")"#, "-", "-", "X: 1"]),
        (#"a="x"#, ["a", ##"text("\"x")"##, "-", "-", ""]),
    ])
    func `a part is described as in curl`(text: String, parts: [String]) throws {
        #expect(try part(text) == parts)
    }

    @Test(arguments: ["a", "a=@f,g", "a=b;c", "a=b;encoder=base64", #"a="b"c"#])
    func `what is not understood is refused`(text: String) {
        let error = #expect(throws: HTTPError.self) { try FormPart(text) }
        #expect(error?.code == .invalidRequest)
    }

    @Test func `text without special characters is taken as it is`() throws {
        #expect(try FormPart(literally: "a=@b;type=c").content == .text("@b;type=c"))
    }

    @Test func `files are streamed, and those that are missing cannot be read`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("content\n", to: "f.txt")
        var form = try MultipartForm(boundary: "b")
        for text in ["t=a\nb", "f=@\(path)", "g=@\(path);type=x/y;filename=\"n\"", "v=<\(path)"] {
            try FormPart(text).add(to: &form)
        }
        #expect(form.length != nil && form.body.replay == .always)
        let sent = String(decoding: try await form.body.collect(), as: UTF8.self)
        let lines = [
            "--b", "Content-Disposition: form-data; name=\"t\"", "", "a\nb",
            "--b", "Content-Disposition: form-data; name=\"f\"; filename=\"f.txt\"",
            "Content-Type: text/plain", "", "content\n",
            "--b", "Content-Disposition: form-data; name=\"g\"; filename=\"n\"",
            "Content-Type: x/y", "", "content\n",
            "--b", "Content-Disposition: form-data; name=\"v\"", "", "content\n", "--b--", "",
        ]
        #expect(sent == lines.joined(separator: "\r\n"))
        for text in ["a=@/no/such", "a=</no/such", "a=@/no/such;type=x/y"] {
            let error = #expect(throws: HTTPError.self) { try FormPart(text).add(to: &form) }
            #expect(error?.code == .requestBodyFailed)
        }
    }
}
